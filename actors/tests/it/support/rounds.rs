//! Rounds as a test wants them to end, and a store of their timing.

use std::collections::{HashMap, VecDeque};
use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sextant_actors::clock::{Clock, FrozenClock};
use sextant_actors::ports::{
    PortError, PortFuture, RoundEnd, RoundOrder, RoundReport, Rounds, Settlement, SyncPlan,
};
use sextant_actors::supervise::{Board, Threads};
use sextant_actors::sync::{AskedRound, RoundStart, SyncHandle, SyncServices};
use tokio::sync::Notify;
use uuid::Uuid;

use super::faults::Script;

/// Between two rounds of every connection here.
pub const INTERVAL: Duration = Duration::from_secs(900);

/// What one round does.
#[derive(Clone)]
pub enum Play {
    /// Ends so, at once.
    End(RoundEnd),
    /// Ends when it is released, or halted.
    Hold(Arc<Notify>),
    /// Is read, catches up when it is released, and is listened to until the second release; then it falls silent.
    Stream(Arc<Notify>),
    /// Ends when it is released, whatever it is told.
    Deaf(Arc<Notify>),
    /// Never ends, whatever it is told.
    Hang,
    Panic,
}

#[derive(Default)]
struct Kept {
    plays: HashMap<Uuid, VecDeque<Play>>,
    plans: HashMap<Uuid, SyncPlan>,
    plans_read: HashMap<Uuid, usize>,
    siblings: HashMap<Uuid, Vec<Uuid>>,
    begun: HashMap<Uuid, Vec<chrono::DateTime<chrono::Utc>>>,
    settled: HashMap<Uuid, Vec<Settlement>>,
    under_way: HashMap<Uuid, usize>,
}

/// The port; clones share it.
#[derive(Clone)]
pub struct FakeRounds {
    kept: Arc<Mutex<Kept>>,
    clock: FrozenClock,
    pub on_settle: Script,
    pub on_plan: Script,
}

impl FakeRounds {
    pub fn new(clock: &FrozenClock) -> Self {
        Self {
            kept: Arc::default(),
            clock: clock.clone(),
            on_settle: Script::default(),
            on_plan: Script::default(),
        }
    }

    /// Starts the actor of a connection.
    pub fn start(&self, connection: Uuid, board: &Board) -> SyncHandle {
        let services = SyncServices {
            rounds: Arc::new(self.clone()),
            clock: Arc::new(self.clock.clone()),
            draw: Arc::new(|| u16::MAX / 2),
            settled: Arc::new(|_| {}),
        };
        SyncHandle::start(connection, services, board, &Threads::here())
    }

    /// The rounds to come; those after them finish at once.
    pub fn play(&self, connection: Uuid, plays: impl IntoIterator<Item = Play>) {
        let mut kept = self.kept.lock().unwrap();
        kept.plays.entry(connection).or_default().extend(plays);
    }

    pub fn change_plan(&self, connection: Uuid, change: impl FnOnce(&mut SyncPlan)) {
        change(self.kept.lock().unwrap().plan(connection));
    }

    /// How often the plan of a connection was read.
    pub fn plans_read(&self, connection: Uuid) -> usize {
        let kept = self.kept.lock().unwrap();
        kept.plans_read
            .get(&connection)
            .copied()
            .unwrap_or_default()
    }

    /// The others of its sign-in.
    pub fn has_siblings(&self, connection: Uuid, siblings: impl Into<Vec<Uuid>>) {
        let mut kept = self.kept.lock().unwrap();
        kept.siblings.insert(connection, siblings.into());
    }

    /// When each round of a connection began.
    pub fn begun(&self, connection: Uuid) -> Vec<chrono::DateTime<chrono::Utc>> {
        let kept = self.kept.lock().unwrap();
        kept.begun.get(&connection).cloned().unwrap_or_default()
    }

    pub fn settled(&self, connection: Uuid) -> Vec<Settlement> {
        let kept = self.kept.lock().unwrap();
        kept.settled.get(&connection).cloned().unwrap_or_default()
    }
}

impl Kept {
    fn plan(&mut self, connection: Uuid) -> &mut SyncPlan {
        self.plans.entry(connection).or_insert(SyncPlan {
            interval: INTERVAL,
            is_stream: false,
            last_success_at: None,
            retry_at: None,
            wished_until: None,
            needs_person: false,
        })
    }
}

