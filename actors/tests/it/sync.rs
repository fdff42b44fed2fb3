//! When the rounds of connections run: one at a time, never before a source wants to be asked, whatever crashes meanwhile.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use futures_util::future::join3;
use sextant_actors::clock::FrozenClock;
use sextant_actors::ports::{RoundEnd, RoundReport};
use sextant_actors::supervise::{ActorState, Board};
use sextant_actors::sync::{RoundStart, SyncHandle, SyncRefusal};
use sextant_actors::tree::ActorTree;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::support::{FakeRounds, INTERVAL, Play, start_of};
use crate::support::{Fault, World, noon, on_board, run, until};

const ONE: Uuid = Uuid::from_u128(1);
const TWO: Uuid = Uuid::from_u128(2);

/// A tree, whose board the connections' actors stand on, and their port.
struct House {
    tree: ActorTree,
    clock: FrozenClock,
    rounds: FakeRounds,
}

impl House {
    async fn build() -> Self {
        let world = World::new();
        let clock = world.clock.time.clone();
        Self {
            tree: world.start().await,
            rounds: FakeRounds::new(&clock),
            clock,
        }
    }

    fn board(&self) -> &Board {
        &self.tree.board
    }

    fn start(&self, connection: Uuid) -> SyncHandle {
        self.rounds.start(connection, self.board())
    }

    fn count(&self, connection: Uuid) -> usize {
        self.rounds.begun(connection).len()
    }

    async fn has_run(&self, connection: Uuid, rounds: usize) {
        until(|| self.rounds.settled(connection).len() == rounds).await;
    }

