//! `kill -9` in turns under load: the service, the postmaster, both in either order, a backend in its COMMIT, a
//! start. What was acknowledged is there afterwards, what was not is there completely or not at all, and nothing is
//! left behind.
//!
//! | file | what it holds |
//! |---|---|
//! | `plan`, `chance` | a round, decided by its seed: the victim and the moment |
//! | `load`, `tally` | all clients at work at once, and the events that are counted meanwhile |
//! | `device`, `ledger` | pushes, and which of them were acknowledged |
//! | `operator`, `grants` | edits of agents, likewise |
//! | `caller`, `audit` | agents' calls, and the audit log of them |
//! | `victims`, `starts` | the kills, and starts that are killed |

mod audit;
mod caller;
pub mod chance;
mod device;
mod grants;
mod ledger;
mod load;
mod operator;
mod plan;
mod starts;
mod tally;
mod victims;

use std::fs;
use std::path::Path;

use nix::sys::signal::Signal;
use nix::unistd::Pid;
use tokio_postgres::Client as Database;

use self::chance::dither;
use self::load::{Clients, Reach};
use self::plan::{KillTarget, Round};
use self::tally::Fact;
use self::victims::{clients_of, no_orphans, strike};
use super::service::{is_running, log_in, postgres_of, postgres_socket};
use super::{Service, Setup};
use crate::query::counts;
use crate::support::cluster;
use crate::support::eventually::eventually;
use crate::support::users::in_scratch;
use crate::support::watchdog::living_in;

/// The default number of rounds; `SEXTANT_KILL_ROUNDS` sets another.
const ROUNDS: u64 = 20;
/// Pushes that must be acknowledged after a server has recovered under the service.
const PUSHES_AFTER_RECOVERY: u64 = 3;
/// Rows are flushed often, so that kills fall into flushes.
const FLUSH_MS: &str = "50";

#[test]
fn r505_r067_what_was_acknowledged_outlives_every_kill() {
    let (rounds, seed) = (
        from_environment("SEXTANT_KILL_ROUNDS"),
        from_environment("SEXTANT_KILL_SEED"),
    );
    let seed = seed.unwrap_or_else(chance::fresh_seed);
    println!("the seed is {seed}");
    in_scratch(async |home| {
        let mut service = setup(home).start().await;
        let mut household = Clients::move_in(&service).await;
        is_durable(&database_of(&service).await).await;
        for number in 0..rounds.unwrap_or(ROUNDS) {
            let round = Round::new(seed, number);
            println!("{round}");
            (service, household) = match round.victim {
                KillTarget::FirstStart => {
                    let files =
                        starts::first(&home.join(format!("first-{number}")), &mut round.chance(99))
                            .await;
                    println!("  killed at {files} files");
                    continue;
                }
                KillTarget::Postmaster | KillTarget::Backend => {
                    outlived(service, household, &round).await
                }
                _ => restarted(home, service, household, &round).await,
            };
        }
        let records: usize = household.devices.iter().map(device::Pusher::records).sum();
        println!(
            "{records} records and {} rows of the record are as they were acknowledged",
            household.reader.rows()
        );
        service.stop(Signal::SIGTERM).await;
        assert!(living_in(home).is_empty(), "a process was left");
    });
}

/// A number from the environment of whoever runs the rounds.
#[expect(
    clippy::disallowed_methods,
    reason = "how many rounds and which is asked in the environment"
)]
fn from_environment(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is a number")),
    )
}

/// The service with a directory of its own for spooled bodies.
fn setup(home: &Path) -> Setup {
    let spool = home.join("spool");
    fs::create_dir_all(&spool).unwrap();
    Setup::in_home(home)
        .env("TMPDIR", spool.to_str().unwrap())
        .env("AUDIT_FLUSH_MS", FLUSH_MS)
}

