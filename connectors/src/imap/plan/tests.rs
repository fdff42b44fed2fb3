use std::collections::HashMap;

use super::*;

const THERE: ExaminedMailbox = ExaminedMailbox {
    uid_validity: 7,
    uid_next: 10,
    exists: 5,
    highest_modseq: Some(90),
};

fn day(day: i64) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp(1_794_000_000 + day * 86_400, 0)
}

fn since(since: Option<DateTime<Utc>>) -> RoundRequest {
    RoundRequest {
        positions: HashMap::new(),
        since,
        now: day(100).unwrap(),
        zone: chrono_tz::Tz::UTC,
    }
}

fn told(highest_modseq: Option<u64>) -> MailPosition {
    MailPosition {
        uid_validity: 7,
        told: Some(MailboxState {
            highest_modseq,
            ..THERE.state(day(0))
        }),
        pass: None,
    }
}

#[test]
fn what_is_told_is_not_told_again() {
    let request = since(day(0));
    assert_eq!(
        plan(Some(&told(Some(90))), &THERE, &request),
        MailPlan::Nothing
    );
    let changes = MailPlan::Changes { since_modseq: 80 };
    assert_eq!(plan(Some(&told(Some(80))), &THERE, &request), changes);
    // A narrower window is no reason for anything.
    assert_eq!(
        plan(Some(&told(Some(90))), &THERE, &since(day(3))),
        MailPlan::Nothing
    );
}

#[test]
fn everything_is_named_where_changes_are_not_told() {
    for (position, window, is_light, judges_all, changed_since) in [
        (None, day(0), false, false, None),
        (Some(told(None)), day(0), false, false, None),
        // The server counts backwards.
        (Some(told(Some(91))), day(0), false, false, None),
        (Some(told(Some(80))), day(-9), true, false, Some(80)),
        (Some(told(Some(80))), None, true, false, Some(80)),
        (
            Some(MailPosition {
                uid_validity: 6,
                ..told(Some(90))
            }),
            day(3),
            false,
            true,
            None,
        ),
    ] {
        let MailPlan::Pass {
            pass,
            changed_since: since_modseq,
        } = plan(position.as_ref(), &THERE, &since(window))
        else {
            panic!("a pass: {position:?}");
        };
        assert_eq!(
            (pass.is_light, pass.judges_all),
            (is_light, judges_all),
            "{position:?}"
        );
        assert_eq!(
            (pass.since, since_modseq),
            (window, changed_since),
            "{position:?}"
        );
    }
}

#[test]
fn a_pass_goes_on_unless_more_is_wanted() {
    let MailPlan::Pass { pass, .. } = plan(None, &THERE, &since(day(0))) else {
        panic!("a pass");
    };
    let begun = MailPass {
        below: Some(4),
        ..pass
    };
    assert_eq!(search_of_pass(&begun), "UID 1:3 SINCE 5-Nov-2026");
    let position = MailPosition {
        told: None,
        pass: Some(begun.clone()),
        ..told(None)
    };
    let going_on = plan(Some(&position), &THERE, &since(day(1)));
    assert_eq!(going_on, MailPlan::of_pass(begun));
    let MailPlan::Pass { pass, .. } = plan(Some(&position), &THERE, &since(None)) else {
        panic!("a pass");
    };
    assert_eq!(search_of_pass(&pass), "UID 1:9 ALL");
}
