//! The providers at which a person consents: what is asked of them, whose account it is, how it ends.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use reqwest::Url;
use sextant_connectors::bearer::AccessTokens;
use sextant_connectors::failure::{FailureKind, SourceFailure};
use sextant_connectors::guard::{Diversions, Domain};
use sextant_connectors::oauth::{
    AuthorizationRequest, ClientApp, IssuedTokens, RefreshUse, Scopes,
};
use sextant_connectors::provider::{ConsentedProvider, ReturnWay, Source};
use sextant_connectors::providers::{self, SignInLegs, WayOut};
use sextant_connectors::secret::SourceSecret;

use crate::support::certificates::{self, Certificates, LOOPBACK};
use crate::support::sink::Sink;

/// One token, which is all there is.
#[derive(Default)]
struct OneToken(Mutex<u32>);

#[async_trait]
impl AccessTokens for OneToken {
    async fn access_token(&self) -> Result<SourceSecret, SourceFailure> {
        Ok(SourceSecret::new("the-token"))
    }

    async fn replace(&self, _refused: &SourceSecret) -> Result<SourceSecret, SourceFailure> {
        *self.0.lock().unwrap() += 1;
        Err(SourceFailure::new(FailureKind::SignInEnded, "over"))
    }
}

fn tokens() -> Arc<dyn AccessTokens> {
    Arc::new(OneToken::default())
}

fn provider(id: &str, way_out: &WayOut) -> Box<dyn ConsentedProvider> {
    let all = providers::consented(|_| way_out.clone()).unwrap();
    all.into_iter().find(|one| one.id() == id).unwrap()
}

fn own(id: &str) -> Box<dyn ConsentedProvider> {
    provider(id, &WayOut::default())
}

/// Every name of the providers, led to one server.
struct World {
    certificates: Certificates,
    _folder: tempfile::TempDir,
}

impl World {
    fn new(test: &str) -> Option<Self> {
        certificates::can_be_made(test).then(|| {
            let folder = tempfile::tempdir().unwrap();
            let names = format!(
                "{LOOPBACK},DNS:*.googleapis.com,DNS:api.prod.whoop.com,DNS:graph.microsoft.com"
            );
            Self {
                certificates: certificates::make(folder.path(), &names),
                _folder: folder,
            }
        })
    }

    async fn server(&self, answers: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Sink {
        let own = &self.certificates;
        Sink::start(Some((&own.server, &own.server_key)), answers).await
    }

    fn way_out(&self, server: &Sink) -> WayOut {
        let names = [
            "*.googleapis.com",
            "api.prod.whoop.com",
            "graph.microsoft.com",
        ];
        let led = names.map(|name| (Domain::parse(name).unwrap(), server.address));
        let authority = std::fs::read_to_string(&self.certificates.authority).unwrap();
        WayOut {
            diversions: Diversions::new(led),
            authorities: Some(authority),
            ..WayOut::default()
        }
    }
}

fn answer(status: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
        .into_bytes()
}

/// The sectors that are open when so much was granted.
fn opened(id: &str, granted: &str) -> Vec<&'static str> {
    let (provider, granted) = (own(id), Scopes::parse(granted));
    let sectors = provider.sectors().iter().copied();
    let terms = provider.terms();
    sectors
        .filter(|sector| terms.opens(&granted, sector))
        .collect()
}

#[test]
fn r121_microsoft_is_asked_for_exactly_four_scopes() {
    assert_eq!(
        own("microsoft").terms().asked(),
        [
            "Mail.Read",
            "Calendars.Read",
            "Contacts.Read",
            "offline_access"
        ]
    );
}

#[test]
fn r120_r121_r122_r129_what_was_granted_decides_which_sectors_are_open() {
    let calendar = "https://www.googleapis.com/auth/calendar.readonly";
    let contacts = "https://www.googleapis.com/auth/contacts.readonly";
    let graph = "https://graph.microsoft.com/";
    for (id, granted, expected) in [
        (
            "google",
            format!("openid {calendar} {contacts}"),
            &["calendar", "contacts"][..],
        ),
        ("google", format!("{contacts} email"), &["contacts"]),
        ("google", "openid email".to_owned(), &[]),
        (
            "microsoft",
            format!("{graph}contacts.read {graph}Mail.Read"),
            &["mail", "contacts"],
        ),
        ("microsoft", "offline_access".to_owned(), &[]),
        ("whoop", "read:sleep offline".to_owned(), &["health"]),
        ("whoop", "read:workout".to_owned(), &["health"]),
        ("whoop", "read:recovery".to_owned(), &["health"]),
        ("whoop", "read:cycles read:profile offline".to_owned(), &[]),
    ] {
        assert_eq!(opened(id, &granted), expected, "{id}: {granted}");
    }
}

#[test]
fn what_was_not_granted_is_named_with_the_way_to_add_it() {
    let provider = own("whoop");
    let terms = provider.terms();
    let granted = Scopes::parse("read:sleep offline");
    let missing: Vec<_> = terms.missing(&granted).map(|one| one.title).collect();
    assert_eq!(missing, ["Recoveries", "Workouts"]);
    for provider in providers::consented(|_| WayOut::default()).unwrap() {
        assert!(provider.terms().add_hint.contains("Sign in again"));
        assert!(provider.revocation().ends_with('.'));
    }
}

