//! The journal in front of the batcher: what it holds, what a start makes of it, and every way in which a disk can
//! fail it. Time is real here, since the journal's threads know no paused time; nothing depends on how much of it
//! passes.

use std::io::ErrorKind;
use std::time::Duration;

use serde_json::json;
use sextant_actors::audit::AuditEntry;
use sextant_actors::journal::{JournalAck, JournalState};
use sextant_actors::limits::TreeLimits;
use sextant_actors::tree::ActorTree;
use tokio::task::{JoinHandle, spawn_blocking};

use crate::support::{
    DiskFault, FakeDisk, Fault, World, args, entry, in_real_time, numbers, until,
};

/// Nothing is flushed unless a test asks for it.
const NEVER: Duration = Duration::from_secs(3600);
/// Bytes of a segment without entries.
const EMPTY_SEGMENT: usize = 36;

/// Limits under which nothing happens by itself, and an answer waits for the journal's acknowledgement.
pub fn patient() -> TreeLimits {
    TreeLimits {
        audit_flush_interval: NEVER,
        journal_patience: NEVER,
        ..TreeLimits::default()
    }
}

pub fn world() -> (World, FakeDisk) {
    let disk = FakeDisk::default();
    let world = World {
        disk: Some(disk.clone()),
        ..World::new()
    };
    (world, disk)
}

/// A tree whose journal accepts entries and whose batcher is idle.
pub async fn start_tree(world: &World, limits: TreeLimits) -> ActorTree {
    let tree = world.start_with(limits).await;
    is_ok(&tree).await;
    tree.drain().await;
    tree
}

pub async fn record(tree: &ActorTree, rows: std::ops::Range<usize>) {
    for number in rows {
        tree.audit.record(entry(number)).await;
    }
}

/// Records on a thread that may have to wait for the disk.
pub fn record_elsewhere(tree: &ActorTree, number: usize) -> JoinHandle<JournalAck> {
    let audit = tree.audit.clone();
    spawn_blocking(move || audit.record(entry(number)))
}

/// Ends the tree as a kill does: the next start finds what had reached the disk by then, and nothing else.
pub fn kill(world: &mut World, tree: ActorTree) -> FakeDisk {
    let left = world.disk.take().unwrap().copied();
    world.disk = Some(left.clone());
    drop(tree);
    left
}

pub fn ascending(rows: std::ops::Range<u64>) -> Vec<u64> {
    rows.collect()
}

pub fn segments(disk: &FakeDisk) -> Vec<usize> {
    let files = disk.files().into_iter();
    let segments = files.filter(|(name, _)| name.ends_with(".journal"));
    segments.map(|(_, bytes)| bytes.len()).collect()
}

/// Waits until the journal accepts entries.
pub async fn is_ok(tree: &ActorTree) {
    until(|| tree.audit.stats().journal.state == JournalState::Ok).await;
}

#[test]
fn r024_an_answer_leaves_with_its_row_in_the_journal() {
    in_real_time(async {
        let (world, disk) = world();
        let tree = start_tree(&world, patient()).await;
        let marked = AuditEntry {
            tool: "marked".into(),
            args: args(json!({ "api_key": "hunter2" })),
            ..entry(0)
        };
        tree.audit.record(marked).await;
        let written: Vec<u8> = disk.files().into_values().flatten().collect();
        let written = String::from_utf8_lossy(&written).into_owned();
        assert!(written.contains("marked"), "{written}");
        assert!(!written.contains("hunter2"), "r026");
        let stats = tree.audit.stats();
        assert_eq!(
            (stats.journal.journaled_rows, stats.journal.unjournaled_rows),
            (1, 0)
        );
        assert_eq!((world.audit.stored(), stats.waiting_rows), (0, 1));
    });
}

