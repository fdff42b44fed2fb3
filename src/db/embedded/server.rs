//! One running server: started by this process, or adopted after an earlier service was killed.
//!
//! It knows the pid and how to stop the server. It must not know how the server was started.

use std::path::PathBuf;
use std::process::Child;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::time::{Instant, sleep};

use super::error::ClusterError;
use super::process::is_server_on;

/// The pause between two checks of a server that starts or stops.
pub(super) const POLL: Duration = Duration::from_millis(10);
/// The time limit of a fast shutdown, which writes a checkpoint.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);
/// The time limit of an immediate shutdown, which writes nothing; the next start recovers.
const QUIT_TIMEOUT: Duration = Duration::from_secs(5);

/// A server of PostgreSQL.
#[derive(Debug)]
pub(super) enum Server {
    Child(Child),
    /// Its pid may belong to another process once it has ended, so it is identified by its data too.
    Adopted {
        pid: Pid,
        data: PathBuf,
    },
}

impl Server {
    /// The pid of the server's main process.
    pub(super) fn pid(&self) -> Pid {
        match self {
            Self::Child(child) => Pid::from_raw(child.id().cast_signed()),
            Self::Adopted { pid, .. } => *pid,
        }
    }

    /// Whether an earlier service started it.
    pub(super) fn is_adopted(&self) -> bool {
        matches!(self, Self::Adopted { .. })
    }

    /// Whether the server has ended; reaps a child that has.
    pub(super) fn has_ended(&mut self) -> bool {
        match self {
            Self::Child(child) => !matches!(child.try_wait(), Ok(None)),
            Self::Adopted { pid, data } => !is_server_on(*pid, data),
        }
    }

    /// Stops the server with a fast shutdown, or with an immediate one if that takes too long, and waits for its end.
    ///
    /// # Errors
    /// When neither ends it in time.
    pub(super) async fn stop(&mut self) -> Result<(), ClusterError> {
        for (signal, time_limit) in [
            (Signal::SIGINT, STOP_TIMEOUT),
            (Signal::SIGQUIT, QUIT_TIMEOUT),
        ] {
            if self.has_ended() {
                return Ok(());
            }
            // It fails if the server has ended in the meantime, which the wait sees.
            let _ = kill(self.pid(), signal);
            if self.wait_for_end(time_limit).await {
                return Ok(());
            }
        }
        Err(ClusterError::StopTimedOut {
            pid: self.pid().as_raw(),
        })
    }

    /// Returns whether the server ended within the limit.
    async fn wait_for_end(&mut self, time_limit: Duration) -> bool {
        let deadline = Instant::now() + time_limit;
        while !self.has_ended() {
            if Instant::now() >= deadline {
                return false;
            }
            sleep(POLL).await;
        }
        true
    }
}
