//! How many requests the stand-in answers.

use std::time::Duration as Wait;

use chrono::Duration;
use sextant_connectors::failure::{FailureKind, RetryAfter};

use super::World;

#[tokio::test]
async fn a_round_stops_before_the_limit_and_goes_on_when_it_may() {
    let Some(mut world) = World::with_nights("stops_before_the_limit", 700).await else {
        return;
    };
    world.whoop().limits = (30, 10_000);
    let mut rounds = 0;
    loop {
        rounds += 1;
        let ended = world.try_sync(usize::MAX).await;
        let asked = world.whoop().asked.clone();
        assert!(
            asked.iter().all(|asked| asked.status == 200),
            "no request is in vain"
        );
        let Err(failure) = ended else { break };
        assert_eq!(failure.kind, FailureKind::RateLimited, "{failure}");
        assert_eq!(failure.status, None);
        let Some(RetryAfter::Wait(wait)) = failure.retry_after else {
            panic!("{failure:?}");
        };
        assert!(wait <= Wait::from_secs(60), "{wait:?}");
        world.wait(Duration::from_std(wait).unwrap());
    }
    assert!(rounds > 3, "{rounds}");
    world.assert_equal();
}

#[tokio::test]
async fn the_limit_of_a_day_is_waited_for_as_told() {
    let Some(mut world) = World::with_nights("the_limit_of_a_day", 3).await else {
        return;
    };
    world.whoop().limits = (100, 8);
    let failure = world.try_sync(usize::MAX).await.unwrap_err();
    // Noon.
    let wait = RetryAfter::Wait(Wait::from_secs(12 * 60 * 60));
    assert_eq!(failure.retry_after, Some(wait));
    assert_eq!(world.whoop().asked.len(), 3);
}

#[tokio::test]
async fn an_answer_of_429_says_how_long_to_wait_in_one_of_two_ways_or_not() {
    let Some(mut world) = World::with_nights("an_answer_of_429", 3).await else {
        return;
    };
    world.sync().await;
    let before = world.store.items.clone();
    world.wait(Duration::seconds(15));
    world.whoop().limits = (0, 10_000);
    for (tells_reset, retry_after, expected) in [
        (true, None, Some(45)),
        (true, Some("120"), Some(120)),
        (false, Some("120"), Some(120)),
        (false, None, None),
    ] {
        world.whoop().tells_reset = tells_reset;
        world.whoop().retry_after = retry_after;
        let failure = world.try_sync(usize::MAX).await.unwrap_err();
        assert_eq!(
            (failure.kind, failure.status),
            (FailureKind::RateLimited, Some(429))
        );
        let expected = expected.map(|seconds| RetryAfter::Wait(Wait::from_secs(seconds)));
        assert_eq!(failure.retry_after, expected);
        assert_eq!(world.store.items, before);
    }
    world.whoop().tells_reset = true;
    world.whoop().limits = (100, 10_000);
    world.wait(Duration::seconds(45));
    assert_eq!(world.sync().await, [""; 0]);
    world.assert_equal();
}