#[test]
fn r024_what_a_kill_found_in_the_journal_lands_once() {
    in_real_time(async {
        let (mut world, _) = world();
        for life in 0..3 {
            let tree = start_tree(&world, patient()).await;
            record(&tree, life * 10..life * 10 + 5).await;
            assert_eq!(tree.drain().await, 0);
            record(&tree, life * 10 + 5..life * 10 + 10).await;
            kill(&mut world, tree);
        }
        let tree = world.start_with(patient()).await;
        assert_eq!(tree.drain().await, 0);
        assert_eq!(numbers(&world.audit.rows(30).await), ascending(0..30));
        assert_eq!(world.audit.stored(), 30);
    });
}

#[test]
fn r024_a_commit_whose_answer_was_lost_in_the_kill_is_not_repeated() {
    in_real_time(async {
        let (mut world, _) = world();
        let tree = start_tree(&world, patient()).await;
        world.audit.on_append.add([Fault::LoseAnswer]);
        world.audit.on_position.add([Fault::Hang]);
        record(&tree, 0..5).await;
        let stored = async { until(|| world.audit.stored() == 5).await };
        futures_util::future::select(Box::pin(tree.drain()), Box::pin(stored)).await;
        kill(&mut world, tree);
        let tree = world.start_with(patient()).await;
        assert_eq!(tree.drain().await, 0);
        assert_eq!(world.audit.stored(), 5);
    });
}

#[test]
fn r024_an_answer_waits_no_longer_than_it_may() {
    in_real_time(async {
        let (world, disk) = world();
        let limits = TreeLimits {
            journal_patience: Duration::from_millis(5),
            ..patient()
        };
        let tree = start_tree(&world, limits).await;
        // Of those who record, one writes; the others wait for it.
        disk.hold();
        let writing = record_elsewhere(&tree, 0);
        until(|| disk.held() == 1).await;
        tree.audit.record(entry(1)).await;
        assert_eq!(tree.audit.stats().journal.unjournaled_rows, 1);
        disk.let_go();
        writing.await.unwrap().await;
        until(|| tree.audit.stats().journal.journaled_rows == 2).await;
        // After that write nobody writes but the journal's thread, until the disk is fast again.
        disk.hold();
        tree.audit.record(entry(2)).await;
        assert_eq!(tree.audit.stats().journal.unjournaled_rows, 2);
        disk.let_go();
        until(|| tree.audit.stats().journal.journaled_rows == 3).await;
        assert_eq!(tree.drain().await, 0);
        assert_eq!(numbers(&world.audit.rows(3).await), ascending(0..3));
    });
}

#[test]
fn without_a_folder_everything_is_unjournaled_and_lands() {
    in_real_time(async {
        let world = World::new();
        let tree = world.start_with(patient()).await;
        record(&tree, 0..5).await;
        let journal = tree.audit.stats().journal;
        assert_eq!(
            (journal.state, journal.unjournaled_rows),
            (JournalState::Absent, 5)
        );
        assert_eq!(tree.drain().await, 0);
        tree.close_journal().await;
        assert_eq!(world.audit.stored(), 5);
    });
}

#[test]
fn r502_a_full_disk_is_felt_by_nobody_and_told_and_left_when_there_is_room() {
    in_real_time(async {
        let (mut world, disk) = world();
        let tree = start_tree(&world, patient()).await;
        record(&tree, 0..5).await;
        disk.has_room(Some(100));
        record(&tree, 5..10).await;
        let journal = tree.audit.stats().journal;
        assert!(
            matches!(journal.state, JournalState::Failing { .. }),
            "{journal:?}"
        );
        assert_eq!(journal.last_error, Some(ErrorKind::StorageFull));
        assert!(journal.unjournaled_rows >= 4, "{journal:?}");
        disk.has_room(None);
        is_ok(&tree).await;
        record(&tree, 10..15).await;
        kill(&mut world, tree);
        let tree = world.start_with(patient()).await;
        assert_eq!(tree.drain().await, 0);
        let landed = numbers(&world.audit.rows(10).await);
        let is_kept = |number: &u64| landed.contains(number);
        assert!(
            (0..5).chain(10..15).all(|number| is_kept(&number)),
            "{landed:?}"
        );
        assert!(landed.is_sorted(), "{landed:?}");
    });
}

