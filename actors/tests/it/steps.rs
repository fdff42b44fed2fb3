//! A crash of the grants or of the registry between any two steps of an edit, and a commit whose answer is lost: no revoked
//! key stays alive.
//!
//! ```text
//!          before commit | after commit, before publish | after publish, before kill | after kill, before answer
//! held by  the store     | the store's answer           | a registry that restarts   | a session that is slow to end
//! ```

use std::sync::{Arc, mpsc};

use actix_rt::Arbiter;
use futures_util::FutureExt as _;
use sextant_actors::domain::{KeyRefusal, Outcome, Served};
use sextant_actors::grants::{EditError, Edited, GrantsHandle};
use sextant_actors::limits::TreeLimits;
use sextant_actors::ports::GrantChange;
use sextant_actors::sessions::{CallError, CloseReason, Lease};
use sextant_actors::supervise::{ActorState, Threads};
use sextant_actors::tree::ActorTree;
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;

use crate::support::{
    Fault, World, amend, grant, key, legacy, name, query, run, status, uncancelled, until,
};

const REGISTRY: &str = "session registry";

/// Where the edit of `amy` is when something crashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    BeforeCommit,
    AfterCommit,
    AfterPublish,
}

const STEPS: [Step; 3] = [Step::BeforeCommit, Step::AfterCommit, Step::AfterPublish];

/// What crashes there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Crash {
    Grants,
    Registry,
    Both,
}

/// Whether the sender waits for the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sender {
    Waits,
    Leaves,
}

struct Edit {
    world: World,
    tree: ActorTree,
    lease: Lease,
    bob: Lease,
    held: Arc<Notify>,
    answer: JoinHandle<Result<Edited, EditError>>,
}

async fn edit(grants: GrantsHandle, change: GrantChange) -> Result<Edited, EditError> {
    grants.edit(name("amy"), change).await
}

impl Edit {
    /// Begins the edit and stops it at the step.
    async fn begin(step: Step, change: GrantChange) -> Self {
        let world = World::new();
        world.grants.put(grant("eve", &["mail"]));
        let tree = world.start().await;
        let (lease, bob) = (legacy(&tree, "amy").await, legacy(&tree, "bob").await);
        let (fault, held) = match step {
            Step::BeforeCommit => Fault::hold(),
            Step::AfterCommit | Step::AfterPublish => Fault::hold_answer(),
        };
        world.grants.on_apply.add([fault]);
        let answer = tokio::task::spawn_local(edit(tree.grants.clone(), change));
        world.grants.applying.times(1).await;
        let this = Self {
            world,
            tree,
            lease,
            bob,
            held,
            answer,
        };
        if step != Step::BeforeCommit {
            this.world.grants.applied.times(1).await;
        }
        if step == Step::AfterPublish {
            this.publish_while_the_registry_restarts().await;
        }
        this
    }

    /// The edit then waits for the registry, with its kill in the registry's mailbox.
    async fn publish_while_the_registry_restarts(&self) {
        let before = self.tree.grants.resolve(&key("amy")).unwrap().epoch;
        self.crash_registry().await;
        self.held.notify_one();
        let resolved = || self.tree.grants.resolve(&key("amy"));
        at_once(|| resolved().map_or(true, |ticket| ticket.epoch != before)).await;
        assert_eq!(status(&self.tree, REGISTRY).state, ActorState::Restarting);
        assert_eq!(self.lease.gate().state(), None, "not killed yet");
    }

    /// The registry crashes at its next sweep.
    async fn crash_registry(&self) {
        until(|| status(&self.tree, REGISTRY).state == ActorState::Running).await;
        let before = status(&self.tree, REGISTRY).crashes;
        self.world.clock.break_once();
        until(|| status(&self.tree, REGISTRY).crashes > before).await;
    }

    /// The grants crash over another agent's edit.
    async fn crash_grants(&self) {
        self.world.grants.on_apply.add([Fault::Panic]);
        let crash = self.tree.grants.edit(name("eve"), amend(&["home"])).await;
        assert_eq!(crash.unwrap_err(), EditError::FateUnknown);
    }

    async fn crash(&self, crash: Crash) {
        if crash != Crash::Grants {
            self.crash_registry().await;
        }
        if crash != Crash::Registry {
            self.crash_grants().await;
        }
    }

