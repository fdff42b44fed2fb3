//! The legs of a sign-in at Google and Microsoft, as emulate has them.

use std::time::Duration;

use sextant_connectors::failure::FailureKind;
use sextant_connectors::oauth::{IssuedTokens, PkceVerifier, Scopes, TokenFailure};
use sextant_connectors::secret::SourceSecret;

use super::stage::{Client, refresh_token};
use crate::support::emulate::{CLIENT_ID, CLIENT_SECRET, Emulate, Emulated, PERSON, consent};

/// What is asked for at each.
const fn scopes_of(which: Emulated) -> &'static [&'static str] {
    match which {
        Emulated::Google => &[
            "openid",
            "email",
            "https://www.googleapis.com/auth/calendar.readonly",
            "https://www.googleapis.com/auth/contacts.readonly",
        ],
        Emulated::Microsoft => &[
            "Mail.Read",
            "Calendars.Read",
            "Contacts.Read",
            "offline_access",
        ],
    }
}

pub fn client(emulate: &Emulate, which: Emulated) -> Client {
    let app = (CLIENT_ID, CLIENT_SECRET);
    Client::new(emulate.addresses(which), app, which.redirect_uri())
}

/// A code to which the person consented, to `scopes` alone if they are given.
async fn consented(client: &Client, which: Emulated, scopes: Option<&str>) -> SourceSecret {
    let returned = consent(&client.authorize(scopes_of(which)), scopes).await;
    client.code(&returned)
}

pub async fn signed_in(client: &Client, which: Emulated) -> IssuedTokens {
    let code = consented(client, which, None).await;
    let issued = client.exchange(&code, Some(&client.verifier)).await;
    issued.unwrap()
}

fn assert_ended(issued: Result<IssuedTokens, TokenFailure>) {
    let Err(TokenFailure::Ended(failure)) = issued else {
        panic!("{issued:?}");
    };
    assert_eq!(failure.kind, FailureKind::SignInEnded);
    assert_eq!(failure.status, Some(400));
    assert!(
        failure
            .message
            .starts_with("the provider has ended this sign-in: invalid_grant"),
        "{failure}"
    );
}

#[tokio::test]
async fn a_consent_gives_what_was_asked_for() {
    let Some(emulate) = Emulate::start_if_installed("a_consent_gives").await else {
        return;
    };
    for which in Emulated::BOTH {
        let issued = signed_in(&client(&emulate, which), which).await;
        assert_eq!(issued.life, Duration::from_secs(3600), "{which:?}");
        assert!(issued.refresh_token.is_some(), "{which:?}");
        let asked: Scopes = scopes_of(which).iter().copied().collect();
        assert_eq!(issued.scopes, Some(asked), "{which:?}");
        assert_eq!(issued.claim("email"), Some(PERSON), "{which:?}");
    }
}

#[tokio::test]
async fn r129_a_narrower_consent_is_told_by_its_scopes() {
    let Some(emulate) = Emulate::start_if_installed("r129_narrower_consent").await else {
        return;
    };
    for (which, granted, has, has_not) in [
        (
            Emulated::Google,
            "https://www.googleapis.com/auth/contacts.readonly email",
            "https://www.googleapis.com/auth/contacts.readonly",
            "https://www.googleapis.com/auth/calendar.readonly",
        ),
        (
            Emulated::Microsoft,
            "https://graph.microsoft.com/calendars.read offline_access",
            "Calendars.Read",
            "Mail.Read",
        ),
    ] {
        let client = client(&emulate, which);
        let code = consented(&client, which, Some(granted)).await;
        let issued = client
            .exchange(&code, Some(&client.verifier))
            .await
            .unwrap();
        let scopes = issued.scopes.clone().unwrap();
        assert!(scopes.has(has) && !scopes.has(has_not), "{scopes:?}");
        // What is issued later says the same.
        let refreshed = client.refresh(&refresh_token(&issued)).await.unwrap();
        assert_eq!(refreshed.scopes, Some(scopes));
    }
}

