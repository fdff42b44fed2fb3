//! `emulate`: the legs of a sign-in at Google and at Microsoft. Its consent is a plain form, so that no browser is needed.

use reqwest::Url;
use sextant_connectors::oauth::OAuthAddresses;

use super::node_peer::{self, NodePeer};
use super::{plain_http, ports};

/// Who signs in.
pub const PERSON: &str = "op@example.org";
/// What the operator has registered.
pub const CLIENT_ID: &str = "sextant";
pub const CLIENT_SECRET: &str = "seeded-client-secret";

/// The port of the Console.
const CONSOLE: u16 = 8787;
const SCRIPT: &str = "node_modules/emulate/dist/index.js";

/// One of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emulated {
    Google,
    Microsoft,
}

/// Both, running. They end with the test.
pub struct Emulate {
    port: u16,
    _peer: NodePeer,
    _folder: tempfile::TempDir,
}

impl Emulated {
    pub const BOTH: [Self; 2] = [Self::Google, Self::Microsoft];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Google => "google",
            Self::Microsoft => "microsoft",
        }
    }

    /// The address that is registered for the return.
    pub fn redirect_uri(self) -> String {
        self.redirect_uri_to(CONSOLE)
    }

    /// The same for a Console on another port.
    fn redirect_uri_to(self, console: u16) -> String {
        format!("http://localhost:{console}/oauth/{}/callback", self.name())
    }

    fn seed(self, console: u16) -> String {
        format!(
            "{}:\n  users: [{{email: {PERSON}, name: Op}}]\n  oauth_clients:\n    - client_id: {CLIENT_ID}\n      \
             client_secret: {CLIENT_SECRET}\n      name: Sextant\n      redirect_uris: ['{}']\n",
            self.name(),
            self.redirect_uri_to(console)
        )
    }
}

impl Emulate {
    /// Starts both with one person and one registered app; `None` where it is not installed.
    pub async fn start_if_installed(test: &str) -> Option<Self> {
        Self::start_for(test, CONSOLE).await
    }

    /// The same for a Console on another port.
    pub async fn start_for(test: &str, console: u16) -> Option<Self> {
        if !node_peer::is_here(test) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let seed = folder.path().join("seed.yaml");
        let seeds = Emulated::BOTH.map(|each| each.seed(console));
        std::fs::write(&seed, seeds.concat()).unwrap();
        let port = two_ports();
        let arguments = [
            "start",
            "--service",
            "google,microsoft",
            "--port",
            &port.to_string(),
            "--seed",
            seed.to_str().unwrap(),
        ];
        let ready = |line: &str| (line.trim() == "Ready.").then_some(());
        let (peer, ()) = NodePeer::start(SCRIPT, &arguments, &[], ready).await;
        Some(Self {
            port,
            _peer: peer,
            _folder: folder,
        })
    }

    /// Where the legs of a sign-in are.
    pub fn addresses(&self, which: Emulated) -> OAuthAddresses {
        let (port, authorize, token, revoke) = match which {
            Emulated::Google => (
                self.port,
                "o/oauth2/v2/auth",
                "oauth2/token",
                "oauth2/revoke",
            ),
            Emulated::Microsoft => (
                self.port + 1,
                "oauth2/v2.0/authorize",
                "oauth2/v2.0/token",
                "oauth2/v2.0/revoke",
            ),
        };
        let address = |path| Url::parse(&format!("http://127.0.0.1:{port}/{path}")).unwrap();
        OAuthAddresses {
            authorize: address(authorize),
            token: address(token),
            revoke: Some(address(revoke)),
        }
    }
}

/// A port whose next is free too: the second service listens there.
fn two_ports() -> u16 {
    loop {
        let first = ports::unused();
        if ports::unused() == first + 1 {
            return first;
        }
    }
}

/// Goes to the page of `authorize`, consents there as [`PERSON`], to `scopes` alone if they are given, and returns the address
/// where the browser is sent.
pub async fn consent(authorize: &Url, scopes: Option<&str>) -> Url {
    let page = plain_http::get(authorize).await;
    assert_eq!(page.status, 200, "{}", page.body);
    let mut forms = page.body.split("<form ").skip(1);
    let own = format!("value=\"{PERSON}\"");
    let form = forms.find(|form| form.contains(&own)).unwrap();
    let mut fields: Vec<(String, String)> = form.split("<input ").skip(1).map(field).collect();
    for (name, value) in &mut fields {
        if let ("scope", Some(scopes)) = (name.as_str(), scopes) {
            scopes.clone_into(value);
        }
    }
    let action = authorize.join(&attribute(form, "action")).unwrap();
    // A query is written as a form is.
    let mut written = action.clone();
    written.query_pairs_mut().clear().extend_pairs(fields);
    let body = written.query().unwrap();
    let sent = plain_http::post(&action, "application/x-www-form-urlencoded", body).await;
    assert_eq!(sent.status, 302, "{}", sent.body);
    sent.location().unwrap()
}

fn field(input: &str) -> (String, String) {
    (attribute(input, "name"), attribute(input, "value"))
}

fn attribute(tag: &str, name: &str) -> String {
    let (_, after) = tag.split_once(&format!("{name}=\"")).unwrap();
    let (value, _) = after.split_once('"').unwrap();
    let written = [
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&amp;", "&"),
    ];
    written
        .iter()
        .fold(value.to_owned(), |text, (from, to)| text.replace(from, to))
}
