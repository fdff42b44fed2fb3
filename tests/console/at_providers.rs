//! Providers at which a person signs in: where they consent, what they have there, and the settings by which the service asks there.

use std::path::Path;

use serde_json::json;
use sextant_actors::clock::{Clock as _, SystemClock};
use sextant_connectors::oauth::OAuthAddresses;

use crate::harness::Browser;
use crate::support::certificates::{self, Certificates, LOOPBACK};
use crate::support::emulate::{self, Emulate, Emulated, PERSON};
use crate::support::ports;
use crate::support::service::Setup;
use crate::support::single_use::SingleUseServer;
use crate::support::stand_ins::enable_banking::{self, Aggregator};
use crate::support::stand_ins::google::Google;
use crate::support::stand_ins::graph::Graph;
use crate::support::stand_ins::served::Served;
use crate::support::stand_ins::simplefin::{self, Bridge};
use crate::support::stand_ins::whoop::Whoop;
use crate::support::stand_ins::{Account, StandIn};

/// What the operator has registered, at each of them.
pub const CLIENT_ID: &str = emulate::CLIENT_ID;
pub const CLIENT_SECRET: &str = emulate::CLIENT_SECRET;

/// A provider with the account of one person. It ends with the test.
pub struct AtProvider<A, S> {
    /// What the person has there.
    pub account: StandIn<A>,
    /// Where they consent, and tokens are issued.
    pub sign_ins: S,
    _data: Served,
}

pub type AtGoogle = AtProvider<Google, Emulate>;
pub type AtMicrosoft = AtProvider<Graph, Emulate>;
pub type AtWhoop = AtProvider<Whoop, SingleUseServer>;
/// Nobody signs in there: a token is pasted.
pub type AtBridge = AtProvider<Bridge, ()>;
/// One consents at the bank.
pub type AtAggregator = AtProvider<Aggregator, ()>;

/// A service that signs in at Google.
pub async fn google(test: &str, home: &Path, setup: Setup) -> Option<(Setup, AtGoogle)> {
    let hosts = ["www.googleapis.com", "people.googleapis.com"];
    at_emulated(
        test,
        home,
        setup,
        Emulated::Google,
        Google::default(),
        &hosts,
    )
    .await
}

/// A service that signs in at Microsoft.
pub async fn microsoft(test: &str, home: &Path, setup: Setup) -> Option<(Setup, AtMicrosoft)> {
    let hosts = ["graph.microsoft.com"];
    at_emulated(
        test,
        home,
        setup,
        Emulated::Microsoft,
        Graph::default(),
        &hosts,
    )
    .await
}

/// A service that signs in at WHOOP.
pub async fn whoop(test: &str, home: &Path, setup: Setup) -> Option<(Setup, AtWhoop)> {
    let sign_ins = SingleUseServer::start_if_installed(test).await?;
    let account = StandIn::new(Whoop::new(SystemClock.now()));
    let legs = sign_ins.addresses();
    let led = lead(
        test,
        home,
        "whoop",
        Some(&legs),
        (&account, &["api.prod.whoop.com"]),
    )
    .await?;
    let there = AtProvider {
        account,
        sign_ins,
        _data: led,
    };
    Some((setup, there))
}

/// A service that reads banks at a bridge.
pub async fn bridge(test: &str, home: &Path, setup: Setup) -> Option<(Setup, AtBridge)> {
    let account = StandIn::new(Bridge::new(SystemClock.now()));
    let data = lead(
        test,
        home,
        "simplefin",
        None,
        (&account, &[simplefin::HOST]),
    )
    .await?;
    let there = AtProvider {
        account,
        sign_ins: (),
        _data: data,
    };
    Some((setup, there))
}

/// A service that links banks at an aggregator, where a person consents at a page of the bank.
pub async fn aggregator(test: &str, home: &Path, setup: Setup) -> Option<(Setup, AtAggregator)> {
    let console = ports::unused();
    let account = StandIn::new(Aggregator::new(SystemClock.now()));
    let hosts = [enable_banking::HOST];
    let data = lead(test, home, "bank_app", None, (&account, &hosts)).await?;
    {
        let mut state = account.state();
        state.bank_page = format!("https://{}/consent", data.address);
        state.redirects = vec![format!(
            "http://localhost:{console}/oauth/bank_app/callback"
        )];
    }
    let there = AtProvider {
        account,
        sign_ins: (),
        _data: data,
    };
    Some((setup.env("REST_PORT", &console.to_string()), there))
}

