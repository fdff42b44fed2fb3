//! The providers as they are reached: whose account it is, what a sign-in that has ended says, and how a consent is ended.

use std::sync::Arc;

use chrono::DateTime;
use reqwest::Url;
use serde_json::json;
use sextant_connectors::bearer::AccessTokens;
use sextant_connectors::failure::FailureKind;
use sextant_connectors::guard::{Diversions, Domain};
use sextant_connectors::oauth::{ClientApp, IssuedTokens, Scopes};
use sextant_connectors::provider::{ConsentedAccount, Source};
use sextant_connectors::providers::{self, SignInLegs, WayOut};
use sextant_connectors::secret::SourceSecret;

use super::provider;
use crate::support::certificates::{self, Certificates, LOOPBACK};
use crate::support::sink::Sink;
use crate::support::stand_ins::google::Google;
use crate::support::stand_ins::graph::Graph;
use crate::support::stand_ins::served::Served;
use crate::support::stand_ins::whoop::Whoop;
use crate::support::stand_ins::wire::raw;
use crate::support::stand_ins::{Account, StandIn};
use crate::support::tokens::Tokens;

/// Names of the providers, and who has them.
const NAMES: [&str; 4] = [
    "oauth2.googleapis.com",
    "*.googleapis.com",
    "graph.microsoft.com",
    "api.prod.whoop.com",
];

/// The certificate of all names.
struct World {
    certificates: Certificates,
    _folder: tempfile::TempDir,
}

impl World {
    fn new(test: &str) -> Option<Self> {
        certificates::can_be_made(test).then(|| {
            let folder = tempfile::tempdir().unwrap();
            let names: String = NAMES.iter().map(|name| format!(",DNS:{name}")).collect();
            Self {
                certificates: certificates::make(folder.path(), &format!("{LOOPBACK}{names}")),
                _folder: folder,
            }
        })
    }

