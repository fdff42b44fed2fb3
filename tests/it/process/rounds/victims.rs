//! The kills, and the processes they may leave behind.

use std::fs;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::chance::dither;
use super::plan::{KillTarget, Round};
use crate::process::Service;
use crate::process::service::is_running;
use crate::support::eventually::eventually;
use crate::support::watchdog::living_in;

/// How often it looks for a backend in `COMMIT` before it takes any backend of a client.
const LOOKS_MAX: usize = 2_000;

pub fn kill_now(pid: Pid) {
    kill(pid, Signal::SIGKILL).unwrap();
}

/// Kills what the round names; returns a description of it.
pub fn strike(service: &Service, round: &Round) -> String {
    let (itself, server) = (service.pid(), service.postgres());
    let both = |first: Pid, second: Pid| {
        kill_now(first);
        dither(round.dithers[1]);
        kill_now(second);
        format!("{first}, {second}")
    };
    match round.victim {
        KillTarget::Service | KillTarget::ServiceAndItsNextStart | KillTarget::FirstStart => {
            kill_now(itself);
            itself.to_string()
        }
        KillTarget::Postmaster => {
            kill_now(server);
            server.to_string()
        }
        KillTarget::ServiceThenPostmaster | KillTarget::BothAndTheNextStart => both(itself, server),
        KillTarget::PostmasterThenService => both(server, itself),
        KillTarget::Backend => {
            let (backend, title) = committing(server);
            kill_now(backend);
            title
        }
    }
}

/// A backend in `COMMIT`, or else any that works for a client.
fn committing(server: Pid) -> (Pid, String) {
    let look = || {
        clients_of(server)
            .into_iter()
            .find(|(_, title)| title.ends_with("COMMIT"))
    };
    let found = (0..LOOKS_MAX).find_map(|_| look());
    found.unwrap_or_else(|| clients_of(server).swap_remove(0))
}

/// The backends that work for clients, with their process titles.
pub fn clients_of(server: Pid) -> Vec<(Pid, String)> {
    let children = fs::read_to_string(format!("/proc/{server}/task/{server}/children"));
    let children = children.unwrap_or_default();
    let titled = children.split_whitespace().filter_map(|pid| {
        let title = fs::read_to_string(format!("/proc/{pid}/cmdline")).ok()?;
        let title = title.trim_end_matches(['\0', ' ']).to_owned();
        Some((Pid::from_raw(pid.parse().ok()?), title))
    });
    titled
        .filter(|(_, title)| title.contains(" [local]"))
        .collect()
}

/// Waits until no process of earlier runs is left: no backend among `before`, and no server without its postmaster.
pub async fn no_orphans(service: &Service, before: &[(Pid, String)]) {
    let server = service.postgres();
    eventually("the backends of a killed service have ended", async || {
        !before.iter().any(|(pid, _)| is_running(*pid))
    })
    .await;
    eventually(
        "only one server and its children live in the data directory",
        async || {
            let data = service.home().join("data/postgres");
            let is_ours = |pid: &Pid| *pid == server || parent_of(*pid) == Some(server);
            living_in(&data).iter().all(is_ours)
        },
    )
    .await;
}

fn parent_of(pid: Pid) -> Option<Pid> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let after_name = stat.rsplit(')').next()?;
    Some(Pid::from_raw(
        after_name.split_whitespace().nth(1)?.parse().ok()?,
    ))
}