/// Who compares the address of the return letter by letter is told the Console's port, which is chosen before both start.
async fn at_emulated<A: Account>(
    test: &str,
    home: &Path,
    setup: Setup,
    which: Emulated,
    account: A,
    hosts: &[&str],
) -> Option<(Setup, AtProvider<A, Emulate>)> {
    let console = ports::unused();
    let sign_ins = Emulate::start_for(test, console).await?;
    let account = StandIn::new(account);
    let legs = sign_ins.addresses(which);
    let led = lead(test, home, which.name(), Some(&legs), (&account, hosts)).await?;
    let there = AtProvider {
        account,
        sign_ins,
        _data: led,
    };
    Some((setup.env("REST_PORT", &console.to_string()), there))
}

/// Serves an account under the provider's names, and leads the service there.
async fn lead<A: Account>(
    test: &str,
    home: &Path,
    provider: &str,
    legs: Option<&OAuthAddresses>,
    (account, hosts): (&StandIn<A>, &[&str]),
) -> Option<Served> {
    if !certificates::can_be_made(test) {
        return None;
    }
    let folder = home.join("certificates");
    std::fs::create_dir(&folder).unwrap();
    let names: String = hosts.iter().map(|host| format!(",DNS:{host}")).collect();
    let certificates = certificates::make(&folder, &format!("{LOOPBACK}{names}"));
    let own = (&*certificates.server, &*certificates.server_key);
    let served = account.serve(test, Some(own)).await;
    let settings = settings(provider, legs, hosts, &served, &certificates);
    std::fs::write(home.join("config.toml"), settings).unwrap();
    Some(served)
}

fn settings(
    provider: &str,
    legs: Option<&OAuthAddresses>,
    hosts: &[&str],
    served: &Served,
    certificates: &Certificates,
) -> String {
    let leg = |name: &str, url: &str| format!("{name} = \"{url}\"\n");
    let legs = legs.map_or_else(String::new, |legs| {
        let revoke = legs.revoke.as_ref();
        let revoke = revoke.map_or_else(String::new, |url| leg("revoke", url.as_str()));
        let authorize = leg("authorize", legs.authorize.as_str());
        format!("{authorize}{}{revoke}", leg("token", legs.token.as_str()))
    });
    let hosts = hosts.iter();
    let hosts: String = hosts
        .map(|host| format!("\"{host}\" = \"{}\"\n", served.address))
        .collect();
    format!(
        "[providers.{provider}]\nca_file = \"{}\"\n{legs}[providers.{provider}.hosts]\n{hosts}",
        certificates.authority.display(),
    )
}

/// Enters the app on the page that asks for it.
pub async fn enter_app(page: &Browser) {
    page.field("Client id").fill(CLIENT_ID).await;
    page.field("Client secret").fill(CLIENT_SECRET).await;
    page.button("Save app").click().await;
}

/// Consents on the provider's own page, to these scopes alone if they are given.
pub async fn consent(page: &Browser, scopes: Option<&str>) {
    page.shows(PERSON).await;
    if let Some(scopes) = scopes {
        let untick = "for (const field of document.querySelectorAll('input[name=scope]')) field.value = arguments[0]";
        page.run(untick, vec![json!(scopes)]).await;
    }
    page.button(PERSON).click().await;
}

/// Whether a text is in the page, its fields, its address or its stores.
pub async fn holds(page: &Browser, text: &str) -> bool {
    let script = "const [text] = arguments; \
        const fields = [...document.querySelectorAll('input, textarea')].map((field) => field.value); \
        return [document.documentElement.outerHTML, ...fields, location.href, JSON.stringify(history.state), \
            JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })].join(' ').includes(text)";
    page.run(script, vec![json!(text)]).await == json!(true)
}
