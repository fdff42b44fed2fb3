//! One interleaving: the scheduler, what it checks whenever nobody can move, and the end.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use sextant_actors::clock::FrozenClock;
use sextant_actors::domain::Sector;
use sextant_actors::limits::TreeLimits;
use sextant_actors::sign_ins::SignInsHandle;
use sextant_actors::supervise::Threads;
use sextant_actors::tree::{ActorTree, TreePorts};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use super::chance::Chance;
use super::clock::StagedClock;
use super::history::Log;
use super::operators::{NEAR, Operator, plan};
use super::players::{Client, House, visit};
use super::rounds::{RoundFate, StagedRounds};
use super::stage::{Fate, Stage};
use super::store::StagedStore;
use super::tally::Tally;
use super::tool_service::StagedToolService;
use crate::support::{
    FakeAudit, FakeConnections, FakeOutlets, FakeTokens, grant, name, noon, pulled,
};

/// The agents that may be edited, and last one that nobody edits, whose sessions must not end because of the others.
pub const AGENTS: [&str; 3] = ["amy", "bob", "eve"];
/// Decisions of the scheduler before it only releases what waits.
const DECISIONS_MAX: usize = 160;
/// Crashes of one actor in one play: the fifth within a minute would end the service.
const CRASHES_MAX: u64 = 3;
/// Requests that hang in one play, since each costs its whole deadline.
const HANGS_MAX: usize = 2;
/// Connections that are read all the time.
const SOURCES: u128 = 3;
/// How long everything may take to come to rest.
const REST_SECONDS_MAX: usize = 300;

/// Longer than the longest wait between two attempts to read a row.
const QUIET_SECONDS: usize = 6;

/// The result of a play.
pub struct End {
    pub hash: u64,
    pub trace: Vec<String>,
    pub tally: Tally,
    pub broken: Vec<String>,
}

/// The actors' state, according to the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Health {
    pub registry_crashes: u64,
    pub grants_crashes: u64,
    pub source_crashes: u64,
    pub registry_runs: bool,
    pub grants_runs: bool,
}

pub struct Play {
    pub chance: Chance,
    pub house: House,
    pub tree: ActorTree,
    pub audit: FakeAudit,
    pub store: StagedStore,
    pub health: Health,
    /// When the wall clock moved last, and the number of the registry's crashes before.
    pub moved: Option<(Instant, u64)>,
    tasks: Vec<JoinHandle<()>>,
    hangs: usize,
    trace: Vec<String>,
}

impl Play {
    pub async fn prepare(seed: u64) -> Self {
        let grants = AGENTS.map(|agent| grant(agent, &["mail"]));
        let log = Log::new(&grants, noon());
        let (stage, clock) = (Stage::default(), StagedClock::new());
        let store = StagedStore::new(stage.clone(), log.clone());
        let audit = FakeAudit::default();
        let (rounds, connections) = (StagedRounds::default(), FakeConnections::default());
        for number in 1..=SOURCES {
            connections.put(pulled(number, "source", Sector::Mail));
        }
        let ports = TreePorts {
            audit: Arc::new(audit.clone()),
            grants: Arc::new(store.clone()),
            connections: Arc::new(connections),
            outlets: Arc::new(FakeOutlets::default()),
            journal: None,
            rounds: Arc::new(rounds.clone()),
            sign_ins: Some(SignInsHandle::new(Arc::new(FakeTokens::new(
                &FrozenClock::at(noon()),
            )))),
            draw: Arc::new(|| u16::MAX / 2),
            clock: Arc::new(clock.clone()),
        };
        let tool_service = Arc::new(StagedToolService {
            stage: stage.clone(),
            log: log.clone(),
            clock: clock.clone(),
        });
        let limits = TreeLimits {
            // Nothing ends as idle here.
            session_idle_max: Duration::from_secs(u32::MAX.into()),
            ..TreeLimits::default()
        };
        let tree = ActorTree::start_on(Threads::here(), ports, limits, |_, _| tool_service).await;
        let house = House {
            stage,
            log,
            clock,
            grants: tree.grants.clone(),
            sessions: tree.sessions.clone(),
            board: tree.board.clone(),
            rounds,
        };
        let mut play = Self {
            chance: Chance::seeded(seed),
            house,
            tree,
            audit,
            store,
            health: Health::default(),
            moved: None,
            tasks: Vec::new(),
            hangs: 0,
            trace: Vec::new(),
        };
        play.cast();
        play
    }

