//! Refresh tokens that serve once, and all that can become of a request: what follows is decided by whether what was sent may be
//! spent. No request is ever repeated, whatever becomes of it: the server counts.

use std::time::{Duration, UNIX_EPOCH};

use reqwest::Url;
use serde_json::json;
use sextant_connectors::failure::{FailureKind, RetryAfter};
use sextant_connectors::oauth::{IssuedTokens, PkceVerifier, Scopes, TokenFailure};
use sextant_connectors::secret::SourceSecret;

use super::stage::{Client, assert_untold, refresh_token};
use crate::support::plain_http;
use crate::support::ports;
use crate::support::single_use::{CLIENT_ID, CLIENT_SECRET, SingleUseServer};
use crate::support::sink::Sink;

const RETURN: &str = "http://localhost:8787/oauth/whoop/callback";

pub fn client_of(server: &SingleUseServer) -> Client {
    let app = (CLIENT_ID, CLIENT_SECRET);
    Client::new(server.addresses(), app, RETURN.to_owned())
}

async fn consented(client: &Client) -> SourceSecret {
    let page = client.authorize(&["offline", "read:cycles"]);
    let returned = plain_http::get(&page).await.location().unwrap();
    client.code(&returned)
}

pub async fn signed_in(client: &Client) -> IssuedTokens {
    let code = consented(client).await;
    let issued = client.exchange(&code, Some(&client.verifier)).await;
    issued.unwrap()
}

/// What became of one request.
#[derive(Debug, PartialEq, Eq)]
enum Became {
    Ended,
    Unanswered,
    Opaque,
    Passing,
}

fn became(failed: &TokenFailure) -> Became {
    match failed {
        TokenFailure::Ended(_) => Became::Ended,
        TokenFailure::Unanswered(_) => Became::Unanswered,
        TokenFailure::Opaque(_) => Became::Opaque,
        TokenFailure::Passing(_) => Became::Passing,
    }
}

/// Sends a refresh token of a new sign-in once, the next answer being made to go wrong in this way, and returns what became of it.
async fn refresh_once(
    server: &SingleUseServer,
    state: &str,
) -> (SourceSecret, Result<IssuedTokens, TokenFailure>) {
    let client = client_of(server);
    let token = refresh_token(&signed_in(&client).await);
    let before = server.arrived("requests").await;
    server.tell_next(state).await;
    let refreshed = client.refresh(&token).await;
    assert_eq!(server.arrived("requests").await, before + 1, "{state}");
    (token, refreshed)
}

#[tokio::test]
async fn a_request_holds_what_the_standard_names_and_nothing_more() {
    let Some(server) = SingleUseServer::start_if_installed("fields_of_a_request").await else {
        return;
    };
    let client = client_of(&server);
    let issued = signed_in(&client).await;
    let exchanging = "client_id client_secret code code_verifier grant_type redirect_uri";
    assert_eq!(server.fields().await, exchanging);
    let issued = client.refresh(&refresh_token(&issued)).await.unwrap();
    let refreshing = "client_id client_secret grant_type refresh_token";
    assert_eq!(server.fields().await, refreshing);
    let token = refresh_token(&issued);
    client
        .refresh_asking(&token, Some("offline"))
        .await
        .unwrap();
    assert_eq!(server.fields().await, format!("{refreshing} scope"));
}

#[tokio::test]
async fn a_refresh_token_serves_once_and_a_spent_one_ends_the_family() {
    let Some(server) = SingleUseServer::start_if_installed("a_refresh_token_serves_once").await
    else {
        return;
    };
    let client = client_of(&server);
    let first = signed_in(&client).await;
    let second = client.refresh(&refresh_token(&first)).await.unwrap();
    let third = client.refresh(&refresh_token(&second)).await.unwrap();
    for spent in [&first, &third] {
        let failed = client.refresh(&refresh_token(spent)).await.unwrap_err();
        assert_eq!(became(&failed), Became::Ended);
        assert_eq!(failed.failure().kind, FailureKind::SignInEnded);
    }
    assert_eq!(server.arrived("requests").await, 5);
}