#[test]
fn a_disk_that_has_no_room_at_the_start_holds_up_nothing() {
    in_real_time(async {
        let (world, disk) = world();
        disk.creates_fail(true);
        let tree = world.start_with(patient()).await;
        record(&tree, 0..5).await;
        let journal = tree.audit.stats().journal;
        assert!(matches!(journal.state, JournalState::Failing { .. }));
        assert_eq!(journal.unjournaled_rows, 5);
        disk.creates_fail(false);
        is_ok(&tree).await;
        record(&tree, 5..10).await;
        assert_eq!(tree.audit.stats().journal.journaled_rows, 5);
        assert_eq!(tree.drain().await, 0);
        assert_eq!(numbers(&world.audit.rows(10).await), ascending(0..10));
    });
}

#[test]
fn r502_rows_that_a_full_disk_refuses_land_from_memory_in_order() {
    in_real_time(async {
        let (world, disk) = world();
        let tree = start_tree(&world, patient()).await;
        disk.appends_meet([None, Some(DiskFault::Short(150)), None]);
        disk.hold();
        let writing = record_elsewhere(&tree, 0);
        until(|| disk.held() == 1).await;
        // The entries queued behind the first are written at once.
        let words: Vec<_> = (1..10)
            .map(|number| tree.audit.record(entry(number)))
            .collect();
        disk.let_go();
        writing.await.unwrap().await;
        futures_util::future::join_all(words).await;
        assert_eq!(tree.drain().await, 0);
        assert_eq!(numbers(&world.audit.rows(10).await), ascending(0..10));
    });
}

#[test]
fn r024_a_write_that_broke_off_leaves_whole_entries_and_later_segments_are_read() {
    in_real_time(async {
        for cuts_fail in [false, true] {
            let (mut world, disk) = world();
            let tree = start_tree(&world, patient()).await;
            disk.cuts_fail(cuts_fail);
            record(&tree, 0..3).await;
            disk.appends_meet([Some(DiskFault::Short(9))]);
            record(&tree, 3..4).await;
            is_ok(&tree).await;
            record(&tree, 4..7).await;
            let journal = tree.audit.stats().journal;
            assert_eq!(journal.unjournaled_rows, 1);
            let torn = segments(&disk).iter().sum::<usize>() as u64 - journal.disk_bytes;
            assert_eq!(torn, if cuts_fail { 9 } else { 0 });
            kill(&mut world, tree);
            let tree = world.start_with(patient()).await;
            assert_eq!(tree.drain().await, 0);
            assert_eq!(numbers(&world.audit.rows(6).await), [0, 1, 2, 4, 5, 6]);
        }
    });
}

#[test]
fn r502_rows_beyond_memory_wait_in_the_journal_and_land_in_order() {
    in_real_time(async {
        let (world, disk) = world();
        let limits = TreeLimits {
            audit_waiting_rows_max: 10,
            journal_segment_bytes_max: 1_000,
            ..patient()
        };
        let tree = start_tree(&world, limits.clone()).await;
        record(&tree, 0..100).await;
        let stats = tree.audit.stats();
        assert_eq!((stats.waiting_rows, stats.dropped_rows), (100, 0));
        assert_eq!(stats.journal.stored_rows, 90);
        assert!(segments(&disk).len() > 5, "{:?}", segments(&disk));
        world
            .audit
            .on_append
            .add([Fault::away(), Fault::LoseAnswer]);
        while tree.drain().await > 0 {}
        record(&tree, 100..105).await;
        assert_eq!(tree.drain().await, 0);
        assert_eq!(numbers(&world.audit.rows(105).await), ascending(0..105));
        assert_eq!(world.audit.stored(), 105);
        until(|| segments(&disk).len() == 1).await;
    });
}

