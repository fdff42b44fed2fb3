use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::oauth::IssuedTokens;

const MINUTE: u64 = 60;

fn at(seconds: u64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

fn issued(access: &str, refresh: Option<&str>) -> IssuedTokens {
    let answer =
        serde_json::json!({"access_token": access, "expires_in": 3600, "refresh_token": refresh});
    IssuedTokens::parse(answer.to_string().as_bytes()).unwrap()
}

/// Tokens of an hour, issued at 0.
fn kept() -> KeptTokens {
    KeptTokens::of_consent(&issued("a1", Some("r1")), at(0))
}

fn failure() -> SourceFailure {
    SourceFailure::new(FailureKind::Rejected, "no")
}

fn step(kept: &KeptTokens, refresh: RefreshUse, now: u64) -> RenewalStep {
    kept.next_step(None, refresh, at(now))
}

fn renewal() -> RenewalStep {
    RenewalStep::Renew(SourceSecret::new("r1"))
}

fn is_ended(step: &RenewalStep) -> bool {
    matches!(step, RenewalStep::Fail(failure) if failure.kind == FailureKind::SignInEnded)
}

fn rests_until(step: &RenewalStep) -> Option<DateTime<Utc>> {
    match step {
        RenewalStep::Fail(SourceFailure {
            retry_after: Some(RetryAfter::At(at)),
            ..
        }) => Some((*at).into()),
        _ => None,
    }
}

#[test]
fn a_token_serves_until_shortly_before_its_end() {
    let serves = RenewalStep::Use(at(55 * MINUTE));
    assert_eq!(step(&kept(), RefreshUse::Once, 0), serves);
    assert_eq!(step(&kept(), RefreshUse::Once, 55 * MINUTE - 1), serves);
    assert_eq!(step(&kept(), RefreshUse::Once, 55 * MINUTE), renewal());
}

#[test]
fn a_refused_token_is_renewed_and_one_that_was_replaced_since_is_not() {
    let refused =
        |token| kept().next_step(Some(&SourceSecret::new(token)), RefreshUse::Once, at(0));
    assert_eq!(refused("a1"), renewal());
    assert_eq!(refused("a0"), RenewalStep::Use(at(55 * MINUTE)));
}

#[test]
fn a_lost_answer_is_followed_by_one_repetition_where_a_token_serves_once() {
    let sent = 3600;
    let lost = kept().about_to_renew(at(sent));
    assert_eq!(
        rests_until(&step(&lost, RefreshUse::Once, sent)),
        Some(at(sent + 30))
    );
    assert_eq!(
        rests_until(&step(&lost, RefreshUse::Once, sent + 29)),
        Some(at(sent + 30))
    );
    assert_eq!(step(&lost, RefreshUse::Once, sent + 30), renewal());
    let twice = lost.about_to_renew(at(sent + 30));
    assert!(is_ended(&step(&twice, RefreshUse::Once, sent + 31)));
    assert!(is_ended(&step(&twice, RefreshUse::Once, sent + 3600 * 24)));
    // Elsewhere it is asked again, as often as need be.
    assert_eq!(step(&twice, RefreshUse::Repeated, sent + 31), renewal());
}

#[test]
fn a_token_that_still_serves_is_used_whatever_became_of_its_renewal() {
    let lost = kept().about_to_renew(at(1)).about_to_renew(at(40));
    let serves = RenewalStep::Use(at(55 * MINUTE));
    assert_eq!(step(&lost, RefreshUse::Once, 41), serves);
}

#[test]
fn refusals_that_do_not_say_for_good_are_believed_after_an_hour() {
    let opaque = TokenFailure::Opaque(failure());
    let mut own = kept();
    for minutes in [60, 80, 100] {
        let now = minutes * MINUTE;
        assert_eq!(
            step(&own, RefreshUse::Repeated, now),
            renewal(),
            "{minutes}"
        );
        own = KeptTokens::after_failure(&own, &opaque, at(now));
        let again = at(now + 20 * MINUTE);
        assert_eq!(
            rests_until(&step(&own, RefreshUse::Repeated, now + 1)),
            Some(again)
        );
    }
    assert!(is_ended(&step(&own, RefreshUse::Repeated, 120 * MINUTE)));
}

#[test]
fn what_the_provider_has_ended_is_not_asked_for_again() {
    let ended = TokenFailure::Ended(failure());
    let own = KeptTokens::after_failure(&kept(), &ended, at(1));
    for now in [2, 3600 * 1000] {
        assert!(is_ended(&step(&own, RefreshUse::Repeated, now)));
    }
}

#[test]
fn a_failure_before_sending_leaves_no_trace() {
    let passing = TokenFailure::Passing(failure());
    assert_eq!(KeptTokens::after_failure(&kept(), &passing, at(1)), kept());
}

#[test]
fn without_a_refresh_token_the_sign_in_ends_with_its_token() {
    let own = KeptTokens::of_consent(&issued("a1", None), at(0));
    assert_eq!(
        step(&own, RefreshUse::Once, 0),
        RenewalStep::Use(at(55 * MINUTE))
    );
    assert!(is_ended(&step(&own, RefreshUse::Once, 3600)));
}

proptest! {
    /// Whatever happens, and however often somebody asks, a refresh token that serves once is sent twice at the most, and the second
    /// time not before the first has had its time.
    #[test]
    fn a_token_that_serves_once_is_never_sent_a_third_time(
        waits in prop::collection::vec(0u64..4000, 1..60),
    ) {
        let (mut own, mut now, mut sent) = (kept(), 0, Vec::new());
        for wait in waits {
            now += wait;
            if let RenewalStep::Renew(_) = step(&own, RefreshUse::Once, now) {
                sent.push(now);
                own = own.about_to_renew(at(now));
            }
        }
        prop_assert!(sent.len() <= 2, "{sent:?}");
        if let [first, second] = sent[..] {
            prop_assert!(second - first >= 30);
        }
    }
}