#[tokio::test]
async fn r129_what_is_granted_is_told_by_each_answer() {
    let Some(server) = SingleUseServer::start_if_installed("r129_each_answer").await else {
        return;
    };
    let client = client_of(&server);
    server.tell(json!({"scope": "offline read:recovery"})).await;
    let issued = signed_in(&client).await;
    assert_eq!(issued.scopes, Some(Scopes::parse("read:recovery offline")));
    server.tell(json!({"scope": "offline"})).await;
    let refreshed = client.refresh(&refresh_token(&issued)).await.unwrap();
    assert_eq!(refreshed.scopes, Some(Scopes::parse("offline")));
}

#[tokio::test]
async fn what_is_refused_before_anything_is_issued_has_spent_nothing() {
    let Some(server) = SingleUseServer::start_if_installed("refused_spends_nothing").await else {
        return;
    };
    for (state, expected, kind, status) in [
        ("broken", Became::Passing, FailureKind::Unavailable, 500),
        ("busy", Became::Passing, FailureKind::RateLimited, 429),
        ("opaque", Became::Opaque, FailureKind::Rejected, 400),
    ] {
        let (token, refreshed) = refresh_once(&server, state).await;
        let failed = refreshed.unwrap_err();
        assert_eq!(became(&failed), expected, "{state}");
        let failure = failed.failure();
        assert_eq!(
            (failure.kind, failure.status),
            (kind, Some(status)),
            "{state}"
        );
        assert_eq!(
            (failure.is_unsent, failure.retry_after),
            (false, None),
            "{state}"
        );
        client_of(&server).refresh(&token).await.unwrap();
    }
}

#[tokio::test]
async fn a_consent_that_was_ended_is_told_so() {
    let Some(server) = SingleUseServer::start_if_installed("a_consent_was_ended").await else {
        return;
    };
    let (_, refreshed) = refresh_once(&server, "ended").await;
    let failed = refreshed.unwrap_err();
    assert_eq!(became(&failed), Became::Ended);
    assert_eq!(
        failed.failure().message,
        "the provider has ended this sign-in: invalid_grant The consent was ended"
    );
}

#[tokio::test]
async fn the_words_of_each_provider_are_understood() {
    let Some(server) = SingleUseServer::start_if_installed("words_of_providers").await else {
        return;
    };
    let client = client_of(&server);
    let token = refresh_token(&signed_in(&client).await);
    let microsoft = "AADSTS700082: The refresh token has expired due to inactivity.";
    for (body, expected) in [
        (
            json!({"error": "invalid_grant", "error_description": null}),
            Became::Ended,
        ),
        (
            json!({"error": "interaction_required", "error_codes": [50076]}),
            Became::Ended,
        ),
        (
            json!({"error": "consent_required", "error_description": 7}),
            Became::Ended,
        ),
        (
            json!({"error": "invalid_request", "error_description": microsoft}),
            Became::Ended,
        ),
        (json!({"error": "unauthorized_client"}), Became::Passing),
        (json!({"error": "invalid_scope"}), Became::Opaque),
        (
            json!({"error": {"code": 400, "status": "INVALID_ARGUMENT"}}),
            Became::Opaque,
        ),
        (json!(["invalid_grant"]), Became::Opaque),
    ] {
        server.tell(json!({"next": "opaque", "body": body})).await;
        let failed = client.refresh(&token).await.unwrap_err();
        assert_eq!(became(&failed), expected, "{body}");
    }
    client.refresh(&token).await.unwrap();
}

/// [`Client`] looks at each failure for what was sent.
#[tokio::test]
async fn what_a_provider_repeats_of_a_request_is_told_nobody() {
    let Some(server) = SingleUseServer::start_if_installed("a_provider_repeats").await else {
        return;
    };
    let client = client_of(&server);
    let issued = signed_in(&client).await;
    for (status, expected) in [
        (400, Became::Opaque),
        (429, Became::Passing),
        (500, Became::Passing),
    ] {
        server
            .tell(json!({"next": "telling", "status": status}))
            .await;
        let failed = client.refresh(&refresh_token(&issued)).await.unwrap_err();
        assert_eq!(became(&failed), expected, "{status}");
        assert!(
            failed.failure().message.contains("not understood"),
            "{failed:?}"
        );
        server
            .tell(json!({"next": "telling", "status": status}))
            .await;
        let code = consented(&client).await;
        client
            .exchange(&code, Some(&client.verifier))
            .await
            .unwrap_err();
    }
}

