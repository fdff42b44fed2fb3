//! Every actor in every way it can fail, as one table, through its real ports.
//!
//! | way | audit | session registry | grants | connections | session |
//! |---|---|---|---|---|---|
//! | a handler panics | none calls a port | `Open` | none calls a port | `Changed` | a call, begun |
//! | a future panics | position, insert | none calls a port | edit, restore | `Changed` | a call |
//! | a timer panics | none calls a port | sweep | waits in its futures | the retry | has none |
//! | the load panics | called, running | loads nothing | called, running | called, running | loads nothing |
//! | the load fails or hangs | yes | loads nothing | yes | yes | loads nothing |
//! | what is in flight panics as it is dropped | position | none calls a port | edit | `Changed` | calls |
//!
//! For a message that always panics, the sender gets no answer, it is not tried again, and those queued behind it are
//! served. Afterwards, at the same addresses: every actor serves, nothing is lost or doubled, no gate is left open, a
//! revoked key is refused, no other actor is affected, and the board has counted. No actor's `restarting` calls a
//! port: its panic is tested beside the guard.

use futures_util::FutureExt as _;
use futures_util::future::{LocalBoxFuture, join, join3};
use serde_json::json;
use sextant_actors::domain::{KeyRefusal, Sector};
use sextant_actors::grants::EditError;
use sextant_actors::ports::GrantChange;
use sextant_actors::sessions::{CallError, CloseReason, Era, Lease, OpenError};
use sextant_actors::supervise::ActorState;
use sextant_actors::tree::ActorTree;
use uuid::Uuid;

use crate::support::{
    Fault, LONG, World, amend, call, client, connection, entry, grant, key, legacy, name, numbers,
    query, run, status, ticket, uncancelled, until,
};

const HOUSE: [&str; 4] = ["audit", "connections", "grants", "session registry"];

/// The state before anything fails: `bob` and `amy` have a session, `eve` is edited, `old` is revoked.
struct House {
    world: World,
    tree: ActorTree,
    bob: Lease,
}

/// One cell of the table.
struct Case {
    actor: &'static str,
    way: &'static str,
    crashes: u64,
    before: fn(&World),
    strike: for<'a> fn(&'a House) -> LocalBoxFuture<'a, ()>,
}

fn nothing(_: &World) {}

fn no_more(_: &House) -> LocalBoxFuture<'_, ()> {
    async {}.boxed_local()
}

/// A failure of the running actor.
fn running(
    actor: &'static str,
    way: &'static str,
    crashes: u64,
    strike: for<'a> fn(&'a House) -> LocalBoxFuture<'a, ()>,
) -> Case {
    Case {
        actor,
        way,
        crashes,
        before: nothing,
        strike,
    }
}

/// A failure of its first load.
fn loading(actor: &'static str, way: &'static str, crashes: u64, before: fn(&World)) -> Case {
    Case {
        actor,
        way,
        crashes,
        before,
        strike: no_more,
    }
}

