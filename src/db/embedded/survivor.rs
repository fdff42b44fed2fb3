//! Finds the server that an earlier service left running, and removes a stale pid file.

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

/// How long to wait for a server that starts or stops; recovery after a crash may take long.
const SURVIVOR_TIMEOUT: Duration = Duration::from_secs(120);
/// How long a pid file may be empty. A server writes into it immediately after creating it.
const EMPTY_FILE_TIMEOUT: Duration = Duration::from_secs(5);

/// The server that an earlier service left running on this data, with the directory of its socket.
///
/// It waits for a server that is starting or stopping. Such a server adds lines to its pid file, so the file is read again at
/// each check. The pid file of a process that is no server on this data is removed: a new server would take that process, even
/// a zombie, for its predecessor and refuse to start. A file that stays empty is removed too: its server was killed before it
/// wrote into it. The file of a pid that no process has is kept: a new server uses it to find processes of its predecessor.
///
/// # Errors
/// When a server runs but does not answer within [`SURVIVOR_TIMEOUT`], or a file cannot be removed.
pub(super) async fn find_survivor(
    layout: &Layout,
) -> Result<Option<(Server, PathBuf)>, ClusterError> {
    let begun = Instant::now();
    loop {
        let pid = match PidFile::read(&layout.data) {
            PidFile::Missing => return Ok(None),
            PidFile::Empty if begun.elapsed() >= EMPTY_FILE_TIMEOUT => {
                return remove_pid_file(layout);
            }
            PidFile::Empty => None,
            PidFile::Of { pid, .. } if !is_server_on(pid, &layout.data) => {
                return if is_taken(pid) {
                    remove_pid_file(layout)
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
            && begun.elapsed() >= SURVIVOR_TIMEOUT
        {
            return Err(ClusterError::SurvivorSilent {
                pid: pid.as_raw(),
                data: layout.data.clone(),
            });
        }
        sleep(POLL).await;
    }
}

/// Removes a stale pid file, which would prevent a start. Returns that there is no server.
fn remove_pid_file(layout: &Layout) -> Result<Option<(Server, PathBuf)>, ClusterError> {
    remove_if_there(&layout.data.join("postmaster.pid"))?;
    Ok(None)
}

/// The lines of `postmaster.pid` that matter.
enum PidFile {
    Missing,
    /// Created by a server that has not written into it yet.
    Empty,
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
        // `kill` takes zero and negative numbers for process groups.
        match pid.filter(|pid| *pid > 0) {
            None => Self::Empty,
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
