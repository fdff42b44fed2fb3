//! A world for the actors: fake ports, a frozen clock, and a runtime whose time is paused.

mod audit;
mod connections;
mod disk;
mod faults;
mod grants;
mod outlets;
mod rounds;
mod tokens;
mod tool_service;

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, Utc};
use proptest::test_runner::Config as ProptestConfig;
use serde_json::{Value, json};
use sextant_actors::audit::{AuditEntry, SafeArgs};
use sextant_actors::clock::{Clock, ClockFuture, FrozenClock};
use sextant_actors::domain::{AgentName, Call, Digest, Outcome, Sector, SectorSet, Ticket};
use sextant_actors::limits::TreeLimits;
use sextant_actors::ports::{GrantChange, JournalDisk};
use sextant_actors::sessions::{ClientInfo, Era, Lease};
use sextant_actors::sign_ins::SignInsHandle;
use sextant_actors::supervise::{ActorStatus, Board, Threads};
use sextant_actors::tree::{ActorTree, TreePorts};
use tokio_util::sync::CancellationToken;

pub use audit::{Asked, FakeAudit};
pub use connections::{FakeConnections, connection, pulled};
pub use disk::{DiskFault, FakeDisk};
pub use faults::{Fault, lost};
pub use grants::{FakeGrants, change_row, grant};
pub use outlets::FakeOutlets;
pub use rounds::{CAUGHT_UP, FakeRounds, INTERVAL, Play, start_of};
pub use tokens::{FakeTokens, Obtain, TOKEN_LIFE, problem, token};
pub use tool_service::FakeToolService;

/// How much paused time a test may take.
const PLAY_MAX: Duration = Duration::from_secs(6 * 3600);

/// Longer than whatever a fetch here waits for.
pub const LONG: Duration = Duration::from_secs(60);

/// How much real time a test may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// Runs a test on one thread whose timers jump ahead whenever everybody waits.
pub fn run<T>(test: impl Future<Output = T>) -> T {
    let runtime = || {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .unwrap()
    };
    let bounded = async { tokio::time::timeout(PLAY_MAX, test).await };
    let played = actix_rt::System::with_tokio_rt(runtime).block_on(bounded);
    played.unwrap_or_else(|_| panic!("what the test waits for never happens"))
}

/// Runs a test that has threads of its own, for which time cannot be paused.
pub fn in_real_time<T>(test: impl Future<Output = T>) -> T {
    let bounded = async { tokio::time::timeout(PATIENCE, test).await };
    let played = actix_rt::System::new().block_on(bounded);
    played.unwrap_or_else(|_| panic!("what the test waits for never happens"))
}

/// Waits until a condition is true. Time is paused: this only lets other tasks run.
pub async fn until(mut fact: impl FnMut() -> bool) {
    while !fact() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// This many cases; a failure is shrunk and printed, and not kept in a file.
pub fn cases(count: u32) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(count)
    }
}

/// A clock that panics once on request: the way to crash an actor that has no port of its own.
#[derive(Clone)]
pub struct FragileClock {
    pub time: FrozenClock,
    broken: Arc<AtomicBool>,
    on_reading: Arc<Mutex<Option<Reading>>>,
}

type Reading = Box<dyn FnOnce() + Send>;

impl FragileClock {
    /// Runs `what` when the clock is next read: a way into a moment at which nothing is awaited.
    pub fn on_reading(&self, what: impl FnOnce() + Send + 'static) {
        *self.on_reading.lock().unwrap() = Some(Box::new(what));
    }

    pub fn break_once(&self) {
        self.broken.store(true, Ordering::SeqCst);
    }
}

impl Clock for FragileClock {
    fn now(&self) -> DateTime<Utc> {
        assert!(
            !self.broken.swap(false, Ordering::SeqCst),
            "the clock is broken"
        );
        let reading = self.on_reading.lock().unwrap().take();
        if let Some(reading) = reading {
            reading();
        }
        self.time.now()
    }

    fn wait_until(&self, at: DateTime<Utc>) -> ClockFuture<'_> {
        self.time.wait_until(at)
    }
}

/// The fake ports; clones share them.
#[derive(Clone)]
pub struct World {
    pub audit: FakeAudit,
    pub grants: FakeGrants,
    pub connections: FakeConnections,
    pub rounds: FakeRounds,
    pub tokens: FakeTokens,
    pub outlets: FakeOutlets,
    pub tool_service: FakeToolService,
    pub clock: FragileClock,
    /// The journal's disk; `None` unless the test is about the journal.
    pub disk: Option<FakeDisk>,
}