#[tokio::test]
async fn a_provider_that_asks_for_patience_says_how_long() {
    let Some(server) = SingleUseServer::start_if_installed("a_provider_asks_for_patience").await
    else {
        return;
    };
    let client = client_of(&server);
    let token = refresh_token(&signed_in(&client).await);
    let date = UNIX_EPOCH + Duration::from_secs(784_111_777);
    for (header, expected) in [
        ("120", RetryAfter::Wait(Duration::from_secs(120))),
        ("Sun, 06 Nov 1994 08:49:37 GMT", RetryAfter::At(date)),
    ] {
        let busy = json!({"next": "busy", "retry_after": header});
        server.tell(busy).await;
        let failed = client.refresh(&token).await.unwrap_err();
        assert_eq!(became(&failed), Became::Passing);
        assert_eq!(failed.failure().retry_after, Some(expected));
    }
    assert_eq!(server.arrived("requests").await, 3);
    client.refresh(&token).await.unwrap();
}

/// The server has issued the next token, and nobody has it: whoever sends the first again, ends the sign-in.
#[tokio::test]
async fn an_answer_that_is_lost_on_the_way_has_perhaps_spent_what_was_sent() {
    let Some(server) = SingleUseServer::start_if_installed("an_answer_is_lost").await else {
        return;
    };
    for (state, kind) in [
        ("lost", FailureKind::Unavailable),
        ("cut", FailureKind::Unavailable),
        ("garbage", FailureKind::Malformed),
        ("form", FailureKind::Malformed),
        ("hollow", FailureKind::Malformed),
    ] {
        let (token, refreshed) = refresh_once(&server, state).await;
        let failed = refreshed.unwrap_err();
        assert_eq!(became(&failed), Became::Unanswered, "{state}");
        assert_eq!(
            (failed.failure().kind, failed.failure().is_unsent),
            (kind, false),
            "{state}"
        );
        assert_untold(
            &failed,
            &server.issued().await.each_ref().map(String::as_str),
        );
        let again = client_of(&server).refresh(&token).await.unwrap_err();
        assert_eq!(became(&again), Became::Ended, "{state}");
    }
}

/// A library may send a request again when the connection that it kept turns out to be closed: not one that has arrived.
#[tokio::test]
async fn a_request_that_a_kept_connection_lost_is_not_sent_again() {
    let Some(server) = SingleUseServer::start_if_installed("a_kept_connection_is_lost").await
    else {
        return;
    };
    let client = client_of(&server);
    let issued = signed_in(&client).await;
    assert_eq!(server.arrived("sockets").await, 1);
    let issued = client.refresh(&refresh_token(&issued)).await.unwrap();
    server.tell_next("lost").await;
    let failed = client.refresh(&refresh_token(&issued)).await.unwrap_err();
    assert_eq!(became(&failed), Became::Unanswered);
    assert_eq!(server.arrived("requests").await, 3);
    assert_eq!(
        server.arrived("sockets").await,
        1,
        "the connection was not kept"
    );
}