#[test]
fn each_providers_tokens_behave_as_its_documents_say() {
    for (id, refresh, return_way, challenge) in [
        ("google", RefreshUse::Repeated, ReturnWay::Callback, true),
        ("microsoft", RefreshUse::Once, ReturnWay::Callback, true),
        ("whoop", RefreshUse::Once, ReturnWay::PastedAddress, false),
    ] {
        let provider = own(id);
        let terms = provider.terms();
        assert_eq!(
            (terms.refresh, terms.return_way),
            (refresh, return_way),
            "{id}"
        );
        assert_eq!(terms.takes_challenge, challenge, "{id}");
    }
}

#[test]
fn the_browser_is_sent_to_the_provider_unless_the_settings_say_otherwise() {
    let address = |provider: &dyn ConsentedProvider| {
        let terms = provider.terms();
        AuthorizationRequest {
            addresses: provider.addresses(),
            client_id: "client",
            redirect_uri: "http://localhost:8787/oauth/google/callback",
            scopes: &terms.asked(),
            state: "state",
            challenge: None,
            besides: terms.besides,
        }
        .to_url()
    };
    let own = address(own("google").as_ref());
    assert_eq!(own.host_str(), Some("accounts.google.com"));
    assert!(
        own.query()
            .unwrap()
            .contains("access_type=offline&prompt=consent")
    );
    let set = WayOut {
        legs: SignInLegs {
            authorize: Some(Url::parse("http://127.0.0.1:9/auth").unwrap()),
            ..SignInLegs::default()
        },
        ..WayOut::default()
    };
    let set = provider("google", &set);
    assert_eq!(address(set.as_ref()).host_str(), Some("127.0.0.1"));
    assert_eq!(
        set.addresses().token.host_str(),
        Some("oauth2.googleapis.com")
    );
}

#[tokio::test]
async fn a_token_endpoint_without_tls_must_be_set_and_lie_in_the_own_network() {
    let app = ClientApp {
        id: "client".to_owned(),
        secret: SourceSecret::new("word"),
    };
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
        endpoint.refresh(&app, &SourceSecret::new("r"), None).await
    };
    let server = Sink::start(None, |_| answer("200 OK", r#"{"access_token":"a"}"#)).await;
    let own = format!("http://{}/token", server.address);
    assert_eq!(refresh(&own).await.unwrap().access_token.reveal(), "a");
    let refused = refresh("http://93.184.215.14/token").await.unwrap_err();
    let failure = refused.failure();
    assert!(failure.is_unsent, "{failure}");
    assert_eq!(server.received().len(), 1);
}

#[tokio::test]
async fn google_names_the_account_in_its_id_token_and_ends_a_consent_by_its_refresh_token() {
    let Some(world) = World::new("google_account") else {
        return;
    };
    // {"email":"Op@Example.org"}
    let body = r#"{"access_token":"a","id_token":"e30.eyJlbWFpbCI6Ik9wQEV4YW1wbGUub3JnIn0.e30"}"#;
    let server = world.server(move |_| answer("200 OK", body)).await;
    let google = provider("google", &world.way_out(&server));
    let app = ClientApp {
        id: "client".to_owned(),
        secret: SourceSecret::new("word"),
    };
    let endpoint = google.token_endpoint().unwrap();
    let code = SourceSecret::new("code");
    let issued = endpoint
        .exchange(&app, &code, "http://localhost/", None)
        .await;
    let account = google.account(&issued.unwrap(), tokens()).await;
    assert_eq!(account.unwrap(), "op@example.org");
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
    let Some(world) = World::new("whoop_account") else {
        return;
    };
    let server = world
        .server(|request| match request.starts_with("DELETE") {
            true => answer("204 No Content", ""),
            false => answer(
                "200 OK",
                r#"{"user_id":10129,"email":"op@example.org","first_name":"O","last_name":"P"}"#,
            ),
        })
        .await;
    let whoop = provider("whoop", &world.way_out(&server));
    let issued = IssuedTokens::of_access_token(SourceSecret::new("the-token"));
    let account = whoop.account(&issued, tokens()).await.unwrap();
    assert!(
        account.contains("10129") || account.contains("op@example.org"),
        "{account}"
    );
    assert_eq!(
        whoop.revoke(&SourceSecret::new("r"), tokens()).await,
        Ok(true)
    );
    let received = server.received();
    assert!(
        received
            .iter()
            .all(|request| request.contains("Bearer the-token"))
    );
    assert!(received[1].starts_with("DELETE /developer/v2/user/access "));
}

#[tokio::test]
async fn microsoft_has_no_place_where_a_consent_is_ended() {
    let microsoft = own("microsoft");
    let ended = microsoft.revoke(&SourceSecret::new("r"), tokens()).await;
    assert_eq!(ended, Ok(false));
    assert!(microsoft.revocation().contains("myapps.microsoft.com"));
}

#[tokio::test]
async fn a_source_whose_token_is_refused_and_cannot_be_replaced_says_that_the_sign_in_ended() {
    let Some(world) = World::new("refused_token") else {
        return;
    };
    let server = world.server(|_| answer("401 Unauthorized", "{}")).await;
    let way_out = world.way_out(&server);
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
        }
        let other = provider.source("finance", &granted, tokens());
        assert!(other.is_err_and(|failure| failure.kind == FailureKind::NotFound));
    }
}
