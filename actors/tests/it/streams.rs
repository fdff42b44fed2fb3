//! Sources that tell their changes by themselves: settled when they have caught up, listened to, opened again soon.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use sextant_actors::clock::FrozenClock;
use sextant_actors::ports::{RoundEnd, RoundReport};
use sextant_actors::supervise::Board;
use sextant_actors::sync::{RoundStart, SyncHandle, SyncRefusal};
use sextant_actors::tree::ActorTree;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::support::{CAUGHT_UP, FakeRounds, Play, World, noon, run, start_of, until};

const HOME: Uuid = Uuid::from_u128(1);

/// One stream, and the tree on whose board its actor stands.
struct Home {
    rounds: FakeRounds,
    clock: FrozenClock,
    actor: SyncHandle,
    tree: ActorTree,
    /// Lets the stream catch up, and then fall silent.
    next: Arc<Notify>,
}

impl Home {
    async fn with(plays: impl IntoIterator<Item = Play>) -> Self {
        Self::build(Arc::default(), plays).await
    }

    async fn listening() -> Self {
        let next = Arc::new(Notify::new());
        let home = Self::build(Arc::clone(&next), [Play::Stream(next)]).await;
        until(|| home.count() == 1).await;
        home.next.notify_one();
        until(|| home.ends().len() == 1).await;
        home
    }

    async fn build(next: Arc<Notify>, plays: impl IntoIterator<Item = Play>) -> Self {
        let world = World::new();
        let rounds = world.rounds.clone();
        rounds.change_plan(HOME, |plan| plan.is_stream = true);
        rounds.play(HOME, plays);
        let tree = world.start().await;
        Self {
            actor: rounds.start(HOME, &tree.board),
            clock: world.clock.time.clone(),
            rounds,
            tree,
            next,
        }
    }

    fn board(&self) -> &Board {
        &self.tree.board
    }

    fn count(&self) -> usize {
        self.rounds.begun(HOME).len()
    }

    fn ends(&self) -> Vec<RoundEnd> {
        let settled = self.rounds.settled(HOME);
        settled.into_iter().map(|one| one.report.end).collect()
    }