#[tokio::test]
async fn an_answer_that_never_comes_is_given_up_and_not_asked_for_again() {
    let Some(server) = SingleUseServer::start_if_installed("an_answer_never_comes").await else {
        return;
    };
    let client = client_of(&server);
    let issued = signed_in(&client).await;
    server.tell_next("silent").await;
    let token = refresh_token(&issued);
    let asking = tokio::spawn(async move { client.refresh(&token).await });
    server.wait_for_requests(2).await;
    let begun = tokio::time::Instant::now();
    tokio::time::pause();
    let failed = asking.await.unwrap().unwrap_err();
    tokio::time::resume();
    assert!(
        begun.elapsed() < Duration::from_secs(61),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(became(&failed), Became::Unanswered);
    assert_eq!(
        failed.failure().message,
        "the source did not answer in time"
    );
    assert_eq!(server.arrived("requests").await, 2);
}

#[tokio::test]
async fn a_request_that_found_nobody_has_spent_nothing() {
    let Some(server) = SingleUseServer::start_if_installed("a_request_found_nobody").await else {
        return;
    };
    let token = refresh_token(&signed_in(&client_of(&server)).await);
    let mut addresses = server.addresses();
    let nobody = Url::parse(&format!("http://127.0.0.1:{}/", ports::unused())).unwrap();
    addresses.token = nobody.clone();
    addresses.revoke = Some(nobody);
    let app = (CLIENT_ID, CLIENT_SECRET);
    let client = Client::new(addresses, app, RETURN.to_owned());
    let failed = client.refresh(&token).await.unwrap_err();
    assert_eq!(became(&failed), Became::Passing);
    assert_eq!(failed.failure().kind, FailureKind::Unavailable);
    assert!(failed.failure().is_unsent);
    assert!(client.revoke(&token).await.unwrap_err().is_unsent);
    client_of(&server).refresh(&token).await.unwrap();
}

#[tokio::test]
async fn a_secret_that_is_none_is_blamed_on_the_app_and_spends_nothing() {
    let Some(server) = SingleUseServer::start_if_installed("a_wrong_secret").await else {
        return;
    };
    let token = refresh_token(&signed_in(&client_of(&server)).await);
    let app = (CLIENT_ID, "another-client-secret");
    let other = Client::new(server.addresses(), app, RETURN.to_owned());
    let failed = other.refresh(&token).await.unwrap_err();
    assert_eq!(became(&failed), Became::Passing);
    assert_eq!(failed.failure().kind, FailureKind::Rejected);
    assert_eq!(failed.failure().status, Some(401));
    assert!(failed.failure().message.contains("Settings, Provider apps"));
    assert_eq!(server.arrived("requests").await, 2);
    client_of(&server).refresh(&token).await.unwrap();
}

#[tokio::test]
async fn a_code_with_the_verifier_of_another_gives_nothing() {
    let Some(server) = SingleUseServer::start_if_installed("another_verifier").await else {
        return;
    };
    let client = client_of(&server);
    let code = consented(&client).await;
    let other = PkceVerifier::of_random([8; 32]);
    let failed = client.exchange(&code, Some(&other)).await.unwrap_err();
    // This server has no word for it.
    assert_eq!(became(&failed), Became::Opaque);
    assert!(
        failed.failure().message.contains("code_verifier"),
        "{failed:?}"
    );
    assert_eq!(server.arrived("requests").await, 1);
}

#[tokio::test]
async fn a_redirect_leads_neither_the_secret_nor_the_token_to_another_host() {
    let Some(server) = SingleUseServer::start_if_installed("a_redirect_of_tokens").await else {
        return;
    };
    let sink = Sink::start(None, |_| b"HTTP/1.1 200 OK\r\n\r\n{}".to_vec()).await;
    let client = client_of(&server);
    let token = refresh_token(&signed_in(&client).await);
    for location in [
        format!("http://{}/token", sink.address),
        format!("http://localhost:{}/token", sink.address.port()),
        "http://token.example/".to_owned(),
    ] {
        server
            .tell(json!({"next": "elsewhere", "location": location}))
            .await;
        let failed = client.refresh(&token).await.unwrap_err();
        assert_eq!(
            failed.failure().kind,
            FailureKind::ForbiddenAddress,
            "{location}"
        );
        assert!(!failed.failure().is_unsent, "{location}");
    }
    assert_eq!(sink.received(), [""; 0]);
    assert_eq!(server.arrived("requests").await, 4);
    client.refresh(&token).await.unwrap();
}

#[tokio::test]
async fn a_revocation_that_fails_is_told_and_not_repeated() {
    let Some(server) = SingleUseServer::start_if_installed("a_revocation_fails").await else {
        return;
    };
    let client = client_of(&server);
    let token = refresh_token(&signed_in(&client).await);
    server.tell(json!({"revocation": 503})).await;
    let failure = client.revoke(&token).await.unwrap_err();
    assert_eq!(
        (failure.kind, failure.status),
        (FailureKind::Unavailable, Some(503))
    );
    server.tell(json!({"revocation": 200})).await;
    assert_eq!(client.revoke(&token).await, Ok(true));
    assert_eq!(server.arrived("revocations").await, 2);
    assert_untold(&failure, &[token.reveal()]);
}