#[test]
fn r502_rows_are_dropped_only_when_neither_memory_nor_the_journal_has_room() {
    in_real_time(async {
        let (world, disk) = world();
        let limits = TreeLimits {
            audit_waiting_rows_max: 10,
            ..patient()
        };
        let tree = start_tree(&world, limits).await;
        record(&tree, 0..20).await;
        disk.has_room(Some(0));
        record(&tree, 20..25).await;
        let stats = tree.audit.stats();
        assert_eq!((stats.waiting_rows, stats.dropped_rows), (20, 5));
        assert_eq!(stats.journal.stored_rows, 10);
        assert_eq!(tree.drain().await, 0);
        // Memory has room again, the disk has none.
        record(&tree, 25..30).await;
        assert_eq!(tree.drain().await, 0);
        let kept: Vec<u64> = (0..20).chain(25..30).collect();
        assert_eq!(numbers(&world.audit.rows(25).await), kept);
    });
}

#[test]
fn the_journal_is_bounded_and_takes_entries_again_when_the_database_has_them() {
    in_real_time(async {
        let (world, disk) = world();
        let limits = TreeLimits {
            journal_segment_bytes_max: 1_000,
            journal_bytes_max: 4_000,
            ..patient()
        };
        let tree = start_tree(&world, limits).await;
        record(&tree, 0..200).await;
        let journal = tree.audit.stats().journal;
        assert_eq!(journal.last_error, Some(ErrorKind::QuotaExceeded));
        assert!(journal.disk_bytes <= 4_000, "{journal:?}");
        assert_eq!(
            journal.disk_bytes,
            segments(&disk).iter().sum::<usize>() as u64
        );
        assert_eq!(tree.drain().await, 0);
        is_ok(&tree).await;
        assert_eq!(numbers(&world.audit.rows(200).await), ascending(0..200));
    });
}

#[test]
fn a_disk_that_does_not_last_is_told_and_its_segment_is_left() {
    in_real_time(async {
        let (world, disk) = world();
        let tree = start_tree(&world, patient()).await;
        record(&tree, 0..1).await;
        disk.syncs_fail(true);
        record(&tree, 1..2).await;
        until(|| tree.audit.stats().journal.state != JournalState::Ok).await;
        record(&tree, 2..3).await;
        assert_eq!(
            segments(&disk).len(),
            2,
            "the word is the kernel's all the same"
        );
        assert_eq!(tree.audit.stats().journal.unjournaled_rows, 0);
        disk.syncs_fail(false);
        is_ok(&tree).await;
        assert!(disk.syncs() > 0);
        assert_eq!(tree.drain().await, 0);
        assert_eq!(world.audit.stored(), 3);
    });
}

#[test]
fn a_clean_stop_leaves_nothing_to_replay() {
    in_real_time(async {
        let (world, disk) = world();
        let tree = start_tree(&world, patient()).await;
        record(&tree, 0..5).await;
        assert_eq!(tree.drain().await, 0);
        tree.close_journal().await;
        assert_eq!(segments(&disk), [EMPTY_SEGMENT]);
        assert_eq!(disk.released(), 1);
        drop(tree);
        // Not even for a database that does not know this journal.
        world.audit.set_back(|positions, _| positions.clear());
        let tree = world.start_with(patient()).await;
        assert_eq!(tree.audit.stats().waiting_rows, 0);
        record(&tree, 5..6).await;
        assert_eq!(tree.drain().await, 0);
        assert_eq!(numbers(&world.audit.rows(6).await), ascending(0..6));
    });
}

#[test]
fn a_stop_while_the_database_is_away_leaves_its_rows_to_the_next_start() {
    in_real_time(async {
        let (world, _) = world();
        let tree = start_tree(&world, patient()).await;
        record(&tree, 0..5).await;
        tree.close_journal().await;
        drop(tree);
        let tree = world.start_with(patient()).await;
        assert_eq!(tree.drain().await, 0);
        assert_eq!(world.audit.stored(), 5);
        assert_eq!(numbers(&world.audit.rows(5).await), ascending(0..5));
    });
}

