//! What each provider asks of the person, and how what comes of it behaves.

use reqwest::Url;
use sextant_connectors::oauth::{AuthorizationRequest, RefreshUse, Scopes};
use sextant_connectors::provider::{ConsentedProvider, ReturnWay};
use sextant_connectors::providers::{self, SignInLegs, WayOut};

use super::provider;

fn own(id: &str) -> Box<dyn ConsentedProvider> {
    provider(id, &WayOut::default())
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
    // The usual cause of a sign-in at Google that ended by itself.
    let hint = own("google").terms().ended_hint;
    assert!(
        hint.contains("seven days") && hint.contains("Testing"),
        "{hint}"
    );
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