#[tokio::test]
async fn a_code_is_worth_nothing_without_the_verifier_of_who_began() {
    let Some(emulate) = Emulate::start_if_installed("a_code_needs_its_verifier").await else {
        return;
    };
    for which in Emulated::BOTH {
        let client = client(&emulate, which);
        let code = consented(&client, which, None).await;
        let other = PkceVerifier::of_random([8; 32]);
        assert_ended(client.exchange(&code, Some(&other)).await);
        assert_ended(client.exchange(&code, None).await);
        client
            .exchange(&code, Some(&client.verifier))
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn a_code_serves_once() {
    let Some(emulate) = Emulate::start_if_installed("a_code_serves_once").await else {
        return;
    };
    for which in Emulated::BOTH {
        let client = client(&emulate, which);
        let code = consented(&client, which, None).await;
        client
            .exchange(&code, Some(&client.verifier))
            .await
            .unwrap();
        assert_ended(client.exchange(&code, Some(&client.verifier)).await);
    }
}

#[tokio::test]
async fn google_gives_no_other_refresh_token_and_the_first_serves_on() {
    let Some(emulate) = Emulate::start_if_installed("google_refreshes").await else {
        return;
    };
    let client = client(&emulate, Emulated::Google);
    let issued = signed_in(&client, Emulated::Google).await;
    let kept = refresh_token(&issued);
    let first = client.refresh(&kept).await.unwrap();
    let second = client.refresh(&kept).await.unwrap();
    for refreshed in [&first, &second] {
        assert_eq!(refreshed.refresh_token, None);
        assert_eq!(refreshed.scopes, issued.scopes);
    }
    assert_ne!(issued.access_token, first.access_token);
    assert_ne!(first.access_token, second.access_token);
}

#[tokio::test]
async fn microsoft_gives_another_refresh_token_and_the_first_is_spent() {
    let Some(emulate) = Emulate::start_if_installed("microsoft_refreshes").await else {
        return;
    };
    let client = client(&emulate, Emulated::Microsoft);
    let issued = signed_in(&client, Emulated::Microsoft).await;
    let refreshed = client.refresh(&refresh_token(&issued)).await.unwrap();
    assert_ne!(refreshed.refresh_token, issued.refresh_token);
    assert_ended(client.refresh(&refresh_token(&issued)).await);
    client.refresh(&refresh_token(&refreshed)).await.unwrap();
}

#[tokio::test]
async fn a_revoked_sign_in_has_ended() {
    let Some(emulate) = Emulate::start_if_installed("a_revoked_sign_in").await else {
        return;
    };
    for which in Emulated::BOTH {
        let client = client(&emulate, which);
        let token = refresh_token(&signed_in(&client, which).await);
        assert_eq!(client.revoke(&token).await, Ok(true), "{which:?}");
        assert_ended(client.refresh(&token).await);
    }
    let mut addresses = emulate.addresses(Emulated::Microsoft);
    addresses.revoke = None;
    let nowhere = Client::new(addresses, (CLIENT_ID, CLIENT_SECRET), String::new());
    assert_eq!(
        nowhere.revoke(&SourceSecret::new("seeded-token")).await,
        Ok(false)
    );
}

#[tokio::test]
async fn an_app_that_is_not_registered_so_is_blamed_and_not_the_sign_in() {
    let Some(emulate) = Emulate::start_if_installed("an_app_is_blamed").await else {
        return;
    };
    for which in Emulated::BOTH {
        let own = client(&emulate, which);
        let code = consented(&own, which, None).await;
        for app in [
            (CLIENT_ID, "another-client-secret"),
            ("another", CLIENT_SECRET),
        ] {
            let other = Client::new(emulate.addresses(which), app, which.redirect_uri());
            let failed = other.exchange(&code, Some(&own.verifier)).await;
            let Err(TokenFailure::Passing(failure)) = failed else {
                panic!("{which:?}: {failed:?}");
            };
            assert_eq!(failure.kind, FailureKind::Rejected, "{which:?}");
            assert!(
                failure.message.contains("Settings, Provider apps"),
                "{failure}"
            );
        }
        // Nothing is spent by it.
        own.exchange(&code, Some(&own.verifier)).await.unwrap();
    }
}