impl World {
    /// Two agents who hold mail: `amy` with the key `amy-key`, and `bob` likewise.
    pub fn new() -> Self {
        let time = FrozenClock::at(noon());
        let world = Self {
            audit: FakeAudit::default(),
            grants: FakeGrants::default(),
            connections: FakeConnections::default(),
            rounds: FakeRounds::new(&time),
            tokens: FakeTokens::new(&time),
            outlets: FakeOutlets::default(),
            tool_service: FakeToolService::default(),
            clock: FragileClock {
                time,
                broken: Arc::default(),
                on_reading: Arc::default(),
            },
            disk: None,
        };
        world.grants.put(grant("amy", &["mail"]));
        world.grants.put(grant("bob", &["mail"]));
        world
    }

    pub async fn start(&self) -> ActorTree {
        self.start_with(TreeLimits::default()).await
    }

    pub async fn start_with(&self, limits: TreeLimits) -> ActorTree {
        self.start_on(Threads::here(), limits).await
    }

    pub async fn start_on(&self, threads: Threads, limits: TreeLimits) -> ActorTree {
        let sign_ins = SignInsHandle::new(Arc::new(self.tokens.clone()));
        self.start_with_sign_ins(sign_ins, threads, limits).await
    }

    /// The same, with a handle of the sign-ins that somebody has already.
    pub async fn start_with_sign_ins(
        &self,
        sign_ins: SignInsHandle,
        threads: Threads,
        limits: TreeLimits,
    ) -> ActorTree {
        let ports = TreePorts {
            audit: Arc::new(self.audit.clone()),
            grants: Arc::new(self.grants.clone()),
            connections: Arc::new(self.connections.clone()),
            outlets: Arc::new(self.outlets.clone()),
            journal: self
                .disk
                .clone()
                .map(|disk| Arc::new(disk) as Arc<dyn JournalDisk>),
            rounds: Arc::new(self.rounds.clone()),
            sign_ins: Some(sign_ins),
            draw: Arc::new(|| u16::MAX / 2),
            clock: Arc::new(self.clock.clone()),
        };
        let tool_service = Arc::new(self.tool_service.clone());
        ActorTree::start_on(threads, ports, limits, |_, _| tool_service).await
    }
}

pub fn noon() -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).unwrap()
}

pub fn name(agent: &str) -> AgentName {
    agent.parse().unwrap()
}

pub fn client(name: &str) -> ClientInfo {
    ClientInfo {
        name: name.to_owned(),
        version: "1".to_owned(),
    }
}

pub fn query() -> Call {
    call("query", json!({"target": "mail.messages"}))
}

pub fn call(tool: &str, arguments: Value) -> Call {
    Call {
        tool: tool.to_owned(),
        arguments,
        request_id: Some("7".to_owned()),
    }
}

pub fn sectors(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

pub fn set(words: &[&str]) -> SectorSet {
    SectorSet::resolve(&sectors(words))
}

pub fn amend(words: &[&str]) -> GrantChange {
    GrantChange::Amend {
        sectors: Some(sectors(words)),
        expires_at: None,
    }
}

pub fn key(agent: &str) -> Digest {
    Digest::of(&format!("{agent}-key"))
}

pub fn ticket(tree: &ActorTree, agent: &str) -> Ticket {
    tree.grants.resolve(&key(agent)).unwrap()
}

pub async fn legacy(tree: &ActorTree, agent: &str) -> Lease {
    let ticket = ticket(tree, agent);
    tree.sessions
        .open(ticket, client("c"), Era::Legacy)
        .await
        .unwrap()
}

/// A call that never ends.
pub fn hang() -> Call {
    call("query", json!({"target": "mail.messages", "do": "hang"}))
}

pub fn uncancelled() -> CancellationToken {
    CancellationToken::new()
}

/// An audit entry that can be told from the others by its number.
pub fn entry(number: usize) -> AuditEntry {
    AuditEntry {
        agent_id: Some("amy".into()),
        sector: Some(Sector::Mail),
        args: args(json!({ "n": number })),
        result_count: Some(1),
        outcome: Some(Outcome::Ok),
        ..AuditEntry::unfinished("query")
    }
}

/// Arguments as an entry holds them.
pub fn args(args: Value) -> Option<SafeArgs> {
    Some(SafeArgs::of(&args))
}

/// The numbers of the rows that still have theirs.
pub fn numbers(rows: &[AuditEntry]) -> Vec<u64> {
    let number = |row: &AuditEntry| {
        let args: Value = serde_json::from_str(row.args.as_ref()?.as_str()).unwrap();
        args.get("n")?.as_u64()
    };
    rows.iter().filter_map(number).collect()
}

/// An actor's state, according to the board.
pub fn status(tree: &ActorTree, actor: &str) -> ActorStatus {
    on_board(&tree.board, actor)
}

/// As [`status`], without the tree, which the board outlives.
pub fn on_board(board: &Board, actor: &str) -> ActorStatus {
    let rows = board.read();
    rows.into_iter().find(|row| row.name == actor).unwrap()
}
