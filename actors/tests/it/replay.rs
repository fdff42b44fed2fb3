//! What is sent to the database after an error, and what is read back from the disk: nothing twice, and all of it.

use sextant_actors::limits::TreeLimits;

use crate::journal::{ascending, kill, patient, record, segments, start_tree, world};
use crate::support::{Asked, Fault, World, entry, in_real_time, numbers, run, until};

/// More entries than one flush takes.
const MANY: usize = 5_100;

#[test]
fn r024_after_any_error_the_position_is_read_before_anything_is_sent_again() {
    use Asked::{Append, Position};
    for (fault, expected) in [
        (None, vec![Append]),
        (Some(Fault::LoseAnswer), vec![Append, Position]),
        (Some(Fault::away()), vec![Append, Position, Append]),
        (Some(Fault::Hang), vec![Append, Position, Append]),
        (Some(Fault::Panic), vec![Append, Position, Append]),
    ] {
        run(async {
            let world = World::new();
            let tree = world.start().await;
            tree.drain().await;
            let before = world.audit.asked().len();
            world.audit.on_append.add(fault.clone());
            drop(tree.audit.record(entry(0)));
            while tree.drain().await > 0 {}
            assert_eq!(world.audit.stored(), 1);
            assert_eq!(world.audit.asked()[before..], expected, "{fault:?}");
        });
    }
}

#[test]
fn r024_a_segment_goes_only_when_its_flush_is_committed() {
    in_real_time(async {
        let (mut world, disk) = world();
        let limits = TreeLimits {
            journal_segment_bytes_max: 300,
            ..patient()
        };
        let tree = start_tree(&world, limits.clone()).await;
        world.audit.on_append.add([Fault::Hang]);
        record(&tree, 0..20).await;
        let flushing = async { until(|| world.audit.asked().last() == Some(&Asked::Append)).await };
        futures_util::future::select(Box::pin(tree.drain()), Box::pin(flushing)).await;
        let all = segments(&disk).len();
        // More than once, since the first may have begun before the flush did.
        for row in 20..23 {
            let synced = disk.syncs();
            record(&tree, row..row + 1).await;
            until(|| disk.syncs() > synced).await;
        }
        let left = segments(&disk).len();
        assert!(all > 1 && left >= all, "{left} of {all}");
        kill(&mut world, tree);
        let tree = world.start_with(limits).await;
        while tree.drain().await > 0 {}
        assert_eq!(numbers(&world.audit.rows(23).await), ascending(0..23));
    });
}

#[test]
fn a_segment_that_is_there_twice_is_read_once() {
    in_real_time(async {
        let (mut world, _) = world();
        let tree = start_tree(&world, patient()).await;
        record(&tree, 0..5).await;
        let disk = kill(&mut world, tree);
        disk.tamper(|files| {
            let newest = files.values().max_by_key(|bytes| bytes.len()).cloned();
            files.insert(format!("{:020}.journal", 500), newest.unwrap());
        });
        let tree = start_tree(&world, patient()).await;
        let stats = tree.audit.stats();
        assert_eq!((stats.written_rows, stats.dropped_rows), (5, 0));
        assert_eq!(numbers(&world.audit.rows(5).await), ascending(0..5));
    });
}

/// The journal may lack the entries of such a statement: their answers left when the time for its acknowledgement
/// was up.
#[test]
fn r024_a_late_statement_of_a_killed_process_passes_over_nothing_new() {
    in_real_time(async {
        let (mut world, _) = world();
        let tree = start_tree(&world, patient()).await;
        record(&tree, 0..5).await;
        assert_eq!(tree.drain().await, 0);
        kill(&mut world, tree);
        let tree = start_tree(&world, patient()).await;
        world.audit.set_back(|positions, rows| {
            positions.values_mut().for_each(|position| *position += 5);
            rows.extend((5..10).map(entry));
        });
        record(&tree, 10..15).await;
        while tree.drain().await > 0 {}
        assert_eq!(world.audit.stored(), 15);
        assert_eq!(numbers(&world.audit.rows(15).await), ascending(0..15));
    });
}

/// The statement brings in more than is read back at once, and only a part of the next read.
#[test]
fn r024_what_a_late_statement_brought_in_is_not_repeated() {
    in_real_time(async {
        let (mut world, disk) = world();
        let limits = TreeLimits {
            journal_segment_bytes_max: 500,
            ..patient()
        };
        let tree = start_tree(&world, limits.clone()).await;
        record(&tree, 0..1).await;
        assert_eq!(tree.drain().await, 0);
        record(&tree, 1..31).await;
        assert!(segments(&disk).len() > 3, "{:?}", segments(&disk));
        kill(&mut world, tree);
        let (fault, held) = Fault::hold();
        world.audit.on_append.add([fault]);
        let tree = world.start_with(limits).await;
        until(|| world.audit.asked().last() == Some(&Asked::Append)).await;
        world.audit.set_back(|positions, rows| {
            positions.values_mut().for_each(|position| *position += 20);
            rows.extend((1..21).map(entry));
        });
        held.notify_one();
        while tree.drain().await > 0 {}
        assert_eq!(world.audit.stored(), 31);
        assert_eq!(numbers(&world.audit.rows(31).await), ascending(0..31));
    });
}

#[test]
fn r502_rows_behind_those_that_are_read_back_count_once() {
    in_real_time(async {
        let (world, _) = world();
        let limits = TreeLimits {
            audit_waiting_rows_max: 10,
            journal_segment_bytes_max: 1_000,
            ..patient()
        };
        let tree = start_tree(&world, limits).await;
        record(&tree, 0..20).await;
        let (first, second) = (Fault::hold(), Fault::hold());
        first.1.notify_one();
        world.audit.on_append.add([first.0, second.0]);
        let before = world.audit.asked().len();
        let read_back = async { until(|| world.audit.asked().len() == before + 2).await };
        futures_util::future::select(Box::pin(tree.drain()), Box::pin(read_back)).await;
        let stored = tree.audit.stats().journal.stored_rows;
        // Memory has room again, while the last of the entries that did not fit is still to be read.
        record(&tree, 20..22).await;
        assert_eq!(tree.audit.stats().journal.stored_rows, stored);
        assert!(stored > 0);
        second.1.notify_one();
        while tree.drain().await > 0 {}
        let stats = tree.audit.stats();
        assert_eq!((stats.written_rows, stats.waiting_rows), (22, 0));
        assert_eq!((stats.journal.stored_rows, stats.waiting_bytes), (0, 0));
        assert_eq!(numbers(&world.audit.rows(22).await), ascending(0..22));
    });
}

#[test]
fn r502_more_rows_than_one_flush_takes_are_read_back_from_one_segment() {
    in_real_time(async {
        let (world, disk) = world();
        let limits = TreeLimits {
            audit_waiting_rows_max: 1,
            ..patient()
        };
        let tree = start_tree(&world, limits).await;
        let words: Vec<_> = (0..MANY)
            .map(|number| tree.audit.record(entry(number)))
            .collect();
        futures_util::future::join_all(words).await;
        assert_eq!(segments(&disk).len(), 1);
        while tree.drain().await > 0 {}
        assert_eq!(tree.audit.stats().dropped_rows, 0);
        let landed = numbers(&world.audit.rows(MANY).await);
        assert_eq!(landed, ascending(0..MANY as u64));
    });
}