/// One round under way; there may be one a connection.
struct Turn(FakeRounds, Uuid);

impl Turn {
    fn begin(rounds: &FakeRounds, connection: Uuid) -> Self {
        let mut kept = rounds.kept.lock().unwrap();
        let under_way = kept.under_way.entry(connection).or_default();
        *under_way += 1;
        assert_eq!(*under_way, 1, "two rounds of {connection} at one time");
        let now = rounds.clock.now();
        kept.begun.entry(connection).or_default().push(now);
        Self(rounds.clone(), connection)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut kept = self.0.kept.lock().unwrap();
        *kept.under_way.get_mut(&self.1).unwrap() -= 1;
    }
}

/// What a stream brings until it has caught up.
pub const CAUGHT_UP: u64 = 7;

async fn listen(released: &Notify, round: &RoundOrder) {
    released.notified().await;
    let caught_up = RoundReport {
        upserted: CAUGHT_UP,
        ..RoundReport::of(RoundEnd::Listening)
    };
    round.caught_up.set(caught_up).unwrap();
    released.notified().await;
}

impl Rounds for FakeRounds {
    fn plan(&self, connection: Uuid) -> PortFuture<Result<SyncPlan, PortError>> {
        let (rounds, fault) = (self.clone(), self.on_plan.next());
        Box::pin(async move {
            Script::act(fault).await?;
            let mut kept = rounds.kept.lock().unwrap();
            *kept.plans_read.entry(connection).or_default() += 1;
            Ok(*kept.plan(connection))
        })
    }

    fn run(&self, round: RoundOrder) -> PortFuture<RoundReport> {
        let turn = Turn::begin(self, round.connection);
        let mut kept = self.kept.lock().unwrap();
        let plays = kept.plays.entry(round.connection).or_default();
        let play = plays.pop_front().unwrap_or(Play::End(RoundEnd::Finished));
        Box::pin(async move {
            let _turn = turn;
            RoundReport::of(match play {
                Play::End(end) => end,
                Play::Stream(released) => tokio::select! {
                    () = listen(&released, &round) => RoundEnd::Failed { retry_at: None },
                    () = round.halt.cancelled() => RoundEnd::Halted,
                },
                Play::Hold(released) => tokio::select! {
                    () = released.notified() => RoundEnd::Finished,
                    () = round.halt.cancelled() => RoundEnd::Halted,
                },
                Play::Deaf(released) => {
                    released.notified().await;
                    RoundEnd::Finished
                }
                Play::Hang => pending().await,
                Play::Panic => panic!("the round panics"),
            })
        })
    }

    fn settle(&self, connection: Uuid, settled: Settlement) -> PortFuture<Result<(), PortError>> {
        let (rounds, fault) = (self.clone(), self.on_settle.next());
        Box::pin(async move {
            let is_lost = Script::act(fault).await?;
            let mut kept = rounds.kept.lock().unwrap();
            let plan = kept.plan(connection);
            // A wish that lasts beyond the round was stored meanwhile, and stays.
            let wished = plan.wished_until.filter(|until| *until > settled.ended_at);
            plan.retry_at = settled.retry_at.max(wished);
            plan.wished_until = settled.report.end.wish().max(wished);
            // Only a person changes that again.
            plan.needs_person |= settled.report.end == RoundEnd::NeedsPerson;
            if let RoundEnd::Finished | RoundEnd::Listening = settled.report.end {
                plan.last_success_at = Some(settled.ended_at);
            }
            let all = kept.settled.entry(connection).or_default();
            all.push(settled);
            match is_lost {
                true => Err(PortError::FateUnknown("lost".to_owned())),
                false => Ok(()),
            }
        })
    }

    fn siblings(&self, connection: Uuid) -> PortFuture<Result<Vec<Uuid>, PortError>> {
        let kept = self.kept.lock().unwrap();
        let siblings = kept.siblings.get(&connection).cloned().unwrap_or_default();
        Box::pin(async move { Ok(siblings) })
    }
}

/// What a round that was asked for is to whoever asked.
pub fn start_of<E>(round: Result<AskedRound, E>) -> Result<RoundStart, E> {
    round.map(|round| round.start)
}