    /// Asserts what must hold from the answer on, and what must hold in the end.
    async fn ends_well(self, change: &GrantChange, sender: Sender) {
        self.held.notify_one();
        if sender == Sender::Waits {
            let answer = self.answer.await.unwrap();
            let untouched = self.world.grants.get(&name("amy")) == Some(grant("amy", &["mail"]));
            assert!(
                self.lease.gate().pass(|| "a byte").is_err() || untouched,
                "after {answer:?} a byte passed"
            );
        }
        let stored = || self.world.grants.get(&name("amy"));
        let settled = || self.tree.grants.get(&name("amy")) == stored();
        until(|| settled() && is_answered_as_stored(&self.tree, &self.world)).await;
        until(|| {
            let committed = stored() != Some(grant("amy", &["mail"]));
            !committed || self.lease.gate().state().is_some()
        })
        .await;
        // Everything is served again, under what is stored.
        self.tree
            .grants
            .edit(name("amy"), change.clone())
            .await
            .map_or_else(
                |error| assert_eq!((error, stored()), (EditError::NotFound, None)),
                |edited| assert_eq!(edited.grant, stored()),
            );
        assert!(self.lease.gate().state().is_some());
        let late = self.lease.call(query(), uncancelled()).await;
        assert!(matches!(late, Err(CallError::Closed(_))));
        legacy(&self.tree, "bob")
            .await
            .call(query(), uncancelled())
            .await
            .unwrap();
    }
}

/// Waits for a condition without letting time pass.
async fn at_once(mut fact: impl FnMut() -> bool) {
    while !fact() {
        tokio::task::yield_now().await;
    }
}

/// Whether the old key gives what the database says, and nothing else.
fn is_answered_as_stored(tree: &ActorTree, world: &World) -> bool {
    let resolved = tree.grants.resolve(&key("amy"));
    match world.grants.get(&name("amy")) {
        Some(stored) if stored.revoked_at.is_some() => resolved.err() == Some(KeyRefusal::Revoked),
        Some(stored) if stored.key_digest == key("amy") => {
            resolved.is_ok_and(|ticket| ticket.sectors == stored.granted())
        }
        _ => resolved.err() == Some(KeyRefusal::UnknownAgent),
    }
}

fn the_five_edits() -> [GrantChange; 5] {
    let sectors = vec!["home".to_owned()];
    [
        GrantChange::Create {
            key: key("other"),
            sectors,
            expires_at: None,
        },
        GrantChange::Rotate { key: key("other") },
        amend(&["home"]),
        GrantChange::Revoke,
        GrantChange::Remove,
    ]
}

#[test]
fn a_crash_between_any_two_steps_of_an_edit_leaves_no_revoked_key_alive() {
    for change in the_five_edits() {
        for step in STEPS {
            for crash in [Crash::Grants, Crash::Registry, Crash::Both] {
                for sender in [Sender::Waits, Sender::Leaves] {
                    println!("{change:?}: {crash:?} {step:?}, the sender {sender:?}");
                    run(local(async {
                        let edit = Edit::begin(step, change.clone()).await;
                        if sender == Sender::Leaves {
                            edit.answer.abort();
                        }
                        edit.crash(crash).await;
                        let bob = edit.bob.gate().state();
                        let restarted = status(&edit.tree, REGISTRY).restarts > 0;
                        assert!(bob.is_none() || restarted, "nobody else notices: {bob:?}");
                        edit.ends_well(&change, sender).await;
                    }));
                }
            }
        }
    }
}

/// Lets a test spawn what it awaits later.
async fn local(test: impl Future<Output = ()>) {
    tokio::task::LocalSet::new().run_until(test).await;
}

/// The commit is done and its answer is lost; then something crashes, too.
#[test]
fn a_commit_whose_answer_is_lost_leaves_no_revoked_key_alive_whatever_crashes_next() {
    for change in the_five_edits() {
        for crash in [Crash::Grants, Crash::Registry, Crash::Both] {
            run(local(async {
                let world = World::new();
                world.grants.put(grant("eve", &["mail"]));
                let tree = world.start().await;
                let (lease, bob) = (legacy(&tree, "amy").await, legacy(&tree, "bob").await);
                let (hold, held) = Fault::hold();
                world.grants.on_apply.add([Fault::LoseAnswer]);
                world.grants.on_read.add([hold]);
                let lost = tree.grants.edit(name("amy"), change.clone()).await;
                assert_eq!(lost.unwrap_err(), EditError::FateUnknown);
                assert!(lease.gate().pass(|| "a byte").is_err());
                let refused = tree.grants.resolve(&key("amy"));
                assert_eq!(refused.unwrap_err(), KeyRefusal::UnknownAgent);
                let answer =
                    tokio::task::spawn_local(std::future::ready(Err(EditError::FateUnknown)));
                let edit = Edit {
                    world,
                    tree,
                    lease,
                    bob,
                    held,
                    answer,
                };
                edit.crash(crash).await;
                edit.ends_well(&change, Sender::Waits).await;
            }));
        }
    }
}

