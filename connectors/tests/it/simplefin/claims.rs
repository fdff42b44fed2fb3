//! A setup token is claimed once, and nothing of it is sent where it does not belong.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sextant_connectors::provider::ExchangeError;

use super::World;
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::simplefin::{Bridge, PASSWORD, USER};
use crate::support::stand_ins::wire;

fn refusal(refused: ExchangeError) -> (String, String) {
    match refused {
        ExchangeError::Form(refusal) => (refusal.field, refusal.message),
        ExchangeError::Source(failure) => panic!("{failure}"),
    }
}

#[tokio::test]
async fn a_token_gives_an_access_and_a_second_time_nothing() {
    let Some(world) = World::new("a_token_gives_an_access").await else {
        return;
    };
    let credential = world.enter(&Bridge::setup_token()).await.unwrap();
    assert_eq!(credential.account, "bridge.simplefin.org");
    assert!(credential.sealed.reveal().contains(PASSWORD));
    for shown in [&credential.identity, &format!("{credential:?}")] {
        assert!(
            !shown.contains(PASSWORD) && !shown.contains(USER),
            "{shown}"
        );
    }
    let again = world.enter(&Bridge::setup_token()).await.unwrap_err();
    let (field, message) = refusal(again);
    assert_eq!(field, "token");
    assert!(
        message.contains("claimed before") && message.contains("disable it"),
        "{message}"
    );
    assert_eq!(world.bridge().claims, 2);
}

#[tokio::test]
async fn a_lost_answer_is_asked_for_once_more_and_then_explained() {
    let Some(world) = World::new("a_lost_answer_is_asked_for_once_more").await else {
        return;
    };
    world.bridge().faults.cut_off("/claim/");
    let (field, message) = refusal(world.enter(&Bridge::setup_token()).await.unwrap_err());
    assert_eq!(field, "token");
    assert!(message.contains("its first answer was lost"), "{message}");
    assert_eq!(world.bridge().claims, 2);
}

#[tokio::test]
async fn a_bridge_that_is_away_is_no_claimed_token() {
    let Some(world) = World::new("a_bridge_that_is_away").await else {
        return;
    };
    let away = |_: &str| wire::raw(503, "", "");
    world.bridge().faults.once("/claim/", Law::Kept, away);
    let failure = match world.enter(&Bridge::setup_token()).await.unwrap_err() {
        ExchangeError::Source(failure) => failure,
        ExchangeError::Form(refusal) => panic!("{refusal}"),
    };
    assert_eq!(failure.status, Some(503));
    world.enter(&Bridge::setup_token()).await.unwrap();
}

#[tokio::test]
async fn a_token_or_an_access_that_leads_elsewhere_is_refused() {
    let Some(world) = World::new("a_token_that_leads_elsewhere").await else {
        return;
    };
    for address in [
        "https://bank.test/claim/demo",
        "http://bridge.simplefin.org/simplefin/claim/demo",
        "https://bridge.simplefin.org:8443/simplefin/claim/demo",
        "https://127.0.0.1/claim",
        "https://bridge.simplefin.org.bank.test/claim",
    ] {
        let token = BASE64_STANDARD.encode(address);
        let (field, message) = refusal(world.enter(&token).await.unwrap_err());
        assert_eq!(field, "token", "{address}");
        assert!(!message.contains("demo"), "{message}");
    }
    assert_eq!(world.bridge().claims, 0);
    for access in [
        "https://a:word@bank.test/simplefin",
        "http://a:word@bridge.simplefin.org/simplefin",
        "no address",
    ] {
        let answer = move |_: &str| wire::raw(200, "", access);
        world.bridge().faults.once("/claim/", Law::Broken, answer);
        let refused = world.enter(&Bridge::setup_token()).await.unwrap_err();
        assert!(matches!(refused, ExchangeError::Source(_)), "{access}");
        assert!(!refused.to_string().contains("word"), "{refused}");
    }
}
