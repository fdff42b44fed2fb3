//! One running server: started by us, or found running after an earlier service was killed.
//!
//! Knows its pid and how it ends. Must not know how it came to run.

use std::path::PathBuf;
use std::process::Child;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::time::{Instant, sleep};

use super::error::ClusterError;
use super::process::is_server_on;

/// Between two looks at a server that starts or stops.
pub const POLL: Duration = Duration::from_millis(10);
/// A fast shutdown writes a checkpoint.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);
/// An immediate shutdown writes nothing; the next start recovers.
const QUIT_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub enum Server {
    Child(Child),
    /// Its pid may be given to another process once it has ended, so it is known by its data too.
    Adopted {
        pid: Pid,
        data: PathBuf,
    },
}

impl Server {
    pub fn pid(&self) -> Pid {
        match self {
            Self::Child(child) => Pid::from_raw(child.id().cast_signed()),
            Self::Adopted { pid, .. } => *pid,
        }
    }

    /// Whether an earlier service started it.
    pub fn is_adopted(&self) -> bool {
        matches!(self, Self::Adopted { .. })
    }

    /// Whether the server is gone; collects a child that has ended.
    pub fn has_ended(&mut self) -> bool {
        match self {
            Self::Child(child) => !matches!(child.try_wait(), Ok(None)),
            Self::Adopted { pid, data } => !is_server_on(*pid, data),
        }
    }

    /// Fast shutdown and its end; immediate shutdown when that takes too long.
    pub async fn stop(&mut self) -> Result<(), ClusterError> {
        for (signal, patience) in [
            (Signal::SIGINT, STOP_TIMEOUT),
            (Signal::SIGQUIT, QUIT_TIMEOUT),
        ] {
            if self.has_ended() {
                return Ok(());
            }
            // That it may have ended since is seen by the wait.
            let _ = kill(self.pid(), signal);
            if self.ended_within(patience).await {
                return Ok(());
            }
        }
        Err(ClusterError::StopTimedOut {
            pid: self.pid().as_raw(),
        })
    }

    async fn ended_within(&mut self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        while !self.has_ended() {
            if Instant::now() >= deadline {
                return false;
            }
            sleep(POLL).await;
        }
        true
    }
}
