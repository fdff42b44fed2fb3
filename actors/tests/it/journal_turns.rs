//! Turns of writing the journal: callers write for themselves and for one another, and the journal's thread takes over where a caller
//! might have to wait for the disk.

use std::io::ErrorKind;

use proptest::prelude::*;
use sextant_actors::audit::AuditEntry;
use sextant_actors::limits::TreeLimits;
use sextant_actors::tree::ActorTree;
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use crate::journal::{
    ascending, is_ok, kill, patient, record, record_elsewhere, start_tree, world,
};
use crate::support::{DiskFault, FakeDisk, cases, entry, in_real_time, numbers, until};

/// Threads that record at the same time, and how many entries each records.
const CALLERS: usize = 3;
const ENTRIES: usize = 40;

#[test]
fn who_records_and_finds_nobody_writing_writes() {
    in_real_time(async {
        let (_world, disk, tree) = begin().await;
        drop(tree.audit.record(entry(0)));
        assert_eq!(disk.by_callers().last(), Some(&true));
        assert_eq!(tree.audit.stats().journal.journaled_rows, 1, "at once");
    });
}

#[test]
fn who_finds_somebody_writing_is_written_with_the_next_group_in_order() {
    in_real_time(async {
        let (mut world, disk, tree) = begin().await;
        let before = disk.by_callers().len();
        disk.hold();
        let writing = record_elsewhere(&tree, 0);
        until(|| disk.held() == 1).await;
        let waiting: Vec<_> = (1..10)
            .map(|number| tree.audit.record(entry(number)))
            .collect();
        assert_eq!(tree.audit.stats().journal.journaled_rows, 0);
        disk.let_go();
        writing.await.unwrap().await;
        futures_util::future::join_all(waiting).await;
        assert_eq!(disk.by_callers().len(), before + 2, "one write for nine");
        assert_eq!(tree.audit.stats().journal.journaled_rows, 10);
        kill(&mut world, tree);
        let tree = world.start_with(patient()).await;
        assert_eq!(tree.drain().await, 0);
        assert_eq!(numbers(&world.audit.rows(10).await), ascending(0..10));
    });
}

#[test]
fn after_a_slow_write_the_journals_thread_writes_until_the_disk_is_fast_again() {
    in_real_time(async {
        let (_world, disk, tree) = begin().await;
        disk.appends_meet([Some(DiskFault::Slow)]);
        record(&tree, 0..1).await;
        assert_eq!(disk.by_callers().last(), Some(&true));
        record(&tree, 1..16).await;
        let by_callers = disk.by_callers();
        assert!(!by_callers[by_callers.len() - 15..].contains(&true));
        let mut recorded = 16;
        while disk.by_callers().last() != Some(&true) {
            record(&tree, recorded..recorded + 1).await;
            recorded += 1;
        }
        assert!(recorded > 16, "{recorded}");
    });
}

#[test]
fn while_the_disk_is_synced_no_caller_writes() {
    in_real_time(async {
        let (_world, disk, tree) = begin().await;
        disk.hold_syncs(true);
        record(&tree, 0..1).await;
        until(|| disk.held_syncs() == 1).await;
        record(&tree, 1..2).await;
        assert_eq!(disk.by_callers().last(), Some(&false));
        disk.hold_syncs(false);
        until(|| disk.held_syncs() == 0).await;
        let mut recorded = 2;
        while disk.by_callers().last() != Some(&true) {
            record(&tree, recorded..recorded + 1).await;
            recorded += 1;
        }
    });
}

#[test]
fn what_a_caller_does_not_finish_the_journals_thread_does() {
    in_real_time(async {
        let faults = [
            DiskFault::Short(9),
            DiskFault::Error(ErrorKind::StorageFull),
            DiskFault::Panic,
        ];
        for fault in faults {
            let (mut world, disk, tree) = begin().await;
            record(&tree, 0..2).await;
            disk.appends_meet([Some(fault)]);
            record(&tree, 2..3).await;
            let journal = tree.audit.stats().journal;
            assert_eq!(
                (journal.journaled_rows, journal.unjournaled_rows),
                (2, 1),
                "{fault:?}"
            );
            is_ok(&tree).await;
            record(&tree, 3..5).await;
            kill(&mut world, tree);
            let tree = world.start_with(patient()).await;
            assert_eq!(tree.drain().await, 0);
            assert_eq!(
                numbers(&world.audit.rows(4).await),
                [0, 1, 3, 4],
                "{fault:?}"
            );
        }
    });
}

