//! Rounds while a person sleeps, trains, and corrects what was recorded.

use chrono::Duration;
use serde_json::json;
use sextant_connectors::failure::FailureKind;
use sextant_connectors::round::Feed as _;
use sextant_connectors::whoop::{account_of, revoke};

use super::{World, day};
use crate::support::stand_ins::whoop::LastToken;
use crate::support::stand_ins::whoop::records::{Kind, stamp, uuid};

const NOTHING: [&str; 0] = [];

#[tokio::test]
async fn the_first_round_reads_everything_and_the_next_changes_nothing() {
    for last_token in [LastToken::Null, LastToken::Absent, LastToken::Empty] {
        let Some(mut world) = World::with_nights("the_first_round", 100).await else {
            return;
        };
        world.whoop().last_token = last_token;
        world.feed().check().await.unwrap();
        assert_eq!(world.sync().await.len(), 350);
        world.assert_equal();
        world.wait(Duration::minutes(30));
        world.whoop().take_paths();
        assert_eq!(world.sync().await, NOTHING);
        world.assert_equal();
        let asked = world.whoop().take_paths();
        let expected = [
            "/v2/activity/sleep",
            "/v2/recovery",
            "/v2/cycle",
            "/v2/activity/workout",
        ];
        assert_eq!(asked, expected, "the past is read once");
    }
}

#[tokio::test]
async fn what_is_long_past_is_found_behind_years_of_nothing() {
    let Some(mut world) = World::with_nights("long_past", 3).await else {
        return;
    };
    world.whoop().add_night(1, day(-2000));
    world.whoop().add_workout(1, day(-3000));
    world.sync().await;
    world.assert_equal();
    let asked = world.whoop().asked.len();
    assert!(asked < 40, "{asked} requests");
}

#[tokio::test]
async fn scores_that_come_late_and_a_cycle_that_ends_change_their_rows() {
    let Some(mut world) = World::with_nights("scores_that_come_late", 10).await else {
        return;
    };
    let (sleep, workout) = (uuid(Kind::Sleep, 9_994), uuid(Kind::Workout, 9_996));
    {
        let mut state = world.whoop();
        state.unscore(Kind::Sleep, &sleep);
        state.unscore(Kind::Workout, &workout);
        state.unscore(Kind::Recovery, "9999");
        state.add_cycle(20_000, day(0), None);
    }
    world.sync().await;
    world.assert_equal();
    let running = &world.store.records("health.cycles")["20000"].fields;
    assert_eq!(running.get("end_at"), None);
    assert_eq!(
        world.store.records("health.sleeps")[&*sleep].fields["score_state"],
        "PENDING_SCORE"
    );

    world.wait(Duration::days(1));
    {
        let mut state = world.whoop();
        let ended = stamp(state.now);
        let (night, morning) = (day(-6) + Duration::hours(10), day(-6) + Duration::hours(18));
        state.add_sleep(9_994, night, morning);
        state.change(Kind::Workout, &workout, |record| {
            record["score_state"] = "UNSCORABLE".into();
        });
        state.add_recovery(9_999, day(0));
        state.change(Kind::Cycle, "20000", |record| record["end"] = ended);
    }
    let mut expected = vec![
        sleep.clone(),
        workout,
        "9999".to_owned(),
        "20000".to_owned(),
    ];
    expected.sort();
    assert_eq!(world.sync().await, expected);
    world.assert_equal();
    let ended = &world.store.records("health.cycles")["20000"].fields;
    assert_eq!(ended["end_at"], "2024-10-05T12:00:00Z");
    assert_eq!(
        world.store.records("health.sleeps")[&*sleep].fields["score_state"],
        "SCORED"
    );
}

