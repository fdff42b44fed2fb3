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

/// The server an earlier service left running on this data, with the directory of its socket.
///
/// Waits for one that is still starting or stopping. The pid file of a process that is no server on this
/// data is removed: the server would take that process, even one that has ended and waits for its parent, for its
/// predecessor and refuse to start. The file of a pid nobody has stays: the server looks for orphans by it.
pub async fn survivor(layout: &Layout) -> Result<Option<(Server, PathBuf)>, ClusterError> {
    let Some(left) = PidFile::read(&layout.data) else {
        return Ok(None);
    };
    let deadline = Instant::now() + PATIENCE;
    while is_server_on(left.pid, &layout.data) {
        if let Some(run) = left.socket_dir.as_ref().filter(|run| run.is_absolute())
            && answers(run, &layout.data).await
        {
            return Ok(Some((
                Server::Adopted {
                    pid: left.pid,
                    data: layout.data.clone(),
                },
                run.clone(),
            )));
        }
        if Instant::now() >= deadline {
            return Err(ClusterError::SurvivorSilent {
                pid: left.pid.as_raw(),
                data: layout.data.clone(),
            });
        }
        sleep(POLL).await;
    }
    if is_taken(left.pid) {
        remove_if_there(&layout.data.join("postmaster.pid"))?;
    }
    Ok(None)
}

/// The lines of `postmaster.pid` that matter.
struct PidFile {
    pid: Pid,
    socket_dir: Option<PathBuf>,
}

impl PidFile {
    fn read(data: &Path) -> Option<Self> {
        let text = fs::read_to_string(data.join("postmaster.pid")).ok()?;
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let pid: i32 = lines.first()?.parse().ok()?;
        // Zero and below would name process groups.
        (pid > 0).then(|| Self {
            pid: Pid::from_raw(pid),
            socket_dir: lines.get(4).map(PathBuf::from),
        })
    }
}