fn table() -> Vec<Case> {
    use Fault::{Hang, LoseAnswer, Panic, PanicWhenCalled};
    vec![
        running("audit", "a question panics when called", 1, |house| {
            house
                .writes_meet([PanicWhenCalled], [Fault::away()])
                .boxed_local()
        }),
        running("audit", "a question panics", 1, |house| {
            house.writes_meet([Panic], [Fault::away()]).boxed_local()
        }),
        running("audit", "an insert panics when called", 1, |house| {
            house.writes_meet([], [PanicWhenCalled]).boxed_local()
        }),
        running(
            "audit",
            "an insert panics, another is done and its answer lost",
            1,
            |house| house.writes_meet([], [Panic, LoseAnswer]).boxed_local(),
        ),
        running("audit", "writing fails and hangs", 0, |house| {
            house
                .writes_meet([Fault::away(), Hang], [Fault::away(), Hang, LoseAnswer])
                .boxed_local()
        }),
        running(
            "audit",
            "the question after a lost answer panics twice",
            2,
            |house| {
                house
                    .writes_meet([Panic, PanicWhenCalled], [LoseAnswer])
                    .boxed_local()
            },
        ),
        loading("audit", "the load panics when called", 1, |world| {
            world.audit.on_position.add([PanicWhenCalled]);
        }),
        loading("audit", "the load panics while it runs", 1, |world| {
            world.audit.on_position.add([Panic]);
        }),
        loading("audit", "the load fails and hangs", 0, |world| {
            world
                .audit
                .on_position
                .add([Fault::away(), Hang, Fault::away()]);
        }),
        running("session registry", "a handler panics", 1, |house| {
            house.open_panics().boxed_local()
        }),
        running("session registry", "a timer panics", 1, |house| {
            house.sweep_panics().boxed_local()
        }),
        running("grants", "an edit panics when called", 1, |house| {
            house.edit_is_lost([PanicWhenCalled], []).boxed_local()
        }),
        running("grants", "an edit panics", 1, |house| {
            house.edit_is_lost([Panic], []).boxed_local()
        }),
        running("grants", "a restore panics after it failed", 1, |house| {
            house
                .edit_is_lost([LoseAnswer], [Fault::away(), Panic])
                .boxed_local()
        }),
        running(
            "grants",
            "what is in flight panics as it is dropped",
            2,
            |house| house.edits_drop_badly().boxed_local(),
        ),
        running(
            "grants",
            "the load after a crash panics, fails and hangs",
            2,
            |house| {
                house.world.grants.on_load.add([Panic, Fault::away(), Hang]);
                house.edit_is_lost([Panic], []).boxed_local()
            },
        ),
        loading("grants", "the load panics when called", 1, |world| {
            world.grants.on_load.add([PanicWhenCalled]);
        }),
        loading("grants", "the load panics while it runs", 1, |world| {
            world.grants.on_load.add([Panic]);
        }),
        loading("grants", "the load fails and hangs", 0, |world| {
            world
                .grants
                .on_load
                .add([Fault::away(), Hang, Fault::away()]);
        }),
        running("connections", "a handler panics", 1, |house| {
            house.reading_meets([PanicWhenCalled]).boxed_local()
        }),
        running("connections", "a future panics", 1, |house| {
            house.reading_meets([Panic]).boxed_local()
        }),
        running("connections", "a timer panics", 1, |house| {
            house
                .reading_meets([Fault::away(), PanicWhenCalled])
                .boxed_local()
        }),
        running("connections", "a crash while a retry is due", 1, |house| {
            house.a_retry_is_due().boxed_local()
        }),
        running(
            "connections",
            "what is in flight panics as it is dropped",
            2,
            |house| house.readings_drop_badly().boxed_local(),
        ),
        running(
            "connections",
            "the load after a crash panics, fails and hangs",
            2,
            |house| {
                house
                    .reading_meets([Panic, PanicWhenCalled, Fault::away(), Hang])
                    .boxed_local()
            },
        ),
        loading("connections", "the load panics when called", 1, |world| {
            world.connections.on_load.add([PanicWhenCalled]);
        }),
        loading("connections", "the load panics while it runs", 1, |world| {
            world.connections.on_load.add([Panic]);
        }),
        loading("connections", "the load fails and hangs", 0, |world| {
            world
                .connections
                .on_load
                .add([Fault::away(), Hang, Fault::away()]);
        }),
        running("session", "a handler panics", 1, |house| {
            house.call_is_lost("panic when called").boxed_local()
        }),
        running("session", "a future panics", 1, |house| {
            house.call_is_lost("panic").boxed_local()
        }),
        running(
            "session",
            "what is in flight panics as it is dropped",
            2,
            |house| house.calls_drop_badly().boxed_local(),
        ),
        running(
            "grants",
            "a poisonous edit with others queued behind it",
            2,
            |house| house.poison_among_edits().boxed_local(),
        ),
        running(
            "connections",
            "a poisonous change with others queued behind it",
            1,
            |house| house.poison_among_changes().boxed_local(),
        ),
        running(
            "session registry",
            "a poisonous open with others queued behind it",
            1,
            |house| house.poison_among_opens().boxed_local(),
        ),
    ]
}

#[test]
fn every_actor_survives_every_failure_and_nobody_else_notices() {
    for case in table() {
        println!("{}: {}", case.actor, case.way);
        run(async {
            let house = House::build(case.before).await;
            (case.strike)(&house).await;
            house.has_counted(&case).await;
            house.serves().await;
            house.others_never_noticed(&case).await;
        });
    }
}

impl House {
    async fn build(before: fn(&World)) -> Self {
        let world = World::new();
        for agent in ["eve", "zoe", "old"] {
            world.grants.put(grant(agent, &["mail"]));
        }
        (1..=3).for_each(|number| {
            let label = format!("phone {number}");
            world
                .connections
                .put(connection(number, &label, Sector::Health));
        });
        before(&world);
        let tree = world.start().await;
        tree.grants
            .edit(name("old"), GrantChange::Revoke)
            .await
            .unwrap();
        let bob = legacy(&tree, "bob").await;
        Self { world, tree, bob }
    }

    /// Asserts what the board must say of the actor that failed.
    async fn has_counted(&self, case: &Case) {
        until(|| status(&self.tree, case.actor).crashes >= case.crashes).await;
        until(|| status(&self.tree, case.actor).state == ActorState::Running).await;
        let status = status(&self.tree, case.actor);
        let restarts = if case.actor == "session" {
            0
        } else {
            case.crashes
        };
        assert_eq!((status.crashes, status.restarts), (case.crashes, restarts));
        assert_eq!(status.last_error.is_some(), case.crashes > 0);
    }

