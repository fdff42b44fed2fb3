//! The runtime that reads and writes the sockets of the service's own connections. It outlives every actor. Agents' connections
//! are driven by the threads that use them.

use std::io;
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime};

/// It only moves bytes between sockets and channels; two threads would wake each other for every answer.
const DRIVER_THREADS: usize = 1;
/// The time limit for tasks that still run at the stop, such as a cancel request.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

/// The drivers' runtime. Start it before the first actor and stop it after the last one.
#[derive(Debug)]
pub struct Drivers {
    runtime: Option<Runtime>,
}

impl Drivers {
    /// Starts the runtime's thread.
    ///
    /// # Errors
    /// When the thread cannot be started.
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

    /// A handle for the connections; `None` only after the stop.
    pub fn handle(&self) -> Option<Handle> {
        self.runtime
            .as_ref()
            .map(|runtime| runtime.handle().clone())
    }

    /// Ends all connections. Blocks for up to two seconds, so it must not be called on a runtime.
    pub fn stop(mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(STOP_TIMEOUT);
        }
    }
}

impl Drop for Drivers {
    /// Dropping a runtime inside another one panics; this shuts it down without waiting.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
