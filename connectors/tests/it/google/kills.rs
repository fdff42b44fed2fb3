//! Rounds that are cut off anywhere, while calendars and contacts change and tokens are forgotten: in the end the store equals Google.

use super::stage::Stage;
use crate::support::chance::Chance;
use crate::support::stand_ins::google::Google;
use crate::support::stand_ins::google::agenda::{daily, event};

const OP: &str = "op@x.test";
const STEPS: usize = 12;
const EVENTS: usize = 40;
const DAY: i64 = 86_400;

fn change_calendar(google: &mut Google, chance: &mut Chance) {
    let name = chance.below(EVENTS);
    let (id, day) = (format!("e{name}"), 2 + chance.below(20));
    let tells_parts = chance.below(2) == 0;
    let title = format!("{}", chance.below(1000));
    let calendar = google.agenda.calendar(OP);
    // Every fourth repeats.
    match (name % 4, chance.below(8)) {
        (_, 0) => calendar.delete(&id, tells_parts),
        (0, 1) => calendar.make_single(&id, &title),
        (0, 2 | 3) => calendar.put(&id, daily(&title)),
        (0, 4 | 5) if calendar.repeats(&id) => calendar.except(&id, day, &title),
        (0, _) if calendar.repeats(&id) => calendar.take(&id, day),
        (0, _) => calendar.put(&id, daily(&title)),
        _ => calendar.put(&id, event(&title)),
    }
}

fn change_contacts(google: &mut Google, chance: &mut Chance) {
    let id = format!("c{}", chance.below(EVENTS));
    let group = format!("contactGroups/{}", chance.below(3));
    match chance.below(8) {
        0 => google.book.delete(&id),
        1 => drop(google.book.groups.remove(&group)),
        2 => drop(google.book.groups.insert(group, id)),
        3 => {
            let other = format!("c{}", chance.below(EVENTS));
            if google.book.has(&id) && google.book.has(&other) && id != other {
                google.book.merge([&id, &other], &id, "merged");
            }
        }
        4 | 5 => google.book.put(&id, &id, &[&group]),
        _ => google
            .book
            .put(&id, &format!("n{}", chance.below(1000)), &[]),
    }
}

async fn run(stage: &mut Stage, seed: u64) {
    let mut chance = Chance(seed);
    let is_forgetful = seed % 2 == 1;
    {
        let mut google = stage.google();
        google.agenda.page_max = 4 + chance.below(12);
        google.book.page_max = 4 + chance.below(12);
    }
    for step in 0..STEPS {
        {
            let mut google = stage.google();
            for _ in 0..chance.below(20) {
                change_calendar(&mut google, &mut chance);
                change_contacts(&mut google, &mut chance);
            }
            if is_forgetful && step % 4 == 3 {
                google.agenda.calendar(OP).forget();
                google.clock += 8 * DAY;
            }
        }
        let pages = 1 + chance.below(6);
        stage.sync_calendar_pages(pages).await.unwrap();
        stage.sync_contacts_pages(pages).await.unwrap();
    }
    stage.sync_calendar().await.unwrap();
    stage.sync_contacts().await.unwrap();
    let of = format!("seed {seed}");
    stage.assert_calendar_equal(&of);
    stage.assert_contacts_equal(&of);

    // A pass over everything changes nothing.
    stage.calendar.positions.clear();
    stage.contacts.positions.clear();
    assert_eq!(stage.sync_calendar().await.unwrap(), [""; 0], "{of}");
    assert_eq!(stage.sync_contacts().await.unwrap(), [""; 0], "{of}");
}

#[tokio::test]
async fn rounds_that_are_cut_off_anywhere_lose_nothing() {
    for seed in 0..6 {
        let Some(mut stage) = Stage::start("google_rounds_that_are_cut_off").await else {
            return;
        };
        run(&mut stage, seed).await;
    }
}

#[tokio::test]
async fn series_that_were_not_told_yet_are_told_after_a_kill() {
    let Some(mut stage) = Stage::start("series_that_were_not_told").await else {
        return;
    };
    for name in 0..230 {
        let id = format!("s{name:03}");
        stage.google().agenda.calendar(OP).put(&id, daily("daily"));
    }
    // The calendars and one page of series, first in a pass, then of changes.
    stage.sync_calendar_pages(2).await.unwrap();
    assert_eq!(stage.calendar.keys(OP).len(), 100);
    stage.google().agenda.calendar(OP).delete("s001", false);
    stage.sync_calendar().await.unwrap();
    stage.assert_calendar_equal("a pass");
    for name in 0..230 {
        let id = format!("s{name:03}");
        stage.google().agenda.calendar(OP).except(&id, 3, "moved");
    }
    stage.sync_calendar_pages(2).await.unwrap();
    stage.sync_calendar().await.unwrap();
    stage.assert_calendar_equal("changes");
}