    /// Moves the clock, and lets everybody do what is due.
    async fn pass(&self, seconds: i64) {
        self.clock.advance(TimeDelta::seconds(seconds));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[test]
fn a_new_connection_is_read_at_once_and_then_by_its_interval() {
    run(async {
        let house = House::build().await;
        let _actor = house.start(ONE);
        house.has_run(ONE, 1).await;
        house.pass(899).await;
        assert_eq!(house.count(ONE), 1);
        house.pass(91).await;
        assert_eq!(house.count(ONE), 2);
    });
}

#[test]
fn whoever_asks_at_one_instant_joins_one_round() {
    run(async {
        let house = House::build().await;
        let released = Arc::new(Notify::new());
        house.rounds.play(ONE, [Play::Hold(Arc::clone(&released))]);
        let actor = house.start(ONE);
        until(|| house.count(ONE) == 1).await;
        let release = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            released.notify_one();
        };
        let (one, two, ()) = join3(actor.sync_now(), actor.sync_now(), release).await;
        let finished = Ok(RoundReport::of(RoundEnd::Finished));
        assert_eq!((&one, &two), (&finished, &finished));
        assert_eq!(house.count(ONE), 1);
        assert_eq!(
            actor.sync_now().await,
            Ok(RoundReport::of(RoundEnd::Finished))
        );
        assert_eq!(house.count(ONE), 2);
    });
}

#[test]
fn nothing_shortens_what_a_source_asked_for() {
    run(async {
        let house = House::build().await;
        let retry_at = noon() + TimeDelta::hours(2);
        let asked = RoundEnd::Failed {
            retry_at: Some(retry_at),
        };
        house.rounds.play(ONE, [Play::End(asked)]);
        let actor = house.start(ONE);
        house.has_run(ONE, 1).await;
        assert_eq!(actor.sync_now().await, Err(SyncRefusal::Waiting(retry_at)));
        assert_eq!(
            start_of(actor.begin().await),
            Err(SyncRefusal::Waiting(retry_at))
        );
        let id = format!("connection-{ONE}");
        assert_eq!(house.board().restart(&id).await, Ok(None));
        actor.reload();
        house.pass(7199).await;
        assert_eq!(actor.sync_now().await, Err(SyncRefusal::Waiting(retry_at)));
        assert_eq!(house.count(ONE), 1);
        house.pass(1).await;
        assert_eq!(house.count(ONE), 2);
    });
}

/// The service's own patience is not the person's, and a restart begins at once too.
#[test]
fn a_backoff_keeps_no_person_from_a_round() {
    run(async {
        let house = House::build().await;
        let failed = || Play::End(RoundEnd::Failed { retry_at: None });
        house.rounds.play(ONE, [failed(), failed()]);
        let actor = house.start(ONE);
        house.has_run(ONE, 1).await;
        let waiting = actor.sync_now().await;
        assert!(
            matches!(waiting, Err(SyncRefusal::Waiting(_))),
            "{waiting:?}"
        );
        assert_eq!(start_of(actor.begin().await), Ok(RoundStart::Begun));
        house.has_run(ONE, 2).await;
        assert_eq!(start_of(actor.begin().await), Ok(RoundStart::Begun));
        house.has_run(ONE, 3).await;
        let finished = Ok(RoundReport::of(RoundEnd::Finished));
        assert_eq!(actor.sync_now().await, finished);
    });
}

#[test]
fn a_rest_that_was_stored_meanwhile_is_kept_to() {
    run(async {
        let house = House::build().await;
        let released = Arc::new(Notify::new());
        let plays = [
            Play::Hold(Arc::clone(&released)),
            Play::End(RoundEnd::Halted),
        ];
        house.rounds.play(ONE, plays);
        let actor = house.start(ONE);
        until(|| house.count(ONE) == 1).await;
        let retry_at = noon() + TimeDelta::hours(2);
        house.rounds.change_plan(ONE, |plan| {
            plan.retry_at = Some(retry_at);
            plan.wished_until = Some(retry_at);
        });
        released.notify_one();
        house.has_run(ONE, 1).await;
        // The round that is due asks nobody, and finds what is stored.
        house.pass(990).await;
        house.has_run(ONE, 2).await;
        house.pass(6000).await;
        assert_eq!(house.count(ONE), 2);
        assert_eq!(actor.sync_now().await, Err(SyncRefusal::Waiting(retry_at)));
        house.pass(300).await;
        assert_eq!(house.count(ONE), 3);
    });
}

#[test]
fn failures_in_a_row_rest_longer_and_success_forgets_them() {
    run(async {
        let house = House::build().await;
        let failed = || Play::End(RoundEnd::Failed { retry_at: None });
        house.rounds.play(
            ONE,
            [failed(), failed(), Play::End(RoundEnd::Finished), failed()],
        );
        let actor = house.start(ONE);
        house.has_run(ONE, 1).await;
        house.pass(70).await;
        house.has_run(ONE, 2).await;
        house.pass(70).await;
        assert_eq!(house.count(ONE), 2);
        house.pass(70).await;
        house.has_run(ONE, 3).await;
        assert_eq!(
            actor.sync_now().await,
            Ok(RoundReport::of(RoundEnd::Failed { retry_at: None }))
        );
        house.pass(70).await;
        assert_eq!(house.count(ONE), 5);
    });
}

#[test]
fn r506_a_round_that_panics_costs_itself_alone() {
    run(async {
        let house = House::build().await;
        let released = Arc::new(Notify::new());
        house.rounds.play(TWO, [Play::Hold(Arc::clone(&released))]);
        house.rounds.play(ONE, [Play::Panic]);
        let (one, two) = (house.start(ONE), house.start(TWO));
        until(|| house.count(ONE) == 1 && house.count(TWO) == 1).await;
        let row = || on_board(house.board(), &SyncHandle::name_of(ONE));
        until(|| row().state == ActorState::Restarting).await;
        assert_eq!(row().last_error.as_deref(), Some("the round panics"));
        house.has_run(ONE, 1).await;
        assert_eq!((row().state, row().crashes), (ActorState::Running, 1));
        assert_eq!(
            one.sync_now().await,
            Ok(RoundReport::of(RoundEnd::Finished))
        );
        let other = on_board(house.board(), &SyncHandle::name_of(TWO));
        assert_eq!((other.restarts, other.crashes), (0, 0));
        released.notify_one();
        house.has_run(TWO, 1).await;
        assert_eq!(
            two.sync_now().await,
            Ok(RoundReport::of(RoundEnd::Finished))
        );
        assert_eq!(house.count(TWO), 2);
    });
}

#[test]
fn a_connection_that_crashes_too_often_rests_for_an_hour_and_tries_again() {
    run(async {
        let house = House::build().await;
        house.rounds.play(ONE, std::iter::repeat_n(Play::Panic, 5));
        let _actor = house.start(ONE);
        let row = || on_board(house.board(), &SyncHandle::name_of(ONE));
        until(|| house.count(ONE) == 1).await;
        until(|| row().state == ActorState::Parked).await;
        assert_eq!(house.count(ONE), 5);
        let parked = tokio::time::Instant::now();
        house.has_run(ONE, 1).await;
        assert!(parked.elapsed() >= Duration::from_secs(3590));
        assert_eq!(row().state, ActorState::Running);
    });
}

#[test]
fn r506_a_restart_drops_the_round_and_tells_who_waited() {
    run(async {
        let house = House::build().await;
        house.rounds.play(ONE, [Play::Hang]);
        let actor = house.start(ONE);
        until(|| house.count(ONE) == 1).await;
        let restart = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            house.board().restart(&format!("connection-{ONE}")).await
        };
        let (lost, restarted, ()) = join3(actor.sync_now(), restart, async {}).await;
        assert_eq!((lost, restarted), (Err(SyncRefusal::Lost), Ok(None)));
        house.has_run(ONE, 1).await;
        assert_eq!(house.count(ONE), 2);
    });
}

