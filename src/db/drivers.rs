//! The runtime that reads and writes the sockets of the service's own connections, and outlives every actor. Agents' reads are driven by
//! the threads that ask.

use std::io;
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime};

/// Threads that only move bytes between sockets and channels: two would wake each other for every answer.
const DRIVER_THREADS: usize = 1;
/// For what still runs on it at the end, such as a cancel request.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

/// The drivers' runtime. To be made before the first actor and stopped after the last one.
#[derive(Debug)]
pub struct Drivers {
    runtime: Option<Runtime>,
}

impl Drivers {
    pub fn start() -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(DRIVER_THREADS)
            .thread_name("database")
            .enable_all()
            .build()?;
        Ok(Self {
            runtime: Some(runtime),
        })
    }

    /// A handle for the connections; none only after the stop.
    pub fn handle(&self) -> Option<Handle> {
        self.runtime
            .as_ref()
            .map(|runtime| runtime.handle().clone())
    }

    /// Ends all connections. Blocks up to two seconds: not to be called on a runtime.
    pub fn stop(mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(STOP_TIMEOUT);
        }
    }
}

impl Drop for Drivers {
    /// A plain drop of a runtime inside another one panics.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