    async fn pass(&self, seconds: i64) {
        self.clock.advance(TimeDelta::seconds(seconds));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[test]
fn what_has_caught_up_is_settled_once_and_again_each_minute() {
    run(async {
        let home = Home::listening().await;
        home.pass(59).await;
        assert_eq!(home.ends(), [RoundEnd::Listening]);
        home.pass(1).await;
        home.pass(60).await;
        assert_eq!(home.ends(), vec![RoundEnd::Listening; 3]);
        let last = home.rounds.settled(HOME).pop().unwrap();
        assert_eq!(last.ended_at, noon() + TimeDelta::minutes(2));
        assert_eq!((last.retry_at, home.count()), (None, 1));
    });
}

#[test]
fn whoever_asks_while_it_is_listened_to_is_answered_at_once() {
    run(async {
        let next = Arc::new(Notify::new());
        let home = Home::build(Arc::clone(&next), [Play::Stream(next)]).await;
        until(|| home.count() == 1).await;
        let release = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            home.next.notify_one();
        };
        let (early, ()) = futures_util::future::join(home.actor.sync_now(), release).await;
        let report = RoundReport {
            upserted: CAUGHT_UP,
            ..RoundReport::of(RoundEnd::Listening)
        };
        assert_eq!(early, Ok(report.clone()));
        let asked = tokio::time::Instant::now();
        assert_eq!(home.actor.sync_now().await, Ok(report));
        assert!(asked.elapsed() < Duration::from_secs(1));
        assert_eq!(start_of(home.actor.begin().await), Ok(RoundStart::Joined));
        assert_eq!(home.count(), 1);
    });
}

#[test]
fn no_time_limits_what_is_listened_to_and_one_that_never_catches_up_ends() {
    run(async {
        let home = Home::listening().await;
        tokio::time::sleep(Duration::from_secs(2 * 3600)).await;
        assert_eq!((home.count(), home.ends().len()), (1, 1));
        let stuck = Home::with([Play::Hang]).await;
        until(|| stuck.ends().len() == 1).await;
        assert_eq!(stuck.ends(), [RoundEnd::Failed { retry_at: None }]);
    });
}

#[test]
fn a_stream_that_falls_silent_is_opened_again_within_a_minute() {
    run(async {
        let failed = Play::End(RoundEnd::Failed { retry_at: None });
        let home = Home::with(std::iter::repeat_n(failed, 12)).await;
        for rounds in 1..=12 {
            until(|| home.ends().len() == rounds).await;
            let refused = home.actor.sync_now().await;
            let wait = TimeDelta::seconds([1, 2, 4, 8, 16, 32][(rounds - 1).min(5)]);
            let wait = if rounds > 6 {
                TimeDelta::seconds(60)
            } else {
                wait
            };
            let ended_at = home.rounds.settled(HOME).pop().unwrap().ended_at;
            let Err(SyncRefusal::Waiting(retry_at)) = refused else {
                panic!("{refused:?}");
            };
            assert!(retry_at >= ended_at + wait && retry_at <= ended_at + wait * 11 / 10);
            home.pass(66).await;
        }
        home.board()
            .restart(&format!("connection-{HOME}"))
            .await
            .unwrap();
    });
}

#[test]
fn only_a_stream_that_was_listened_to_for_a_while_has_begun_well() {
    for (listened_s, wait) in [(10, 3), (60, 2)] {
        run(async {
            let next = Arc::new(Notify::new());
            let failed = Play::End(RoundEnd::Failed { retry_at: None });
            let plays = [failed, Play::Stream(Arc::clone(&next))];
            let home = Home::build(next, plays).await;
            until(|| home.ends().len() == 1).await;
            home.pass(2).await;
            home.next.notify_one();
            until(|| home.ends().len() == 2).await;
            home.pass(listened_s).await;
            home.next.notify_one();
            let failed = RoundEnd::Failed { retry_at: None };
            until(|| home.ends().last() == Some(&failed)).await;
            let last = home.rounds.settled(HOME).pop().unwrap();
            let rest = last.retry_at.unwrap() - last.ended_at;
            assert!(rest < TimeDelta::seconds(wait), "{rest}");
            assert!(rest >= TimeDelta::seconds(wait - 1), "{rest}");
        });
    }
}

#[test]
fn a_halt_ends_the_listening_and_waits_for_its_end() {
    run(async {
        let home = Home::listening().await;
        assert!(home.actor.halt().await);
        assert_eq!(home.ends(), [RoundEnd::Listening, RoundEnd::Halted]);
        home.pass(3600).await;
        assert_eq!((home.count(), home.ends().len()), (1, 2));
        assert_eq!(home.actor.begin().await, Err(SyncRefusal::Halted));
    });
}

#[test]
fn a_credential_that_is_revoked_ends_the_listening_and_nothing_begins_again() {
    run(async {
        let home = Home::listening().await;
        home.rounds
            .change_plan(HOME, |plan| plan.needs_person = true);
        home.actor.reload();
        until(|| home.ends() == [RoundEnd::Listening, RoundEnd::Halted]).await;
        home.pass(3600).await;
        assert_eq!(home.count(), 1);
        assert_eq!(home.actor.begin().await, Err(SyncRefusal::NeedsPerson));
        // Entered anew, it is listened to again.
        home.rounds
            .change_plan(HOME, |plan| plan.needs_person = false);
        home.actor.reload();
        until(|| home.count() == 2).await;
    });
}

/// An answer to a reload, to a restart and to a wish of the source.
#[test]
fn a_stream_waits_for_as_long_as_its_source_wishes() {
    run(async {
        let retry_at = noon() + TimeDelta::hours(3);
        let wish = RoundEnd::Failed {
            retry_at: Some(retry_at),
        };
        let home = Home::with([Play::End(wish)]).await;
        until(|| home.ends().len() == 1).await;
        home.actor.reload();
        assert_eq!(
            home.actor.begin().await,
            Err(SyncRefusal::Waiting(retry_at))
        );
        home.pass(3 * 3600 - 1).await;
        assert_eq!(home.count(), 1);
        home.pass(1).await;
        assert_eq!(home.count(), 2);
    });
}
