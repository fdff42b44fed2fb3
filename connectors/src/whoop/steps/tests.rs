use chrono::TimeDelta;
use serde_json::json;

use super::*;
use crate::whoop::collection::WhoopCollection::{Cycles, Recoveries, Sleeps, Workouts};

fn day(number: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::days(number)
}

fn request(since: Option<i64>) -> RoundRequest {
    RoundRequest {
        positions: [].into(),
        since: since.map(day),
        now: day(1000),
        zone: chrono_tz::Tz::UTC,
    }
}

#[test]
fn everything_is_read_anew_before_any_step_back() {
    let mut steps = ReadSteps::new(&WhoopCollection::ALL, &request(None));
    for (collection, start) in [
        (Sleeps, 992),
        (Recoveries, 986),
        (Cycles, 992),
        (Workouts, 992),
    ] {
        let (next, step) = steps.next().unwrap();
        assert_eq!(next, collection);
        let pass = Pass {
            begun_at: day(1000),
            since: Some(day(993)),
            is_complete: false,
        };
        let start = day(start);
        assert_eq!(step, ReadStep::Anew { start, pass }, "{collection:?}");
        let position = steps.position(collection).reread(start, day(1000));
        steps.advance(collection, position);
    }
    // The newest end first.
    let mut ends = Vec::new();
    for _ in 0..5 {
        let (collection, step) = steps.next().unwrap();
        let ReadStep::Back { start, end } = step else {
            panic!("{step:?}");
        };
        assert_eq!(end - start, WHOOP_STEP);
        ends.push(end);
        let position = steps.position(collection).back_to(start);
        steps.advance(collection, position);
    }
    assert_eq!(ends, [day(992), day(992), day(992), day(986), day(962)]);
}

#[test]
fn steps_back_end_at_the_window() {
    let mut steps = ReadSteps::new(&[Cycles], &request(Some(985)));
    steps.next().unwrap();
    let position = steps.position(Cycles).reread(day(992), day(1000));
    steps.advance(Cycles, position);
    let step = ReadStep::Back {
        start: day(985),
        end: day(992),
    };
    assert_eq!(steps.next(), Some((Cycles, step)));
    let position = steps.position(Cycles).back_to(day(985));
    steps.advance(Cycles, position);
    assert_eq!(steps.next(), None);
}

#[test]
fn a_window_shorter_than_the_days_read_anew_judges_no_more_than_itself() {
    let mut steps = ReadSteps::new(&[Cycles], &request(Some(998)));
    let (_, step) = steps.next().unwrap();
    let ReadStep::Anew { start, pass } = step else {
        panic!("{step:?}");
    };
    assert_eq!((start, pass.since), (day(997), Some(day(998))));
}

#[test]
fn a_collection_that_is_given_up_is_not_read_any_more() {
    let mut steps = ReadSteps::new(&[Sleeps, Cycles], &request(None));
    let whole = json!({"read_at": day(999), "from": day(900), "is_whole": true});
    let positions = [("cycles".to_owned(), whole)].into();
    let request = RoundRequest {
        positions,
        ..request(None)
    };
    steps.give_up(Sleeps);
    assert_eq!(steps.next().unwrap().0, Cycles);
    let mut steps = ReadSteps::new(&[Cycles], &request);
    let (_, step) = steps.next().unwrap();
    assert_eq!(step.span().start, Some(day(991)));
    assert_eq!(steps.next(), None);
}