    /// Three to seven clients, two to four operators.
    fn cast(&mut self) {
        self.house.stage.open();
        for number in 1..=3 + self.chance.below(5) {
            let agent = name(AGENTS[self.chance.pick(&[0, 0, 0, 1, 1, 2])]);
            let visits = 1 + self.chance.below(3);
            let acts = (0..visits).flat_map(|_| visit(&mut self.chance)).collect();
            let client = Client::new(number, agent, self.house.clone());
            self.enter(number, client.play(acts));
        }
        for number in 101..=102 + self.chance.below(3) {
            let agent = name(AGENTS[self.chance.pick(&[0, 0, 1])]);
            let plans = (0..1 + self.chance.below(3))
                .map(|_| plan(&mut self.chance))
                .collect();
            let operator = Operator {
                number,
                agent,
                house: self.house.clone(),
            };
            self.enter(number, operator.play(plans));
        }
    }

    fn enter(&mut self, number: usize, part: impl Future<Output = ()> + 'static) {
        let task = self.house.clock.task(number, part);
        self.tasks.push(actix_rt::spawn(task));
    }

    pub async fn perform(mut self) -> End {
        let mut decisions = 0;
        self.rest().await;
        while self.is_going_on() && decisions < DECISIONS_MAX && self.is_sound() {
            self.decide().await;
            self.rest().await;
            decisions += 1;
        }
        if self.is_sound() {
            self.finish().await;
        }
        self.end()
    }

    /// Returns when nobody can go on without the scheduler: time is paused, and moves only when nobody can move.
    pub async fn rest(&mut self) {
        sleep(Duration::from_millis(1)).await;
        self.look();
    }

    fn is_going_on(&self) -> bool {
        self.tasks.iter().any(|task| !task.is_finished())
    }

    fn is_sound(&self) -> bool {
        self.house.log.with(|history| history.broken.is_empty())
    }

    async fn decide(&mut self) {
        let waiting = self.house.stage.waiting();
        match self.chance.below(100) {
            0..=57 if waiting > 0 => self.release(),
            58..=76 if waiting > 0 => self.release_some(),
            77..=79 => {
                self.break_clock();
                // In the middle of whatever these begin.
                if self.chance.one_in(2) {
                    self.release_some();
                }
            }
            80..=84 => self.move_clock(),
            85..=87 => self.send_away(),
            88..=89 => self.write_silently(),
            90..=92 => self.end_round(),
            _ => {
                let wait_ms = self
                    .chance
                    .pick(&[1, 100, 100, 1_000, 1_000, 1_000, 2_000, 11_000]);
                self.pass(wait_ms).await;
            }
        }
    }

    /// Lets several steps go on at once.
    fn release_some(&mut self) {
        for _ in 0..2 + self.chance.below(3) {
            self.release();
        }
    }

    /// Lets one waiting step go on, mostly as it should.
    fn release(&mut self) {
        let waiting = self.house.stage.waiting();
        if waiting == 0 {
            return;
        }
        let index = self.chance.below(waiting);
        let mishaps = self.house.stage.mishaps(index);
        let mut fate = Fate::Go;
        if !mishaps.is_empty() && self.chance.one_in(8) {
            fate = self.chance.pick(mishaps);
        }
        if !self.may_befall(fate) {
            fate = Fate::Go;
        }
        let step = self.house.stage.release(index, fate);
        self.tell(format!("{step} -> {fate:?}"));
    }