    /// Asserts that every actor answers, with the expected contents.
    async fn serves(&self) {
        let (world, tree) = (&self.world, &self.tree);
        let revoked = tree.grants.resolve(&key("old")).unwrap_err();
        assert_eq!(revoked, KeyRefusal::Revoked, "a revoked key is dead");
        until(|| tree.grants.resolve(&key("eve")).is_ok()).await;
        let stored = world.grants.get(&name("eve")).unwrap();
        assert_eq!(tree.grants.get(&name("eve")), Some(stored));
        let lease = legacy(tree, "zoe").await;
        lease.call(query(), uncancelled()).await.unwrap();
        let edited = tree.grants.edit(name("zoe"), amend(&["home"])).await;
        assert_eq!(edited.unwrap().sessions_ended, 1);
        assert_eq!(lease.gate().state(), Some(CloseReason::GrantChanged));
        for number in 1..=3 {
            let id = Uuid::from_u128(number);
            tree.connections.reload(id).await.unwrap();
            assert!(tree.connections.snapshot().get(&id).is_some());
        }
        assert_eq!(tree.connections.fetch(Sector::Health, LONG).await.len(), 3);
        drop(tree.audit.record(entry(7)));
        self.drained().await;
        let numbered = numbers(&world.audit.rows(1).await);
        assert_eq!(numbered.iter().filter(|number| **number == 7).count(), 1);
        assert_eq!(tree.audit.stats().written_rows, world.audit.stored() as u64);
    }

    /// With a hanging last statement, draining takes more than one call.
    async fn drained(&self) {
        for _ in 0..10 {
            if self.tree.drain().await == 0 {
                return;
            }
        }
        panic!("{} rows are left", self.tree.audit.stats().waiting_rows);
    }

    async fn others_never_noticed(&self, case: &Case) {
        for other in HOUSE.into_iter().filter(|other| *other != case.actor) {
            let status = status(&self.tree, other);
            assert_eq!(
                (status.crashes, status.state),
                (0, ActorState::Running),
                "{other}"
            );
        }
        let open = self.tree.sessions.list(None).await;
        if case.actor == "session registry" {
            assert_eq!(self.bob.gate().state(), Some(CloseReason::Stopped));
            assert!(open.iter().all(|session| session.id != *self.bob.id()));
        } else {
            self.bob.call(query(), uncancelled()).await.unwrap();
            assert!(open.iter().any(|session| session.id == *self.bob.id()));
        }
    }
}

/// The writer of the audit log.
impl House {
    async fn writes_meet<const N: usize, const M: usize>(
        &self,
        positions: [Fault; N],
        inserts: [Fault; M],
    ) {
        self.world.audit.on_position.add(positions);
        self.world.audit.on_append.add(inserts);
        (0..5).for_each(|number| drop(self.tree.audit.record(entry(number))));
        self.world.audit.rows(5).await;
        self.drained().await;
        assert_eq!(numbers(&self.world.audit.rows(5).await), [0, 1, 2, 3, 4]);
    }
}

/// The registry, whose only port is the clock.
impl House {
    async fn open(&self, agent: &str) -> Result<Lease, OpenError> {
        let ticket = ticket(&self.tree, agent);
        self.tree
            .sessions
            .open(ticket, client("c"), Era::Modern)
            .await
    }

    async fn open_panics(&self) {
        let ticket = ticket(&self.tree, "eve");
        self.world.clock.break_once();
        let opened = self
            .tree
            .sessions
            .open(ticket, client("c"), Era::Modern)
            .await;
        assert_eq!(opened.err(), Some(OpenError::Unavailable));
    }

    async fn sweep_panics(&self) {
        self.world.clock.break_once();
        assert_eq!(self.bob.gate().closed().await, CloseReason::Stopped);
    }

    async fn poison_among_opens(&self) {
        let poison = self.open_panics();
        let listed = self.tree.sessions.list(None);
        let ((), _, none) = join3(poison, async {}, listed).await;
        assert!(
            none.is_empty(),
            "a question behind it is answered, after the restart"
        );
        self.open("zoe").await.unwrap().end().await;
    }
}

/// The grants.
impl House {
    async fn edit_is_lost<const N: usize, const M: usize>(
        &self,
        applies: [Fault; N],
        reads: [Fault; M],
    ) {
        let lease = legacy(&self.tree, "eve").await;
        self.world.grants.on_apply.add(applies);
        self.world.grants.on_read.add(reads);
        let edited = self.tree.grants.edit(name("eve"), amend(&["home"])).await;
        assert_eq!(edited.unwrap_err(), EditError::FateUnknown);
        assert_eq!(lease.gate().state(), Some(CloseReason::GrantChanged));
    }

