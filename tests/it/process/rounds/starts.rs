//! The service killed while it starts: as it adopts a server, waits for a recovery, or makes everything for the first
//! time.

use std::fs;
use std::path::Path;

use nix::sys::signal::Signal;

use super::chance::{Chance, dither};
use super::{setup, wait_until_settled};
use crate::process::Service;
use crate::process::service::{Starting, log_in};
use crate::support::eventually::eventually;
use crate::support::watchdog::living_in;

/// Starts that are killed before one may finish.
const KILLED_STARTS_MAX: u64 = 3;
/// The most computing after a step of a start.
const DITHER_MAX: u64 = 3_000_000;
/// About the number of files of a cluster with our database and tables; a start makes them one after another.
const FILES_OF_A_CLUSTER: u64 = 1_500;

/// In the log of a start once the tables have been made.
const MIGRATED: &str = "schema step";

/// Kills one to three starts on the present data, each a while after a step, then lets one finish.
pub async fn again(home: &Path, chance: &mut Chance) -> Service {
    for _ in 0..chance.within(1..KILLED_STARTS_MAX + 1) {
        let starting = setup(home).spawn();
        let step = *chance.one_of(&["", "sextant.lock", "database server pid"]);
        let own = format!("{}\n", starting.pid());
        let said = log_in(home).len();
        eventually("the start has made a step", async || match step {
            "" => true,
            "sextant.lock" => {
                fs::read_to_string(home.join("data/sextant.lock")).is_ok_and(|pid| pid == own)
            }
            words => log_in(home)[said..].contains(words),
        })
        .await;
        dither(chance.below(DITHER_MAX));
        killed(starting).await;
    }
    setup(home).start().await
}

/// Kills first starts when a certain number of files exists, each on what the one before has left, then lets one
/// finish.
pub async fn first(home: &Path, chance: &mut Chance) -> u64 {
    fs::create_dir(home).unwrap();
    let mut least = 0;
    for _ in 0..chance.within(1..KILLED_STARTS_MAX + 1) {
        let starting = setup(home).spawn();
        let said = log_in(home).len();
        least = chance.within(least..FILES_OF_A_CLUSTER);
        eventually(
            "the start has made so many files, or is ready",
            async || {
                files_below(&home.join("data")) >= least || log_in(home)[said..].contains(MIGRATED)
            },
        )
        .await;
        dither(chance.below(DITHER_MAX / 10));
        killed(starting).await;
    }
    let service = setup(home).start().await;
    let key = service.key("reader", &["finance"]).await;
    let device = service.device("finance.transactions").await;
    let stored = service.push(
        &device,
        r#"[{"id":"a","amount":-1,"currency":"EUR","booked_on":"2026-03-01"}]"#,
    );
    assert_eq!(stored.send().await.unwrap().status(), 200);
    assert_eq!(crate::process::start_stop::probe(&service, &key).await, 200);
    wait_until_settled(&service, &[]).await;
    service.stop(Signal::SIGTERM).await;
    assert!(living_in(home).is_empty());
    least
}

async fn killed(starting: Starting) {
    starting.signal(Signal::SIGKILL);
    starting.wait_for_end().await;
}

fn files_below(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else {
        return 0;
    };
    let entries = entries.filter_map(Result::ok);
    let count = |entry: fs::DirEntry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => files_below(&entry.path()),
        _ => 1,
    };
    entries.map(count).sum()
}
