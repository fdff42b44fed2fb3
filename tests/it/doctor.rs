//! The doctor against set-ups that are broken on purpose, each named for what it is: a front that speaks TLS stands before the agent port, as
//! a funnel or a proxy does, and spoils one thing. The name, the authority and what counts as public are given; the ways are the real ones.

mod command;
mod dates;
mod front;
mod paths;
mod signing_in;
mod transport;
mod whole;

use std::net::{IpAddr, SocketAddr};
use std::path::Path;

use reqwest::Method;
use serde_json::Value;
use sextant::app::Settings;
use sextant::doctor::DoctorWay;
use sextant_connectors::guard::{NameLookup, ProbeWay, Trust, is_public};

use self::dates::sign_for_days;
use self::front::{Front, Spoiled};
use crate::exposure::{PUBLIC, publish};
use crate::support::app::{Answer, settings};
use crate::support::{TestApp, certificates};

/// The name that is published.
const NAME: &str = "box.example";
/// What a certificate for it names.
const OWN_NAME: &str = "subjectAltName=DNS:box.example";

/// A service behind a front.
struct World {
    app: TestApp,
    front: Front,
    _folder: tempfile::TempDir,
}

/// What of it is not as usual.
struct Setup {
    public_url: &'static str,
    /// The names of the certificate, and the days from now on which it begins and ends.
    names: &'static str,
    days: (i64, i64),
    is_trusted: bool,
    spoiled: Spoiled,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            public_url: PUBLIC,
            names: OWN_NAME,
            days: (-1, 90),
            is_trusted: true,
            spoiled: Spoiled::Nothing,
        }
    }
}

impl Setup {
    fn spoiled(spoiled: Spoiled) -> Self {
        Self {
            spoiled,
            ..Self::default()
        }
    }

    /// Starts it, and publishes the address.
    async fn start(self) -> World {
        let folder = tempfile::tempdir().unwrap();
        let made = certificates::make(folder.path(), self.names);
        sign_for_days(folder.path(), self.days);
        let authority = match self.is_trusted {
            true => &made.authority,
            false => &made.other_authority,
        };
        let front = Front::start(&made, self.spoiled).await;
        let app = TestApp::start_with(settings_by(authority, &[(NAME, front.address)])).await;
        front.lead(app.agents, app.address());
        publish(&app, self.public_url).await;
        World {
            app,
            front,
            _folder: folder,
        }
    }

    /// What the doctor says of it.
    async fn report(self) -> Value {
        check(&self.start().await.app).await
    }
}

/// Settings under which the doctor sees these names and this authority, and takes this computer for public.
fn settings_by(authority: &Path, names: &[(&str, SocketAddr)]) -> Settings {
    let pem = std::fs::read(authority).unwrap();
    let given = names.iter().map(|(name, at)| ((*name).to_owned(), *at));
    let probe = ProbeWay {
        names: NameLookup::Given(given.collect()),
        is_public: |address: IpAddr| address.is_loopback() || is_public(address),
        trust: Some(Trust::with_authorities(&pem).unwrap()),
    };
    Settings {
        doctor: DoctorWay { probe },
        ..settings()
    }
}

async fn try_to_check(app: &TestApp) -> Answer {
    app.send(app.request(Method::POST, "/api/exposure/check"))
        .await
}

async fn check(app: &TestApp) -> Value {
    try_to_check(app).await.expect(200)
}

fn step<'a>(report: &'a Value, word: &str) -> &'a Value {
    let steps = report["steps"].as_array().unwrap();
    steps.iter().find(|step| step["step"] == word).unwrap()
}

/// Asserts that this step is the first that failed, that it says `words`, and what to do; and that nothing after it was tried.
#[track_caller]
fn assert_fails(report: &Value, word: &str, words: &str) {
    let steps = report["steps"].as_array().unwrap();
    let place = steps.iter().position(|step| step["step"] == word).unwrap();
    for (index, step) in steps.iter().enumerate() {
        let outcome = step["outcome"].as_str().unwrap();
        let is_expected = match index {
            _ if index < place => matches!(outcome, "passed" | "warned"),
            _ if index == place => outcome == "failed",
            _ => outcome == "not_run",
        };
        assert!(is_expected, "{report:#}");
    }
    let (what, remedy) = (text(&steps[place]["what"]), text(&steps[place]["remedy"]));
    assert!(what.contains(words), "{what}");
    assert!(!remedy.is_empty(), "{report:#}");
    assert_eq!(report["ok"], false);
    assert_eq!(text(&report["message"]), format!("{what} {remedy}"));
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}