#[test]
fn r024_a_database_or_a_data_directory_of_another_day_loses_and_doubles_nothing() {
    in_real_time(async {
        let (mut world, disk) = world();
        let tree = start_tree(&world, patient()).await;
        record(&tree, 0..3).await;
        assert_eq!(tree.drain().await, 0);
        let early = disk.files();
        record(&tree, 3..6).await;
        assert_eq!(tree.drain().await, 0);
        let disk = kill(&mut world, tree);
        // The data directory was restored from a backup of the day before: its position is behind the database's.
        disk.tamper(|files| *files = early.clone());
        let tree = start_tree(&world, patient()).await;
        assert_eq!(tree.audit.stats().waiting_rows, 0);
        record(&tree, 6..9).await;
        assert_eq!(tree.drain().await, 0);
        assert_eq!(numbers(&world.audit.rows(9).await), ascending(0..9));
        let disk = kill(&mut world, tree);
        // The database was restored from a backup of the day before: what the journal still has is written again.
        disk.tamper(|files| *files = early.clone());
        world.audit.set_back(|positions, rows| {
            positions
                .values_mut()
                .for_each(|position| *position -= *position % 10);
            positions.clear();
            rows.clear();
        });
        let tree = world.start_with(patient()).await;
        assert_eq!(tree.drain().await, 0);
        assert_eq!(numbers(&world.audit.rows(3).await), ascending(0..3));
    });
}

#[test]
fn files_that_are_none_of_the_journals_are_left_or_set_aside() {
    in_real_time(async {
        for renames_fail in [false, true] {
            let (mut world, _) = world();
            let tree = start_tree(&world, patient()).await;
            record(&tree, 0..3).await;
            let disk = kill(&mut world, tree);
            let place = |place: u64| format!("{place:020}.journal");
            disk.tamper(|files| {
                files.insert("lock".to_owned(), Vec::new());
                files.insert(
                    place(500),
                    b"no journal at all, but long enough for one".to_vec(),
                );
                files.insert(place(501), b"stub".to_vec());
            });
            disk.renames_fail(renames_fail);
            let tree = start_tree(&world, patient()).await;
            record(&tree, 3..6).await;
            assert_eq!(tree.drain().await, 0);
            assert_eq!(numbers(&world.audit.rows(6).await), ascending(0..6));
            let files = disk.files();
            let aside = if renames_fail {
                place(500)
            } else {
                place(500) + ".aside"
            };
            assert!(files.contains_key(&aside) && files.contains_key("lock"));
            assert!(!files.contains_key(&place(501)), "a stub goes");
        }
    });
}

#[test]
fn a_journal_that_cannot_be_read_back_is_given_up_and_holds_up_nobody() {
    in_real_time(async {
        let (world, disk) = world();
        let limits = TreeLimits {
            audit_waiting_rows_max: 5,
            ..patient()
        };
        let tree = start_tree(&world, limits).await;
        record(&tree, 0..8).await;
        disk.reads_fail(true);
        while tree.drain().await > 0 {}
        record(&tree, 8..10).await;
        assert_eq!(tree.drain().await, 0);
        let stats = tree.audit.stats();
        assert_eq!((stats.dropped_rows, stats.waiting_rows), (3, 0));
        assert_eq!(numbers(&world.audit.rows(7).await), [0, 1, 2, 3, 4, 8, 9]);
    });
}

#[test]
fn a_crash_of_the_batcher_loses_nothing_that_is_in_the_journal_alone() {
    in_real_time(async {
        let (world, _) = world();
        let limits = TreeLimits {
            audit_waiting_rows_max: 5,
            ..patient()
        };
        let tree = start_tree(&world, limits).await;
        record(&tree, 0..20).await;
        world.audit.on_append.add([Fault::Panic, Fault::LoseAnswer]);
        world.audit.on_position.add([Fault::Panic]);
        assert_eq!(tree.drain().await, 0);
        assert_eq!(numbers(&world.audit.rows(20).await), ascending(0..20));
        assert_eq!(world.audit.stored(), 20);
    });
}