#[test]
fn an_interrupted_write_is_repeated() {
    in_real_time(async {
        let (_world, disk, tree) = begin().await;
        disk.appends_meet([Some(DiskFault::Error(ErrorKind::Interrupted))]);
        record(&tree, 0..1).await;
        let journal = tree.audit.stats().journal;
        assert_eq!((journal.journaled_rows, journal.unjournaled_rows), (1, 0));
    });
}

#[test]
fn a_stop_waits_for_the_caller_that_writes() {
    in_real_time(async {
        let (world, disk, tree) = begin().await;
        disk.hold();
        let writing = record_elsewhere(&tree, 0);
        until(|| disk.held() == 1).await;
        let closing = tree.close_journal();
        let release = async {
            disk.let_go();
            writing.await.unwrap().await;
        };
        futures_util::future::join(closing, release).await;
        assert_eq!(disk.released(), 1);
        drop(tree);
        let tree = world.start_with(patient()).await;
        assert_eq!(tree.drain().await, 0);
        assert_eq!(numbers(&world.audit.rows(1).await), [0]);
    });
}

async fn begin() -> (crate::support::World, FakeDisk, ActorTree) {
    let (world, disk) = world();
    let tree = start_tree(&world, patient()).await;
    (world, disk, tree)
}

fn fault() -> impl Strategy<Value = Option<DiskFault>> {
    prop_oneof![
        24 => Just(None),
        2 => (0_usize..400).prop_map(|bytes| Some(DiskFault::Short(bytes))),
        2 => Just(Some(DiskFault::Slow)),
        1 => Just(Some(DiskFault::Error(ErrorKind::StorageFull))),
        1 => Just(Some(DiskFault::Error(ErrorKind::Interrupted))),
        1 => Just(Some(DiskFault::Panic)),
    ]
}

/// Records on threads of its own, each waiting for the acknowledgement of one entry in `wait_every`; returns when all have theirs.
async fn record_at_once(tree: &ActorTree, wait_every: usize) {
    let callers: Vec<_> = (0..CALLERS)
        .map(|caller| {
            let (audit, runtime) = (tree.audit.clone(), Handle::current());
            spawn_blocking(move || {
                let mut waiting = Vec::new();
                for number in 0..ENTRIES {
                    waiting.push(audit.record(entry(caller * ENTRIES + number)));
                    if number % wait_every == 0 {
                        let acks = futures_util::future::join_all(waiting.drain(..));
                        runtime.block_on(acks);
                    }
                }
                runtime.block_on(futures_util::future::join_all(waiting));
            })
        })
        .collect();
    for caller in callers {
        caller.await.unwrap();
    }
}

/// The rows of each caller ascend, and none is there twice.
fn is_in_order(rows: &[AuditEntry]) -> bool {
    let landed = numbers(rows);
    (0..CALLERS).all(|caller| {
        let own = caller * ENTRIES..(caller + 1) * ENTRIES;
        let own = landed
            .iter()
            .filter(|number| own.contains(&(**number as usize)));
        own.is_sorted_by(|one, next| one < next)
    })
}

proptest! {
    #![proptest_config(cases(32))]

    // An acknowledgement that is never given, or a wake-up that is lost, hangs the test: nobody's patience ends.
    #[test]
    fn r024_whatever_the_disk_does_every_caller_is_answered_and_what_was_acknowledged_is_there_in_order(
        faults in prop::collection::vec(fault(), 0..60),
        wait_every in 1_usize..8,
        segment_bytes_max in prop_oneof![Just(2_000_u64), Just(8 * 1024 * 1024)],
    ) {
        in_real_time(async {
            let (mut world, disk) = world();
            let limits = TreeLimits { journal_segment_bytes_max: segment_bytes_max, ..patient() };
            let tree = start_tree(&world, limits).await;
            disk.appends_meet(faults);
            record_at_once(&tree, wait_every).await;
            let journal = tree.audit.stats().journal;
            assert_eq!(journal.journaled_rows + journal.unjournaled_rows, (CALLERS * ENTRIES) as u64);
            kill(&mut world, tree);
            let tree = world.start_with(patient()).await;
            while tree.drain().await > 0 {}
            let rows = world.audit.rows(0).await;
            assert_eq!(rows.len() as u64, journal.journaled_rows);
            assert!(is_in_order(&rows), "{:?}", numbers(&rows));
        });
    }
}
