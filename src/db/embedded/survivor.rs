//! The server an earlier service left behind, or only its pid file.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::unistd::Pid;
use tokio::time::{Instant, sleep};

use super::error::ClusterError;
use super::layout::Layout;
use super::process::{is_server_on, is_taken};
use super::run_dir::remove_if_there;
use super::server::{POLL, Server};
use super::superuser::answers;

/// A server that recovers from a crash, or stops, may need long.
const PATIENCE: Duration = Duration::from_secs(120);
/// Between making its pid file and writing into it, a server does nothing else.
const UNWRITTEN_TIMEOUT: Duration = Duration::from_secs(5);

/// The server an earlier service left running on this data, with the directory of its socket.
///
/// Waits for one that is still starting or stopping; it adds to its pid file while it starts, so that the file is read at
/// every look. The pid file of a process that is no server on this data is removed: the server would take that process,
/// even one that has ended and waits for its parent, for its predecessor and refuse to start. So is one that stays
/// empty: a server was killed before it wrote into it. The file of a pid nobody has stays: the server looks for orphans
/// by it.
pub async fn survivor(layout: &Layout) -> Result<Option<(Server, PathBuf)>, ClusterError> {
    let begun = Instant::now();
    loop {
        let pid = match PidFile::read(&layout.data) {
            PidFile::Missing => return Ok(None),
            PidFile::Unwritten if begun.elapsed() >= UNWRITTEN_TIMEOUT => return gone(layout),
            PidFile::Unwritten => None,
            PidFile::Of { pid, .. } if !is_server_on(pid, &layout.data) => {
                return if is_taken(pid) {
                    gone(layout)
                } else {
                    Ok(None)
                };
            }
            PidFile::Of { pid, socket_dir } => match socket_dir {
                Some(run) if answers(&run, &layout.data).await => {
                    let data = layout.data.clone();
                    return Ok(Some((Server::Adopted { pid, data }, run)));
                }
                _ => Some(pid),
            },
        };
        if let Some(pid) = pid
            && begun.elapsed() >= PATIENCE
        {
            return Err(ClusterError::SurvivorSilent {
                pid: pid.as_raw(),
                data: layout.data.clone(),
            });
        }
        sleep(POLL).await;
    }
}

/// No server of ours; its pid file would be in the way.
fn gone(layout: &Layout) -> Result<Option<(Server, PathBuf)>, ClusterError> {
    remove_if_there(&layout.data.join("postmaster.pid"))?;
    Ok(None)
}

/// The lines of `postmaster.pid` that matter.
enum PidFile {
    Missing,
    /// A server makes it first and writes into it then.
    Unwritten,
    Of {
        pid: Pid,
        /// Written once the server has its socket.
        socket_dir: Option<PathBuf>,
    },
}

impl PidFile {
    fn read(data: &Path) -> Self {
        let Ok(text) = fs::read_to_string(data.join("postmaster.pid")) else {
            return Self::Missing;
        };
        let mut lines = text.lines().map(str::trim);
        let pid = lines.next().and_then(|line| line.parse().ok());
        // Zero and below would name process groups.
        match pid.filter(|pid| *pid > 0) {
            None => Self::Unwritten,
            Some(pid) => Self::Of {
                pid: Pid::from_raw(pid),
                socket_dir: lines
                    .nth(3)
                    .map(PathBuf::from)
                    .filter(|run| run.is_absolute()),
            },
        }
    }
}