/// Only the edit itself knows of the change: its sender has left, and it is noted nowhere else.
#[test]
fn an_edit_that_dies_halfway_leaves_its_agent_refused_until_its_grant_has_been_read() {
    for step in [Step::BeforeCommit, Step::AfterCommit] {
        run(local(async {
            let edit = Edit::begin(step, GrantChange::Revoke).await;
            edit.answer.abort();
            assert!(
                edit.tree.grants.resolve(&key("amy")).is_ok(),
                "not in doubt yet"
            );
            let (hold, read) = Fault::hold();
            edit.world.grants.on_load.add([hold]);
            edit.crash_grants().await;
            edit.world.grants.loading.times(2).await;
            let refused = edit.tree.grants.resolve(&key("amy"));
            assert_eq!(refused.unwrap_err(), KeyRefusal::UnknownAgent);
            assert!(edit.tree.grants.resolve(&key("bob")).is_ok());
            read.notify_one();
            edit.ends_well(&GrantChange::Revoke, Sender::Leaves).await;
        }));
    }
}

/// The gate closes when the call has its answer and nothing is awaited any more: the clock is read at that point.
#[test]
fn an_answer_that_is_ready_as_the_gate_closes_does_not_leave() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        let lease = legacy(&tree, "amy").await;
        let (clock, closing) = (world.clock.clone(), lease.clone());
        world.tool_service.before_answer(move || {
            clock.on_reading(move || {
                // Ending it closes the gate before it waits for anything.
                let _ = closing.end().now_or_never();
            });
            async {}.boxed()
        });
        let late = lease.call(query(), uncancelled()).await;
        assert_eq!(late.unwrap_err(), CallError::Closed(CloseReason::Ended));
        assert_eq!(tree.drain().await, 0);
        let rows = world.audit.rows(1).await;
        assert_eq!(rows.len(), 1);
        assert_eq!(
            rows[0].outcome,
            Some(Outcome::Error),
            "the agent got nothing"
        );
    });
}

/// A call that runs on another thread than the test; its answer.
fn call_on(port: &Arbiter, lease: Lease) -> oneshot::Receiver<Result<Served, CallError>> {
    let (tell, told) = oneshot::channel();
    port.spawn(async move {
        let served = lease.call(query(), uncancelled()).await;
        assert!(tell.send(served).is_ok());
    });
    told
}

/// The registry waits for a session of which a call is busy on its thread and does not stop, and the edit for the registry.
#[test]
fn a_crash_after_the_kill_and_before_the_answer_opens_nothing_again() {
    actix_rt::System::new().block_on(local(async {
        let world = World::new();
        world.grants.put(grant("eve", &["mail"]));
        let tree = world
            .start_on(Threads::own().unwrap(), TreeLimits::default())
            .await;
        let port = Arbiter::new();
        let lease = legacy(&tree, "amy").await;
        let (go_on, wait) = mpsc::channel::<()>();
        world.tool_service.before_answer(move || {
            let _ = wait.recv();
            async {}.boxed()
        });
        let call = call_on(&port, lease.clone());
        world.tool_service.begun.times(1).await;
        let answer = tokio::task::spawn_local(edit(tree.grants.clone(), GrantChange::Revoke));
        assert_eq!(lease.gate().closed().await, CloseReason::GrantChanged);
        world.grants.on_apply.add([Fault::Panic]);
        let crash = tree.grants.edit(name("eve"), amend(&["home"])).await;
        assert_eq!(crash.unwrap_err(), EditError::FateUnknown);
        // On a slow machine the session may have been given up before.
        let answer = answer.await.unwrap();
        assert!(answer.is_ok() || answer.unwrap_err() == EditError::FateUnknown);
        assert!(tree.grants.resolve(&key("amy")).is_err());
        assert!(lease.gate().pass(|| "a byte").is_err());
        go_on.send(()).unwrap();
        assert!(call.await.unwrap().is_err());
        let revoked = async || tree.grants.resolve(&key("amy")).err() == Some(KeyRefusal::Revoked);
        while !revoked().await {
            tokio::task::yield_now().await;
        }
        port.stop();
    }));
}
