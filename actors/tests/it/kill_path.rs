//! A random list of edits, calls and crashes: after an edit has been answered, nothing is answered under the old grant.

use futures_util::future::{join, join_all};
use proptest::prelude::*;
use serde_json::json;
use sextant_actors::domain::Reply;
use sextant_actors::grants::EditError;
use sextant_actors::sessions::{CallError, CloseReason, Era, Lease};
use sextant_actors::supervise::{ActorState, ActorStatus};
use sextant_actors::tree::Tree;
use tokio_util::sync::CancellationToken;

use crate::support::{
    Fault, World, amend, call, cases, client, key, name, query, run, sectors, until,
};

#[derive(Clone, Debug)]
enum Step {
    Open,
    Call,
    Edit(Vec<&'static str>, Option<Fault>),
    CrashRegistry,
}

fn step() -> impl Strategy<Value = Step> {
    let words = prop::sample::subsequence(vec!["finance", "mail", "home"], 0..=3);
    let fault = prop_oneof![
        4 => Just(None),
        1 => Just(Some(Fault::LoseAnswer)),
        1 => Just(Some(Fault::Panic)),
        1 => Just(Some(Fault::away())),
    ];
    prop_oneof![
        3 => Just(Step::Open),
        3 => Just(Step::Call),
        3 => (words, fault).prop_map(|(words, fault)| Step::Edit(words, fault)),
        1 => Just(Step::CrashRegistry),
    ]
}

/// What is known from outside: the leases taken, and what the database holds.
struct Walk {
    world: World,
    tree: Tree,
    leases: Vec<Lease>,
}

impl Walk {
    async fn open(&mut self) {
        let Ok(ticket) = self.tree.grants.resolve(&key("amy")) else {
            return;
        };
        let opened = self
            .tree
            .sessions
            .open(ticket, client("c"), Era::Legacy)
            .await;
        self.leases.extend(opened);
    }

    /// Every answer is one under the grant that the database holds.
    async fn call(&self) {
        let stored = self.world.grants.get(&name("amy")).unwrap().granted();
        let names: Vec<&str> = stored.iter().map(|sector| sector.name()).collect();
        for lease in &self.leases {
            if let Ok(served) = lease.call(query(), CancellationToken::new()).await {
                assert_eq!(served.reply, Reply::Answer(names.join(",")));
            }
        }
    }

    /// Edits while every lease has a call under way.
    async fn edit(&mut self, words: &[&str], fault: Option<Fault>) {
        let hang = || call("query", json!({"do": "hang"}));
        let cancel = CancellationToken::new();
        let open: Vec<Lease> = self
            .leases
            .iter()
            .filter(|lease| lease.gate().state().is_none())
            .cloned()
            .collect();
        let calls = open.iter().map(|lease| lease.call(hang(), cancel.clone()));
        let edit = async {
            self.world.grants.on_apply.add(fault);
            let edited = self.tree.grants.edit(name("amy"), amend(words)).await;
            let kept = matches!(edited, Err(EditError::Unavailable));
            let closed = open
                .iter()
                .all(|lease| lease.gate().pass(|| "a byte").is_err());
            assert!(kept || closed, "after {edited:?} a byte passed");
            if edited.is_ok() {
                assert_eq!(
                    self.world.grants.get(&name("amy")).unwrap().sectors,
                    sectors(words)
                );
            }
            cancel.cancel();
        };
        let (answers, ()) = join(join_all(calls), edit).await;
        for answer in answers {
            let error = answer.unwrap_err();
            assert!(matches!(
                error,
                CallError::Cancelled
                    | CallError::Closed(CloseReason::GrantChanged | CloseReason::Stopped)
            ));
        }
    }

    /// Crashes it at its next sweep and waits until it is back.
    async fn crash_registry(&self) {
        let before = self.registry().restarts;
        self.world.clock.break_once();
        let back = |registry: ActorStatus| {
            registry.restarts > before && registry.state == ActorState::Running
        };
        until(|| back(self.registry())).await;
    }

    fn registry(&self) -> ActorStatus {
        let mut rows = self.tree.board.read().into_iter();
        rows.find(|row| row.name == "session registry").unwrap()
    }
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn r504_after_an_edit_nothing_is_answered_under_the_old_grant(steps in prop::collection::vec(step(), 1..12)) {
        run(async {
            let world = World::new();
            let tree = world.start().await;
            let mut walk = Walk { world, tree, leases: Vec::new() };
            let mut panics = 0;
            for step in steps {
                // The fifth crash of an actor within a minute would end the service.
                panics += usize::from(matches!(step, Step::Edit(_, Some(Fault::Panic)) | Step::CrashRegistry));
                match step {
                    Step::Open => walk.open().await,
                    Step::Call => walk.call().await,
                    Step::Edit(words, fault) if panics < 5 => walk.edit(&words, fault).await,
                    Step::CrashRegistry if panics < 5 => walk.crash_registry().await,
                    Step::Edit(..) | Step::CrashRegistry => {}
                }
            }
        });
    }
}