    async fn edits_drop_badly(&self) {
        self.world
            .grants
            .on_apply
            .add([Fault::PanicWhenDropped, Fault::Panic]);
        let lease = legacy(&self.tree, "amy").await;
        let stuck = self.tree.grants.edit(name("amy"), amend(&["home"]));
        let crash = async {
            self.world.grants.applying.times(2).await;
            self.tree.grants.edit(name("eve"), amend(&["home"])).await
        };
        let (stuck, crashed) = join(stuck, crash).await;
        assert_eq!(stuck.unwrap_err(), EditError::FateUnknown);
        assert_eq!(crashed.unwrap_err(), EditError::FateUnknown);
        assert_eq!(lease.gate().state(), Some(CloseReason::GrantChanged));
    }

    /// Edits queued behind the poisonous one had not begun when the actor crashed, so they are not lost, even in
    /// another crash.
    async fn poison_among_edits(&self) {
        self.world.grants.on_apply.add([Fault::PanicWhenCalled]);
        let edit = |agent| self.tree.grants.edit(name(agent), amend(&["home"]));
        self.world.grants.on_load.add([Fault::Panic]);
        let (poison, behind, further) = join3(edit("eve"), edit("zoe"), edit("amy")).await;
        assert_eq!(poison.unwrap_err(), EditError::FateUnknown);
        assert_eq!(behind.unwrap().grant.unwrap().sectors, ["home"]);
        assert_eq!(further.unwrap().grant.unwrap().sectors, ["home"]);
    }
}

/// The connections.
impl House {
    async fn changed(&self, number: u128) -> bool {
        self.tree
            .connections
            .reload(Uuid::from_u128(number))
            .await
            .is_ok()
    }

    /// A connection that could not be read is refused until it could.
    async fn reading_meets<const N: usize>(&self, faults: [Fault; N]) {
        self.world.connections.on_load.add(faults);
        assert!(!self.changed(1).await);
        let id = Uuid::from_u128(1);
        assert!(self.tree.connections.snapshot().get(&id).is_none());
        until(|| self.tree.connections.snapshot().get(&id).is_some()).await;
    }

    /// A crash cancels the retry; the next failure schedules another.
    async fn a_retry_is_due(&self) {
        let whole = || self.tree.connections.snapshot().values().count() == 3;
        let faults = [Fault::away(), Fault::PanicWhenCalled];
        self.world.connections.on_load.add(faults);
        assert!(!self.changed(1).await && !self.changed(2).await);
        until(whole).await;
        self.world.connections.on_load.add([Fault::away()]);
        assert!(!self.changed(3).await && !whole());
        until(whole).await;
    }

    async fn readings_drop_badly(&self) {
        self.world
            .connections
            .on_load
            .add([Fault::PanicWhenDropped, Fault::Panic]);
        let (stuck, crashed) = join(self.changed(1), self.changed(2)).await;
        assert!(!stuck && !crashed);
        until(|| self.tree.connections.snapshot().values().count() == 3).await;
    }

    async fn poison_among_changes(&self) {
        self.world.connections.on_load.add([Fault::PanicWhenCalled]);
        let (poison, behind) = join(self.changed(1), self.changed(2)).await;
        assert!(!poison && behind);
        until(|| self.tree.connections.snapshot().values().count() == 3).await;
    }
}

/// Sessions.
impl House {
    async fn call_is_lost(&self, how: &str) {
        let lease = legacy(&self.tree, "amy").await;
        let poison = call("query", json!({ "target": "mail.messages", "do": how }));
        let lost = lease.call(poison, uncancelled()).await.unwrap_err();
        assert_eq!(lost, CallError::Closed(CloseReason::Stopped));
        assert_eq!(lease.gate().state(), Some(CloseReason::Stopped));
        self.has_rows(1).await;
    }

    async fn calls_drop_badly(&self) {
        let lease = legacy(&self.tree, "amy").await;
        let what = |how| call("query", json!({ "do": how }));
        let stuck = lease.call(what("panic when dropped"), uncancelled());
        let crash = lease.call(what("panic"), uncancelled());
        let (stuck, crashed) = join(stuck, crash).await;
        assert_eq!(stuck.unwrap_err(), CallError::Closed(CloseReason::Stopped));
        assert_eq!(
            crashed.unwrap_err(),
            CallError::Closed(CloseReason::Stopped)
        );
        assert_eq!(lease.gate().state(), Some(CloseReason::Stopped));
        self.has_rows(2).await;
    }

    /// Asserts that each of the lost calls has left its one row.
    async fn has_rows(&self, count: usize) {
        assert_eq!(self.tree.drain().await, 0);
        assert_eq!(self.world.audit.stored(), count);
    }
}
