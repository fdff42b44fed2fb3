//! The journal under random events: kills, stops, full disks, lost answers, a memory that is too small. Every
//! acknowledged entry is written, every entry is written once, and all in the order in which they were recorded.

use std::time::Duration;

use proptest::prelude::*;
use sextant_actors::limits::TreeLimits;
use sextant_actors::tree::ActorTree;

use crate::support::{DiskFault, Fault, World, cases, entry, in_real_time, numbers};

const NEVER: Duration = Duration::from_secs(3600);

#[derive(Clone, Debug)]
enum Move {
    Record(usize),
    Drain,
    Kill,
    Stop,
    DiskHasRoom(Option<usize>),
    DiskBreaksOff(usize),
    CutsFail(bool),
    DatabaseLosesAnswers(usize),
    DatabaseIsAway(usize),
    BatcherCrashes,
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        6 => (1_usize..12).prop_map(Move::Record),
        2 => Just(Move::Drain),
        2 => Just(Move::Kill),
        1 => Just(Move::Stop),
        1 => (0_usize..400).prop_map(|room| Move::DiskHasRoom(Some(room))),
        2 => Just(Move::DiskHasRoom(None)),
        1 => (0_usize..300).prop_map(Move::DiskBreaksOff),
        1 => any::<bool>().prop_map(Move::CutsFail),
        1 => (1_usize..3).prop_map(Move::DatabaseLosesAnswers),
        1 => (1_usize..3).prop_map(Move::DatabaseIsAway),
        1 => Just(Move::BatcherCrashes),
    ];
    prop::collection::vec(one, 1..16)
}

struct Play {
    world: World,
    tree: ActorTree,
    recorded: usize,
    /// Entries whose answer was acknowledged by the journal.
    safe: Vec<u64>,
}

fn limits() -> TreeLimits {
    TreeLimits {
        audit_flush_interval: NEVER,
        journal_patience: NEVER,
        audit_waiting_rows_max: 8,
        journal_segment_bytes_max: 600,
        ..TreeLimits::default()
    }
}

impl Play {
    async fn begin() -> Self {
        let world = World {
            disk: Some(Default::default()),
            ..World::new()
        };
        let tree = world.start_with(limits()).await;
        Self {
            world,
            tree,
            recorded: 0,
            safe: Vec::new(),
        }
    }

    async fn play(&mut self, step: Move) {
        let disk = self.world.disk.clone().unwrap();
        match step {
            Move::Record(rows) => self.record(rows).await,
            Move::Drain => drop(self.tree.drain().await),
            Move::Kill => {
                self.world.disk = Some(disk.copied());
                self.tree = self.world.start_with(limits()).await;
            }
            Move::Stop => {
                self.tree.drain().await;
                self.tree.close_journal().await;
                self.tree = self.world.start_with(limits()).await;
            }
            Move::DiskHasRoom(room) => disk.has_room(room),
            Move::DiskBreaksOff(bytes) => disk.appends_meet([Some(DiskFault::Short(bytes))]),
            Move::CutsFail(fail) => disk.cuts_fail(fail),
            Move::DatabaseLosesAnswers(times) => {
                self.world
                    .audit
                    .on_append
                    .add(vec![Fault::LoseAnswer; times]);
            }
            Move::DatabaseIsAway(times) => {
                self.world.audit.on_append.add(vec![Fault::away(); times]);
            }
            Move::BatcherCrashes => self.world.audit.on_append.add([Fault::Panic]),
        }
    }

    async fn record(&mut self, rows: usize) {
        for _ in 0..rows {
            let unjournaled = || self.tree.audit.stats().journal.unjournaled_rows;
            let before = unjournaled();
            self.tree.audit.record(entry(self.recorded)).await;
            if unjournaled() == before {
                self.safe.push(self.recorded as u64);
            }
            self.recorded += 1;
        }
    }

    async fn end(mut self) {
        self.play(Move::DiskHasRoom(None)).await;
        self.play(Move::Kill).await;
        while self.tree.drain().await > 0 {}
        let landed = numbers(&self.world.audit.rows(0).await);
        assert!(
            landed.is_sorted_by(|one, next| one < next),
            "once, and in order: {landed:?}"
        );
        let lost: Vec<_> = self
            .safe
            .iter()
            .filter(|row| !landed.contains(row))
            .collect();
        assert!(lost.is_empty(), "{lost:?} had the word; landed: {landed:?}");
    }
}

proptest! {
    #![proptest_config(cases(32))]

    #[test]
    fn r024_whatever_happens_the_word_is_kept_and_nothing_is_doubled(moves in moves()) {
        in_real_time(async {
            let mut play = Play::begin().await;
            // The fifth crash within a minute ends the service.
            let mut crashes = 0;
            for step in moves {
                crashes += usize::from(matches!(step, Move::BatcherCrashes));
                if crashes < 4 || !matches!(step, Move::BatcherCrashes) {
                    play.play(step).await;
                }
            }
            play.end().await;
        });
    }
}
