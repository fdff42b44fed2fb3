//! Each error of the interface: how far it reaches, and what is said of it.

use chrono::Duration;
use serde_json::{Value, json};
use sextant_connectors::failure::FailureKind::{
    self, CredentialRefused, Malformed, NotFound, Rejected, SignInEnded, Unavailable,
};

use super::{World, application, date};
use crate::support::stand_ins::enable_banking as stand_in;
use crate::support::stand_ins::enable_banking::keys::keys;
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::wire;

/// An error whose detail nobody should see.
fn refusal(status: u16, error: &'static str) -> impl Fn(&str) -> Vec<u8> + Send + 'static {
    move |_| stand_in::answers::refusal(status, error, &json!("secret"))
}

#[tokio::test]
async fn errors_of_the_whole_link_end_the_round_with_what_to_do() {
    let Some(mut world) = World::start("errors_of_the_whole_link").await else {
        return;
    };
    for (status, error, kind, words) in [
        (401, "EXPIRED_SESSION", SignInEnded, "link the bank again"),
        (401, "REVOKED_SESSION", SignInEnded, "link the bank again"),
        (401, "CLOSED_SESSION", SignInEnded, "link the bank again"),
        (
            404,
            "SESSION_DOES_NOT_EXIST",
            SignInEnded,
            "link the bank again",
        ),
        (
            401,
            "AUTHORIZATION_NOT_PROVIDED",
            CredentialRefused,
            "Enter the application again",
        ),
        (403, "ACCESS_DENIED", Rejected, "control panel"),
        (403, "UNAUTHORIZED_IP", Rejected, "control panel"),
    ] {
        world.aggregator().take_asked();
        let on = "/balances";
        world
            .aggregator()
            .faults
            .once(on, Law::Kept, refusal(status, error));
        let failure = world.try_sync(usize::MAX).await.unwrap_err();
        assert_eq!(
            (failure.kind, failure.status),
            (kind, Some(status)),
            "{error}"
        );
        assert!(failure.message.contains(words), "{failure}");
        assert!(failure.message.contains("Message of"), "{failure}");
        assert!(!failure.message.contains("secret"), "{failure}");
        assert_eq!(world.aggregator().take_asked().len(), 1, "{error}");
    }
}

#[tokio::test]
async fn errors_of_one_account_stand_in_its_row_and_the_others_are_read() {
    let Some(mut world) = World::start("errors_of_one_account").await else {
        return;
    };
    world.sync().await;
    for (status, error, told, words) in [
        (
            400,
            "ASPSP_PSU_ACTION_REQUIRED",
            "needs_sign_in",
            "confirm what it asks",
        ),
        (
            422,
            "PSU_HEADER_NOT_PROVIDED",
            "stale",
            "while a person is there",
        ),
        (
            404,
            "ACCOUNT_DOES_NOT_EXIST",
            "needs_sign_in",
            "tick the account",
        ),
        (
            400,
            "ASPSP_ACCOUNT_NOT_ACCESSIBLE",
            "needs_sign_in",
            "tick the account",
        ),
    ] {
        world.wait(Duration::hours(6));
        let on = "/balances";
        world
            .aggregator()
            .faults
            .once(on, Law::Kept, refusal(status, error));
        world.sync().await;
        let states = world.field("finance.accounts", "status");
        assert_eq!((&states["a"], &states["b"]), (&json!(told), &json!("ok")));
        let codes = world.field("finance.accounts", "bank_error_code");
        assert_eq!(codes["a"], error);
        assert_eq!(
            world.field("finance.accounts", "balance_current")["a"],
            "100.00"
        );
        assert_eq!(world.store.warnings.len(), 1);
        assert!(
            world.store.warnings[0].contains(words),
            "{:?}",
            world.store.warnings
        );
        world.assert_equal();
    }
    world.sync().await;
    let codes = world.field("finance.accounts", "bank_error_code");
    assert_eq!(codes["a"], Value::Null);
}

#[tokio::test]
async fn a_bank_that_fails_is_asked_once_more_in_the_round_and_never_for_less() {
    let Some(mut world) = World::start("a_bank_that_fails").await else {
        return;
    };
    world.sync().await;
    world.wait(Duration::hours(6));
    for error in ["ASPSP_ERROR", "ASPSP_TIMEOUT"] {
        world.aggregator().take_asked();
        world
            .aggregator()
            .faults
            .once("BOOK", Law::Kept, refusal(400, error));
        world.sync().await;
        let asked = world.aggregator().take_asked();
        let booked: Vec<_> = asked.iter().filter(|own| own.contains("BOOK")).collect();
        assert_eq!(booked, vec![&format!("transactions BOOK {}", date(-30)); 4]);
        assert_eq!(world.store.warnings, [""; 0]);
    }
    // Both times: the account is stale, and the other one was read.
    for _ in 0..2 {
        world
            .aggregator()
            .faults
            .once("BOOK", Law::Kept, refusal(400, "ASPSP_ERROR"));
    }
    world.link(&["a"]).await.unwrap();
    let failure = world.try_sync(usize::MAX).await.unwrap_err();
    assert_eq!(failure.kind, Unavailable);
    let status = world.field("finance.accounts", "status");
    assert_eq!(status["a"], "stale");
    world.assert_equal();
}

#[tokio::test]
async fn a_bank_that_cannot_tell_everything_is_read_as_ever_and_asked_for_it_again() {
    let Some(mut world) = World::start("a_bank_that_cannot_tell_everything").await else {
        return;
    };
    let fail = refusal(400, "ASPSP_ERROR");
    world
        .aggregator()
        .faults
        .always("strategy=longest", Law::Kept, fail);
    world.aggregator().account("a").keeps = Duration::days(95);
    world
        .aggregator()
        .account("a")
        .book("old", "7", date(-1_000));
    world.sync().await;
    assert_eq!(world.stored().len(), 6);
    let asked = world.aggregator().take_asked();
    assert!(asked.contains(&format!("transactions BOOK {}", date(-89))));
    world.aggregator().faults.clear();
    world.sync().await;
    world.assert_equal();
}

#[tokio::test]
async fn a_bank_that_tells_less_of_the_past_is_asked_for_what_it_tells() {
    for names_day in [true, false] {
        let Some(mut world) = World::start("a_bank_that_tells_less").await else {
            return;
        };
        world.sync().await;
        world.aggregator().account("a").keeps = Duration::days(20);
        world.aggregator().names_day = names_day;
        world.aggregator().take_asked();
        world.sync().await;
        world.assert_equal();
        let asked = world.aggregator().take_asked();
        let booked: Vec<_> = asked
            .into_iter()
            .filter(|own| own.contains("BOOK"))
            .collect();
        let expected = [-30, if names_day { -20 } else { -15 }];
        let expected = expected.map(|day| format!("transactions BOOK {}", date(day)));
        assert_eq!(booked.get(..2).unwrap(), expected);
        // What the bank tells of it is remembered.
        world.sync().await;
        let asked = world.aggregator().take_asked();
        let first = asked.iter().find(|own| own.contains("BOOK"));
        assert_eq!(first, Some(&expected[1]));
    }
}

#[tokio::test]
async fn a_bank_that_refuses_every_span_is_left_alone_soon() {
    let Some(mut world) = World::start("a_bank_that_refuses_every_span").await else {
        return;
    };
    world.sync().await;
    world.aggregator().take_asked();
    let refuse = refusal(422, "WRONG_TRANSACTIONS_PERIOD");
    world.aggregator().faults.always("BOOK", Law::Kept, refuse);
    let failure = world.try_sync(usize::MAX).await.unwrap_err();
    assert_eq!(failure.kind, Rejected);
    let asked = world.aggregator().take_asked();
    let booked = asked.iter().filter(|own| own.contains("BOOK")).count();
    assert_eq!(booked, 2 * 3);
    world.assert_equal();
    // The next round goes on from where this one was refused.
    world.try_sync(usize::MAX).await.unwrap_err();
    let asked = world.aggregator().take_asked();
    let first = asked.iter().find(|own| own.contains("BOOK"));
    assert_eq!(first, Some(&format!("transactions BOOK {}", date(-7))));
}

#[tokio::test]
async fn an_answer_that_is_none_says_nothing_of_what_is_stored() {
    let Some(mut world) = World::start("an_answer_that_is_none").await else {
        return;
    };
    world.sync().await;
    for (status, body, kind) in [
        (200, "{}", Malformed),
        (200, "<html>", Malformed),
        (500, "<html>", Unavailable),
        (404, "", NotFound),
        (200, r#"{"transactions":null}"#, Malformed),
    ] {
        let answer = move |_: &str| wire::raw(status, "", body);
        world.aggregator().faults.clear();
        world
            .aggregator()
            .faults
            .always("BOOK", Law::Broken, answer);
        let failure = world.try_sync(usize::MAX).await.unwrap_err();
        assert_eq!(failure.kind, kind, "{body}");
        world.assert_equal();
    }
    world.aggregator().faults.clear();
    world.aggregator().faults.cut_off("BOOK");
    let failure = world.try_sync(usize::MAX).await.unwrap_err();
    assert_eq!(failure.kind, Unavailable, "{failure}");
    world.sync().await;
    world.assert_equal();
}

#[tokio::test]
async fn payments_that_cannot_be_read_are_counted_and_take_nothing_with_them() {
    let Some(mut world) = World::start("payments_that_cannot_be_read").await else {
        return;
    };
    world.sync().await;
    let count = world.stored().len();
    world.served.suspend_contract();
    world.aggregator().faults.always("BOOK", Law::Broken, |_| {
        let broken = json!([7, {"status": "BOOK"}, {"status": "WHAT"}]);
        wire::json(200, "", &json!({"transactions": broken}))
    });
    world.sync().await;
    assert_eq!(world.store.skipped.len(), 2 * 3);
    assert_eq!(world.stored().len(), count);
}

#[tokio::test]
async fn an_ended_consent_and_another_key_are_told_without_reading() {
    let Some(mut world) = World::start("an_ended_consent").await else {
        return;
    };
    world.application = application(&keys().other);
    let failure = world.try_sync(usize::MAX).await.unwrap_err();
    assert_eq!(
        (failure.kind, failure.status),
        (CredentialRefused, Some(401))
    );
    world.application = application("no key");
    let sealed = &world.credential.as_ref().unwrap().sealed;
    let with = (&world.application, sealed);
    let options = Default::default();
    let none = world
        .provider
        .source("finance", with, &options, world.now());
    let kind = none.map(drop).unwrap_err().kind;
    assert_eq!(kind, FailureKind::CredentialMissing);
    world.application = application(&keys().private);
    world.aggregator().take_asked();
    world.wait(Duration::days(90));
    let failure = world.try_sync(usize::MAX).await.unwrap_err();
    assert_eq!(failure.kind, SignInEnded);
    assert_eq!(world.aggregator().take_asked(), [""; 0]);
    // The bank may end it before, and says so.
    world.wait(-Duration::days(80));
    world.aggregator().end_sessions("REVOKED");
    let failure = world.try_sync(usize::MAX).await.unwrap_err();
    assert_eq!(failure.kind, SignInEnded);
}
