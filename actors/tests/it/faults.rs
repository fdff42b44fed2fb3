//! Every way in which a database can fail the batcher, and a crash of the batcher itself.

use proptest::prelude::*;
use serde_json::json;
use sextant_actors::audit::AuditEntry;
use sextant_actors::ports::PortError;

use crate::support::{Fault, World, args, cases, entry, numbers, run, status};

#[test]
fn r502_rows_wait_while_the_database_is_away_then_land_once() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        world.audit.on_position.add([Fault::away(), Fault::Hang]);
        let refused = PortError::Unavailable("full".to_owned());
        world
            .audit
            .on_append
            .add([Fault::Fail(refused), Fault::Hang, Fault::LoseAnswer]);
        (0..3).for_each(|number| drop(tree.audit.record(entry(number))));
        assert_eq!(tree.audit.stats().waiting_rows, 3);
        world.audit.rows(3).await;
        assert_eq!(tree.drain().await, 0);
        assert_eq!(numbers(&world.audit.rows(3).await), [0, 1, 2]);
        assert_eq!(world.audit.inserts(), [3], "nothing is sent that is there");
        let stats = tree.audit.stats();
        assert_eq!((stats.waiting_rows, stats.waiting_bytes), (0, 0));
        assert_eq!((stats.written_rows, stats.dropped_rows), (3, 0));
    });
}

#[test]
fn a_crash_of_the_batcher_loses_nothing_and_doubles_nothing() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        world.audit.on_position.add([Fault::Panic]);
        world
            .audit
            .on_append
            .add([Fault::Panic, Fault::LoseAnswer, Fault::Panic]);
        (0..3).for_each(|number| drop(tree.audit.record(entry(number))));
        world.audit.rows(3).await;
        drop(tree.audit.record(entry(3)));
        assert_eq!(tree.drain().await, 0);
        assert_eq!(numbers(&world.audit.rows(4).await), [0, 1, 2, 3]);
        let audit = status(&tree, "audit");
        assert_eq!(audit.restarts, 3);
        assert_eq!(audit.last_error.as_deref(), Some("the port panics"));
    });
}

#[test]
fn only_the_row_at_fault_loses_its_arguments() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        world
            .audit
            .refuse(|row| row.args == args(json!({ "n": 13 })));
        (0..40).for_each(|number| drop(tree.audit.record(entry(number))));
        let rows = world.audit.rows(40).await;
        assert_eq!(rows[13].args, args(json!("[truncated]")));
        let rest: Vec<u64> = (0..40).filter(|number| *number != 13).collect();
        assert_eq!(numbers(&rows), rest, "in the order they were recorded");
        assert_eq!(tree.drain().await, 0);
        assert_eq!(tree.audit.stats().waiting_bytes, 0);
    });
}

#[test]
fn a_row_that_can_never_be_stored_is_counted_and_holds_up_nobody() {
    run(async {
        let world = World::new();
        let tree = world.start().await;
        world.audit.refuse(|row| row.tool == "poison");
        let poison = AuditEntry {
            tool: "poison".into(),
            ..entry(1)
        };
        [entry(0), poison, entry(2)]
            .into_iter()
            .for_each(|row| drop(tree.audit.record(row)));
        assert_eq!(numbers(&world.audit.rows(2).await), [0, 2]);
        assert_eq!(tree.drain().await, 0);
        let stats = tree.audit.stats();
        assert_eq!((stats.written_rows, stats.dropped_rows), (2, 1));
        assert_eq!(stats.waiting_bytes, 0);
    });
}

fn fault() -> impl Strategy<Value = Fault> {
    prop_oneof![
        Just(Fault::away()),
        Just(Fault::LoseAnswer),
        Just(Fault::Hang),
        Just(Fault::Panic),
    ]
}

proptest! {
    #![proptest_config(cases(64))]

    // No more than four panics, for the fifth within a minute ends the service.
    #[test]
    fn whatever_the_database_does_every_row_lands_exactly_once(
        on_position in prop::collection::vec(fault(), 0..2),
        on_append in prop::collection::vec(fault(), 0..3),
        bursts in prop::collection::vec(1_usize..40, 1..5),
        poisoned in 0_usize..40,
    ) {
        run(async {
            let world = World::new();
            let tree = world.start().await;
            world.audit.refuse(move |row| row.args == args(json!({ "n": poisoned })));
            world.audit.on_position.add(on_position);
            world.audit.on_append.add(on_append);
            let mut recorded = 0;
            for burst in bursts {
                (0..burst).for_each(|_| {
                    drop(tree.audit.record(entry(recorded)));
                    recorded += 1;
                });
                world.audit.rows(recorded).await;
            }
            // With a hanging last statement, draining takes more than one call.
            while tree.drain().await > 0 {}
            assert_eq!(world.audit.stored(), recorded);
            let whole: Vec<u64> = (0..recorded as u64).filter(|number| *number != poisoned as u64).collect();
            assert_eq!(numbers(&world.audit.rows(recorded).await), whole);
        });
    }
}