#[tokio::test]
async fn what_was_deleted_in_the_last_days_goes_and_what_is_older_stays() {
    let Some(mut world) = World::with_nights("what_was_deleted", 60).await else {
        return;
    };
    for counts_from_start in [false, true] {
        world.whoop().counts_from_start = counts_from_start;
        world.sync().await;
        world.wait(Duration::minutes(30));
        assert_eq!(world.sync().await, NOTHING, "{counts_from_start}");
    }
    {
        let mut state = world.whoop();
        state.remove(Kind::Sleep, &uuid(Kind::Sleep, 9_997));
        state.remove(Kind::Recovery, "9997");
        // All there are in the time that is read anew.
        for number in [9_998, 9_996, 9_994, 9_992] {
            state.remove(Kind::Workout, &uuid(Kind::Workout, number));
        }
        for number in [9_990, 9_960] {
            state.remove(Kind::Workout, &uuid(Kind::Workout, number));
        }
    }
    let gone = world.sync().await;
    // The workout of nine days ago is not judged any more, nor is that of forty.
    assert_eq!(gone.len(), 6, "{gone:?}");
    let mut expected = world.told(|_, _| true).into_keys().collect::<Vec<_>>();
    for number in [9_960, 9_990] {
        expected.push(("workouts".to_owned(), uuid(Kind::Workout, number)));
    }
    expected.sort();
    assert_eq!(world.stored().into_keys().collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn a_night_that_the_strap_sent_days_later_is_not_taken_for_gone() {
    let Some(mut world) = World::with_nights("sent_days_later", 20).await else {
        return;
    };
    world.sync().await;
    {
        let mut state = world.whoop();
        state.add_night(1, day(-7) - Duration::hours(3));
        state.add_recovery(1, day(0));
    }
    for _ in 0..8 {
        world.sync().await;
        world.assert_equal();
        world.wait(Duration::days(1));
    }
}

#[tokio::test]
async fn after_a_pause_that_is_too_long_everything_is_read_anew() {
    let Some(mut world) = World::with_nights("after_a_pause", 50).await else {
        return;
    };
    world.whoop().limits = (1_000, 10_000);
    world.sync().await;
    for (pause, number) in [(22, 30_000), (24, 40_000), (400, 50_000)] {
        let begun = world.whoop().now;
        for night in 0..pause {
            let start = begun + Duration::days(night);
            world.whoop().add_night(number + night, start);
        }
        world.wait(Duration::days(pause));
        assert_eq!(
            world.sync().await.len(),
            usize::try_from(pause * 3).unwrap()
        );
        world.assert_equal();
    }
    // A position that means nothing is a beginning as well.
    for position in world.store.positions.values_mut() {
        *position = json!({"read_at": "seeded"});
    }
    assert_eq!(world.sync().await, NOTHING);
    world.assert_equal();
}

#[tokio::test]
async fn a_window_is_read_to_its_beginning_and_a_wider_one_fetches_what_is_missing() {
    let Some(mut world) = World::with_nights("a_window", 200).await else {
        return;
    };
    for since in [day(-40), day(-10), day(-100)] {
        world.store.since = Some(since);
        world.sync().await;
        let begin = |item: &sextant_connectors::round::SourceItem| item.at.unwrap();
        let oldest = world.store.items.values().map(begin).min().unwrap();
        let widest = since.min(day(-40));
        assert!(
            oldest >= widest && oldest < widest + Duration::days(2),
            "{oldest}"
        );
        world.wait(Duration::minutes(30));
        assert_eq!(world.sync().await, NOTHING);
    }
    world.store.since = None;
    world.sync().await;
    world.assert_equal();
}

#[tokio::test]
async fn a_token_that_is_replaced_in_mid_round_is_asked_for_once() {
    let Some(mut world) = World::with_nights("a_token_replaced", 40).await else {
        return;
    };
    world.try_sync(3).await.unwrap();
    world.rotate();
    world.sync().await;
    world.assert_equal();
    assert_eq!(world.tokens.renewals(), 1);
}

#[tokio::test]
async fn a_consent_that_has_ended_is_told_and_removes_nothing() {
    let Some(mut world) = World::with_nights("a_consent_ended", 10).await else {
        return;
    };
    world.sync().await;
    let before = world.store.items.clone();
    assert_eq!(account_of(&world.client()).await.unwrap().id, 10129);
    revoke(&world.client()).await.unwrap();
    let failure = world.try_sync(usize::MAX).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::SignInEnded, "{failure}");
    let failure = world.feed().check().await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::SignInEnded, "{failure}");
    let failure = account_of(&world.client()).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::SignInEnded, "{failure}");
    let failure = revoke(&world.client()).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::SignInEnded, "{failure}");
    assert_eq!(world.store.items, before);
}

#[tokio::test]
async fn a_collection_that_was_not_granted_is_not_asked_for() {
    let Some(mut world) = World::with_nights("not_granted", 10).await else {
        return;
    };
    for kind in [Kind::Cycle, Kind::Recovery, Kind::Sleep] {
        world.whoop().granted.remove(kind.scope());
        world.store = crate::support::store::Store::default();
        world.whoop().take_paths();
        world.feed().check().await.unwrap();
        world.sync().await;
        let granted = world.whoop().granted.clone();
        assert_eq!(
            world.stored(),
            world.told(|kind, _| granted.contains(kind.scope()))
        );
        assert!(!world.whoop().take_paths().contains(&kind.path().to_owned()));
    }
    world.whoop().granted.remove(Kind::Workout.scope());
    let failure = world.feed().check().await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Rejected, "{failure}");
}