    fn may_befall(&mut self, fate: Fate) -> bool {
        match fate {
            Fate::Panic => self.health.grants_crashes < CRASHES_MAX,
            Fate::Hang => {
                self.hangs += 1;
                self.hangs <= HANGS_MAX
            }
            _ => true,
        }
    }

    async fn pass(&mut self, wait_ms: u64) {
        self.tell(format!("{wait_ms} ms pass"));
        sleep(Duration::from_millis(wait_ms)).await;
    }

    /// Crashes the next actor that reads the clock: the registry during an open, a find or its sweep, or the grants
    /// during an edit.
    fn break_clock(&mut self) {
        let Health {
            registry_crashes,
            grants_crashes,
            ..
        } = self.health;
        if registry_crashes.max(grants_crashes) < CRASHES_MAX {
            self.house.clock.break_once();
            self.tell("the clock breaks".to_owned());
        }
    }

    /// Ends the round of a connection, mostly well.
    fn end_round(&mut self) {
        let under_way = self.house.rounds.under_way();
        if under_way > 0 {
            let fate = self.chance.pick(&[
                RoundFate::GoOn,
                RoundFate::GoOn,
                RoundFate::Fail,
                RoundFate::Panic,
            ]);
            let index = self.chance.below(under_way);
            self.house.rounds.end(index, fate);
            self.tell(format!("round {index} -> {fate:?}"));
        }
    }

    fn move_clock(&mut self) {
        let by = TimeDelta::from_std(NEAR).unwrap() / self.chance.pick(&[1, 2]);
        self.house.clock.time.advance(by);
        self.house.log.with(|history| history.wall_clock += by);
        self.moved = Some((Instant::now(), self.health.registry_crashes));
        self.tell(format!("the clock moves by {by}"));
    }

    /// Makes a client or an operator leave without an answer.
    fn send_away(&mut self) {
        let which = self.chance.below(self.tasks.len());
        if !self.tasks[which].is_finished() {
            self.tasks[which].abort();
            self.house
                .log
                .with(|history| history.tally.note("somebody leaves without a word"));
            self.tell(format!("player {which} leaves"));
        }
    }

    fn write_silently(&mut self) {
        let agent = name(AGENTS[self.chance.below(2)]);
        let sectors = vec![self.chance.pick(&["health", "contacts"]).to_owned()];
        if self.store.write_silently(&agent, sectors) {
            self.tell(format!("somebody else writes the row of {agent}"));
        }
    }

    /// Nothing goes wrong any more, the rounds of connections that are under way stay so, everything comes to rest, and every agent is served again.
    async fn finish(&mut self) {
        self.tell("the end".to_owned());
        self.house.clock.mend();
        self.come_to_rest().await;
        for (number, (agent, digest)) in (201..).zip(self.alive()) {
            let client = Client::new(number, agent, self.house.clone());
            self.enter(number, client.come_back(digest));
        }
        self.come_to_rest().await;
        self.judge_end().await;
    }

    async fn come_to_rest(&mut self) {
        let mut quiet = 0;
        for _ in 0..REST_SECONDS_MAX {
            self.rest().await;
            let waiting = self.house.stage.waiting();
            for _ in 0..waiting {
                self.house.stage.release(0, Fate::Go);
            }
            if waiting == 0 {
                sleep(Duration::from_secs(1)).await;
                let at_rest = !self.is_going_on() && self.is_settled() && self.all_are_served();
                quiet = if at_rest { quiet + 1 } else { 0 };
            }
            if quiet > QUIET_SECONDS || !self.is_sound() {
                break;
            }
        }
        self.rest().await;
    }

    fn tell(&mut self, line: String) {
        self.trace.push(line);
    }

    fn end(self) -> End {
        let mut hasher = DefaultHasher::new();
        self.trace.hash(&mut hasher);
        let (tally, broken) = self.house.log.with(|history| {
            let tally = std::mem::take(&mut history.tally);
            (tally, std::mem::take(&mut history.broken))
        });
        End {
            hash: hasher.finish(),
            trace: self.trace,
            tally,
            broken,
        }
    }
}
