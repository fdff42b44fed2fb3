//! How many connections the port takes: as many as idle streams may need, and never so many that the rest of the service goes
//! without files. And how long one is kept whose client reads nothing: what is not read is held in memory, and the server waits for
//! a reader without end, even after the key was revoked.

use std::io;
use std::net::TcpListener;
use std::num::NonZero;

use nix::sys::resource::{Resource, getrlimit};
#[cfg(target_os = "linux")]
use nix::sys::socket::{setsockopt, sockopt};

#[cfg(target_os = "linux")]
use super::limits::STALL_MAX;
use super::limits::{CONNECTIONS_MAX, WORKERS_MAX, WORKERS_MIN};

/// Has the system close each connection of this listener over which nothing went for [`STALL_MAX`] though there was something to send.
///
/// # Errors
/// When the system refuses.
#[cfg(target_os = "linux")]
pub fn close_stalled(listener: &TcpListener) -> io::Result<()> {
    // Accepted sockets have it from the listening one.
    let longest_ms = u32::try_from(STALL_MAX.as_millis()).unwrap_or(u32::MAX);
    Ok(setsockopt(listener, sockopt::TcpUserTimeout, &longest_ms)?)
}

/// Other systems have no such setting; there it is the peer's end that ends the connection.
///
/// # Errors
/// None.
#[cfg(not(target_os = "linux"))]
pub fn close_stalled(_: &TcpListener) -> io::Result<()> {
    Ok(())
}

/// The threads that serve the port: as many as there are cores, within bounds.
pub fn workers() -> usize {
    let cores = std::thread::available_parallelism().map_or(WORKERS_MIN, NonZero::get);
    cores.clamp(WORKERS_MIN, WORKERS_MAX)
}

/// The connections that each of so many workers takes, of the files that this process may have open now.
pub fn per_worker_max(workers: usize) -> usize {
    let files = getrlimit(Resource::RLIMIT_NOFILE).map_or(u64::MAX, |(now, _)| now);
    let files = usize::try_from(files).unwrap_or(usize::MAX);
    of(files) / workers
}

/// A quarter is for the database, the Console and what is pushed.
fn of(files: usize) -> usize {
    (files - files / 4).clamp(WORKERS_MAX, CONNECTIONS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_for_the_rest() {
        assert_eq!(of(usize::MAX), CONNECTIONS_MAX);
        assert_eq!(of(1024), 768);
        assert_eq!(of(0), WORKERS_MAX);
    }
}
