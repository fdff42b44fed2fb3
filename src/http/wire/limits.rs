//! The bounds of connections.

use std::io;
use std::net::TcpListener;
use std::time::Duration;

use nix::sys::resource::{Resource, getrlimit};
use rustix::net::sockopt;

/// What a connection's send queue takes at most, in bytes; Linux counts its own cost of them in, and doubles the number for that.
const SEND_BYTES_MAX: usize = 128 * 1024;
/// Connections of the agent port, if there are files enough: ten thousand idle streams, and room for those who do something.
pub(crate) const AGENT_CONNECTIONS_MAX: usize = 12_288;
/// Fewest of them, one for each thread that may serve the port.
const AGENT_CONNECTIONS_MIN: usize = 8;
/// Connections of the Console port, if there are files enough.
const CONSOLE_CONNECTIONS_MAX: usize = 1024;
/// Fewest of them: a browser opens six.
const CONSOLE_CONNECTIONS_MIN: usize = 16;

/// How many connections there may be, and how long one is kept of which the other end takes nothing.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Of the agent port.
    pub agent_connections_max: usize,
    /// Of the Console port; at so many, the one that has been idle for the longest is closed for the next.
    pub console_connections_max: usize,
    /// How long the other end may take nothing of what is sent to it; who takes an export or the record as a file has longer, by the
    /// bounds of those.
    pub stall_max: Duration,
}

impl Default for Limits {
    /// By the number of files that this process may have open now.
    fn default() -> Self {
        let files = getrlimit(Resource::RLIMIT_NOFILE).map_or(u64::MAX, |(now, _)| now);
        Self::of(usize::try_from(files).unwrap_or(usize::MAX))
    }
}

impl Limits {
    /// Three quarters of the files are for agents' connections, half of what is left for the Console's; the rest is for the database,
    /// the journal and what is pushed.
    fn of(files: usize) -> Self {
        let quarter = files / 4;
        Self {
            agent_connections_max: (files - quarter)
                .clamp(AGENT_CONNECTIONS_MIN, AGENT_CONNECTIONS_MAX),
            console_connections_max: (quarter / 2)
                .clamp(CONSOLE_CONNECTIONS_MIN, CONSOLE_CONNECTIONS_MAX),
            stall_max: Duration::from_secs(30),
        }
    }
}

/// Bounds what the system holds for each connection of this listener, and how long without the other end taking any of it. Connections
/// have it from the socket that accepts them.
///
/// # Errors
/// When the system refuses.
pub(crate) fn bound(listener: &TcpListener, stall_max: Duration) -> io::Result<()> {
    sockopt::set_socket_send_buffer_size(listener, SEND_BYTES_MAX)?;
    give_up_after(listener, stall_max)
}

/// Has the system end a connection over which nothing went for so long though there was something to send.
#[cfg(target_os = "linux")]
pub(super) fn give_up_after(socket: impl std::os::fd::AsFd, stall_max: Duration) -> io::Result<()> {
    let longest_ms = u32::try_from(stall_max.as_millis()).unwrap_or(u32::MAX);
    Ok(sockopt::set_tcp_user_timeout(socket, longest_ms)?)
}

/// Other systems have no such setting; there the stream alone keeps the time, while it has something left to write.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "as where there is one")]
pub(super) fn give_up_after(_: impl std::os::fd::AsFd, _: Duration) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ports_leave_files_for_the_rest() {
        let at = |files| {
            let limits = Limits::of(files);
            (limits.agent_connections_max, limits.console_connections_max)
        };
        assert_eq!(
            at(usize::MAX),
            (AGENT_CONNECTIONS_MAX, CONSOLE_CONNECTIONS_MAX)
        );
        assert_eq!(at(1024), (768, 128));
        assert_eq!(at(400), (300, 50));
        assert_eq!(at(0), (AGENT_CONNECTIONS_MIN, CONSOLE_CONNECTIONS_MIN));
    }
}