/// A round that kills the database: the service goes on, and recovers by itself.
async fn outlived(service: Service, household: Clients, round: &Round) -> (Service, Clients) {
    let (load, server) = (household.begin(&service, round), service.postgres());
    load.tally.reaches(round.fact, round.count).await;
    dither(round.dithers[0]);
    let before = clients_of(server);
    println!("  killed {}", strike(&service, round));
    eventually("the backends of before have ended", async || {
        !before.iter().any(|(pid, _)| is_running(*pid))
    })
    .await;
    eventually("a server runs", async || {
        let is_new = |now: &Pid| round.victim == KillTarget::Backend || *now != server;
        postgres_of(service.home())
            .filter(is_new)
            .is_some_and(is_running)
    })
    .await;
    service.becomes(200).await;
    let pushes = load.tally.counted(Fact::PushAcknowledged) + PUSHES_AFTER_RECOVERY;
    load.tally.reaches(Fact::PushAcknowledged, pushes).await;
    load.tally.end();
    assert!(
        !load.tally.was_cut(),
        "the service itself was gone for somebody"
    );
    let mut household = load.wait_for_end().await;
    let answered: Vec<String> = household
        .callers
        .iter()
        .flat_map(|caller| &caller.answered)
        .map(|call| call.id.clone())
        .collect();
    audit::holds(&database_of(&service).await, &answered).await;
    check(&service, &mut household, &before).await;
    (service, household)
}

/// A round that kills the service, perhaps with its database: the next start finds everything.
async fn restarted(
    home: &Path,
    service: Service,
    household: Clients,
    round: &Round,
) -> (Service, Clients) {
    let (load, server) = (household.begin(&service, round), service.postgres());
    load.tally.reaches(round.fact, round.count).await;
    dither(round.dithers[0]);
    println!("  killed {}", strike(&service, round));
    service.wait_for_end().await;
    let mut household = load.wait_for_end().await;
    let before = clients_of(server);
    let service = match round.victim {
        KillTarget::ServiceAndItsNextStart | KillTarget::BothAndTheNextStart => {
            starts::again(home, &mut round.chance(99)).await
        }
        _ => setup(home).start().await,
    };
    let is_adopted = service.postgres() == server;
    assert_eq!(
        is_adopted,
        round.victim.leaves_the_server(),
        "a server that lives is adopted"
    );
    for caller in &household.callers {
        audit::outlived(&database_of(&service).await, &caller.answered).await;
    }
    let log = log_in(home);
    assert!(!log.contains("the journal takes no entries"), "{log}");
    check(&service, &mut household, &before).await;
    (service, household)
}

/// Asserts everything that must be true after a kill. `before` are backends that must have ended.
async fn check(service: &Service, household: &mut Clients, before: &[(Pid, String)]) {
    wait_until_settled(service, before).await;
    let (database, reach) = (database_of(service).await, Reach::of(service));
    is_durable(&database).await;
    counts::assert_exact_in(&database, "after a kill").await;
    for device in &mut household.devices {
        device.check(&database).await;
    }
    household.operator.check(&database, &reach).await;
    household.reader.check(&database).await;
}

/// Returns once the service is healthy, and no process, spooled file or incomplete cluster of earlier runs is left.
async fn wait_until_settled(service: &Service, before: &[(Pid, String)]) {
    service.becomes(200).await;
    no_orphans(service, before).await;
    // The service's own folder of spools is made by its first push; the other is its system's for temporary files.
    for folder in ["data/spools", "spool"] {
        let spools = fs::read_dir(service.home().join(folder));
        assert_eq!(
            spools.map_or(0, Iterator::count),
            0,
            "{folder}: spools are left"
        );
    }
    for (folder, expected) in [
        (
            "data",
            ["journal", "postgres", "postgres.log", "sextant.lock"].as_slice(),
        ),
        ("data/postgres", ["data", "run"].as_slice()),
    ] {
        let entries = fs::read_dir(service.home().join(folder)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.retain(|name| name != "spools");
        names.sort();
        assert_eq!(names, expected, "{folder}");
    }
}

/// A connection as the superuser, beside the service.
async fn database_of(service: &Service) -> Database {
    let socket_dir = postgres_socket(service);
    cluster::connect(&cluster::config(&socket_dir, "postgres", "sextant")).await
}

/// Asserts that the server's own settings give up no durability.
async fn is_durable(database: &Database) {
    for setting in ["fsync", "synchronous_commit", "full_page_writes"] {
        let row = database
            .query_one(&format!("SHOW {setting}"), &[])
            .await
            .unwrap();
        assert_eq!(row.get::<_, &str>(0), "on", "{setting}");
    }
}