    async fn sink(&self, answers: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Sink {
        let own = &self.certificates;
        Sink::start(Some((&own.server, &own.server_key)), answers).await
    }

    async fn serve<A: Account>(&self, test: &str, account: &StandIn<A>) -> Served {
        let own = &self.certificates;
        let certificate = (&*own.server, &*own.server_key);
        account.serve(test, Some(certificate)).await
    }

    /// Each name led to a server.
    fn way_out(&self, led: &[(&str, std::net::SocketAddr)]) -> WayOut {
        let led = led.iter();
        let led = led.map(|(name, to)| (Domain::parse(name).unwrap(), *to));
        let authority = std::fs::read_to_string(&self.certificates.authority).unwrap();
        WayOut {
            diversions: Diversions::new(led),
            authorities: Some(authority),
            ..WayOut::default()
        }
    }
}

fn tokens() -> Arc<dyn AccessTokens> {
    Arc::new(Tokens::new("the-token"))
}

fn issued() -> IssuedTokens {
    IssuedTokens::of_access_token(SourceSecret::new("the-token"))
}

fn app() -> ClientApp {
    ClientApp {
        id: "client".to_owned(),
        secret: SourceSecret::new("word"),
    }
}

#[tokio::test]
async fn a_token_endpoint_without_tls_must_be_set_and_lie_in_the_own_network() {
    let refresh = async |token: &str| {
        let legs = SignInLegs {
            token: Some(Url::parse(token).unwrap()),
            ..SignInLegs::default()
        };
        let way_out = WayOut {
            legs,
            ..WayOut::default()
        };
        let endpoint = provider("google", &way_out).token_endpoint().unwrap();
        endpoint
            .refresh(&app(), &SourceSecret::new("r"), None)
            .await
    };
    let server = Sink::start(None, |_| raw(200, "", r#"{"access_token":"a"}"#)).await;
    let own = format!("http://{}/token", server.address);
    assert_eq!(refresh(&own).await.unwrap().access_token.reveal(), "a");
    let refused = refresh("http://93.184.215.14/token").await.unwrap_err();
    let failure = refused.failure();
    assert!(failure.is_unsent, "{failure}");
    assert_eq!(server.received().len(), 1);
}

fn known_as(identity: &str, name: &str) -> ConsentedAccount {
    ConsentedAccount {
        identity: identity.to_owned(),
        name: name.to_owned(),
    }
}

#[tokio::test]
async fn google_names_the_account_in_its_id_token_and_ends_a_consent_by_its_refresh_token() {
    let Some(world) = World::new("google_account") else {
        return;
    };
    // {"email":"Op@Example.org"}
    let body = r#"{"access_token":"a","id_token":"e30.eyJlbWFpbCI6Ik9wQEV4YW1wbGUub3JnIn0.e30"}"#;
    let server = world.sink(move |_| raw(200, "", body)).await;
    let google = provider("google", &world.way_out(&[(NAMES[0], server.address)]));
    let endpoint = google.token_endpoint().unwrap();
    let (app, code) = (app(), SourceSecret::new("code"));
    let exchanged = endpoint.exchange(&app, &code, "http://localhost/", None);
    let account = google.account(&exchanged.await.unwrap(), tokens()).await;
    assert_eq!(
        account.unwrap(),
        known_as("op@example.org", "op@example.org")
    );
    // Without an id token nobody knows whose it is.
    let unnamed = google.account(&issued(), tokens()).await.unwrap_err();
    assert_eq!(unnamed.kind, FailureKind::Malformed);
    let ended = google.revoke(&SourceSecret::new("r 1"), tokens()).await;
    assert_eq!(ended, Ok(true));
    let [exchanged, revoked] = &server.received()[..] else {
        panic!("two requests");
    };
    assert!(exchanged.starts_with("POST /token "), "{exchanged}");
    assert!(exchanged.contains("grant_type=authorization_code&code=code"));
    assert!(revoked.starts_with("POST /revoke ") && revoked.ends_with("token=r+1"));
}

#[tokio::test]
async fn whoop_is_asked_who_signed_in_and_ends_a_consent_by_its_access_token() {
    let test = "whoop_account";
    let Some(world) = World::new(test) else {
        return;
    };
    let account = StandIn::new(Whoop::new(DateTime::UNIX_EPOCH));
    let served = world.serve(test, &account).await;
    let whoop = provider("whoop", &world.way_out(&[(NAMES[3], served.address)]));
    let named = whoop.account(&issued(), tokens()).await.unwrap();
    assert_eq!(named, known_as("10129", "jsmith123@whoop.test"));
    let spent = SourceSecret::new("r");
    assert_eq!(whoop.revoke(&spent, tokens()).await, Ok(true));
    assert!(account.state().is_revoked);
    // What has ended already cannot be ended again, and says so.
    let failure = whoop.revoke(&spent, tokens()).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::SignInEnded);
}

#[tokio::test]
async fn microsoft_names_the_account_by_what_may_be_seen_and_has_no_place_to_end_a_consent() {
    let test = "microsoft_account";
    let Some(world) = World::new(test) else {
        return;
    };
    let account = StandIn::new(Graph::default());
    let served = world.serve(test, &account).await;
    let microsoft = provider("microsoft", &world.way_out(&[(NAMES[2], served.address)]));
    let unnamed = microsoft.account(&issued(), tokens()).await.unwrap_err();
    assert_eq!(unnamed.kind, FailureKind::Malformed);
    let owner = json!({"id": "c", "owner": {"name": "Ann", "address": "Ann@Example.com"}});
    let inbox = json!({"id": "in-1"});
    let unnamed = known_as("in-1", "Microsoft account");
    let named = known_as("ann@example.com", "ann@example.com");
    for (path, single, expected) in [
        ("mailFolders/inbox", inbox, unnamed),
        ("calendar", owner, named),
    ] {
        account.state().singles.insert(path.to_owned(), single);
        let told = microsoft.account(&issued(), tokens()).await;
        assert_eq!(told.unwrap(), expected);
    }
    let ended = microsoft.revoke(&SourceSecret::new("r"), tokens()).await;
    assert_eq!(ended, Ok(false));
    assert!(microsoft.revocation().contains("myapps.microsoft.com"));
}

#[tokio::test]
async fn a_source_whose_token_is_refused_and_cannot_be_replaced_says_so() {
    let test = "a_refused_token_of_each";
    let Some(world) = World::new(test) else {
        return;
    };
    let google = StandIn::new(Google::default());
    let graph = StandIn::new(Graph::default());
    let whoop = StandIn::new(Whoop::new(DateTime::UNIX_EPOCH));
    google.state().bearers.end();
    graph.state().bearers.end();
    whoop.state().bearers.end();
    let served = [
        world.serve(test, &google).await,
        world.serve(test, &graph).await,
        world.serve(test, &whoop).await,
    ];
    let led: Vec<_> = NAMES[1..]
        .iter()
        .copied()
        .zip(served.iter().map(|one| one.address))
        .collect();
    let way_out = world.way_out(&led);
    for provider in providers::consented(|_| way_out.clone()).unwrap() {
        let granted: Scopes = provider.terms().asked().into_iter().collect();
        for sector in provider.sectors() {
            let source = provider.source(sector, &granted, tokens()).unwrap();
            let Source::Rounds(feed) = source else {
                panic!("it is read in rounds");
            };
            let failure = feed.check().await.unwrap_err();
            assert_eq!(
                failure.kind,
                FailureKind::SignInEnded,
                "{sector}: {failure}"
            );
            assert!(!format!("{failure:?}").contains("the-token"), "{failure:?}");
        }
        let other = provider.source("finance", &granted, tokens());
        assert!(other.is_err_and(|failure| failure.kind == FailureKind::NotFound));
    }
}