#[test]
fn a_halt_ends_the_round_between_two_pages_and_none_begins_before_a_reload() {
    run(async {
        let house = House::build().await;
        house.rounds.play(ONE, [Play::Hold(Arc::default())]);
        let actor = house.start(ONE);
        until(|| house.count(ONE) == 1).await;
        assert!(actor.halt().await);
        assert_eq!(house.rounds.settled(ONE)[0].report.end, RoundEnd::Halted);
        house.pass(10_000).await;
        assert_eq!(actor.sync_now().await, Err(SyncRefusal::Halted));
        assert_eq!(house.count(ONE), 1);
        assert!(actor.halt().await);
        actor.reload();
        house.has_run(ONE, 2).await;
    });
}

#[test]
fn no_round_begins_before_the_end_of_the_last_is_stored() {
    run(async {
        let house = House::build().await;
        let (hold, held) = Fault::hold();
        let faults = [Fault::away(), Fault::Hang, Fault::LoseAnswer, hold];
        house.rounds.on_settle.add(faults);
        let actor = house.start(ONE);
        until(|| house.rounds.settled(ONE).len() == 1).await;
        house.pass(10_000).await;
        assert_eq!(house.count(ONE), 1);
        held.notify_one();
        house.has_run(ONE, 3).await;
        let settled = house.rounds.settled(ONE);
        assert_eq!(settled[0], settled[1], "the same twice is as once");
        assert_eq!(house.count(ONE), 2);
        assert_eq!(
            actor.sync_now().await,
            Ok(RoundReport::of(RoundEnd::Finished))
        );
    });
}

#[test]
fn a_refused_credential_is_not_tried_again_before_a_person_acted() {
    run(async {
        let house = House::build().await;
        house.rounds.play(ONE, [Play::End(RoundEnd::NeedsPerson)]);
        let actor = house.start(ONE);
        house.has_run(ONE, 1).await;
        house.pass(1_000_000).await;
        assert_eq!(actor.sync_now().await, Err(SyncRefusal::NeedsPerson));
        house
            .board()
            .restart(&format!("connection-{ONE}"))
            .await
            .unwrap();
        house.pass(1_000_000).await;
        assert_eq!(house.count(ONE), 1);
        house
            .rounds
            .change_plan(ONE, |plan| plan.needs_person = false);
        actor.reload();
        house.has_run(ONE, 2).await;
    });
}

#[test]
fn a_long_round_goes_on_at_once_and_one_that_hangs_ends() {
    run(async {
        let house = House::build().await;
        let unfinished = Play::End(RoundEnd::Unfinished);
        house.rounds.play(ONE, [unfinished.clone(), unfinished]);
        house.rounds.play(TWO, [Play::Hang]);
        let (_one, two) = (house.start(ONE), house.start(TWO));
        house.has_run(ONE, 3).await;
        let begun = tokio::time::Instant::now();
        house.has_run(TWO, 1).await;
        assert!(begun.elapsed() > Duration::from_secs(900));
        assert!(matches!(two.sync_now().await, Err(SyncRefusal::Waiting(_))));
    });
}

#[test]
fn a_database_that_is_away_changes_no_verdict_and_is_waited_for() {
    run(async {
        let house = House::build().await;
        house.rounds.on_plan.add([Fault::away(), Fault::away()]);
        house.rounds.play(ONE, [Play::End(RoundEnd::StoreAway)]);
        let _actor = house.start(ONE);
        house.has_run(ONE, 1).await;
        house.pass(60).await;
        house.has_run(ONE, 2).await;
    });
}

#[test]
fn a_week_of_twenty_connections_is_spread_and_on_time() {
    run(async {
        let house = House::build().await;
        let all: Vec<Uuid> = (1..=20).map(Uuid::from_u128).collect();
        let mut actors = Vec::new();
        for connection in &all {
            let read =
                |plan: &mut sextant_actors::ports::SyncPlan| plan.last_success_at = Some(noon());
            house.rounds.change_plan(*connection, read);
            actors.push(house.start(*connection));
        }
        let week = 7 * 24 * 3600;
        for _ in 0..week / 60 {
            house.clock.advance(TimeDelta::seconds(60));
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let interval = i64::try_from(INTERVAL.as_secs()).unwrap();
        for connection in &all {
            let begun = house.rounds.begun(*connection);
            let gaps = begun
                .windows(2)
                .map(|pair| (pair[1] - pair[0]).num_seconds());
            let fits = |gap: i64| (interval..=interval * 11 / 10 + 60).contains(&gap);
            assert!(gaps.clone().all(fits), "{:?}", gaps.collect::<Vec<_>>());
            let count = i64::try_from(begun.len()).unwrap();
            assert!(count >= week / (interval * 11 / 10 + 60), "{count}");
        }
    });
}
