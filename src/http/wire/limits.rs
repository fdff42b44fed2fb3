//! The limits of connections.

use std::io;
use std::net::TcpListener;
use std::time::Duration;

use nix::sys::resource::{Resource, getrlimit};
use rustix::net::sockopt;

/// The size of a connection's send buffer, in bytes; Linux doubles it, since it counts its own bookkeeping as well.
const SEND_BYTES_MAX: usize = 128 * 1024;
/// Most connections of the agent port, given enough file descriptors: ten thousand idle streams, and room for active ones.
pub(crate) const AGENT_CONNECTIONS_MAX: usize = 12_288;
/// Fewest connections of the agent port: one for each thread that may serve it.
const AGENT_CONNECTIONS_MIN: usize = 8;
/// Most connections of the Console port, given enough file descriptors.
const CONSOLE_CONNECTIONS_MAX: usize = 1024;
/// Fewest connections of the Console port: a browser opens six.
const CONSOLE_CONNECTIONS_MIN: usize = 16;

/// How many connections each port accepts, and how long one is kept whose peer acknowledges nothing.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// The most connections of the agent port.
    pub agent_connections_max: usize,
    /// The most connections of the Console port; at the limit the one that has been idle longest is closed for a new one.
    pub console_connections_max: usize,
    /// How long a peer may acknowledge nothing of what is sent to it. Exports and the audit log as a file have longer limits of their
    /// own.
    pub stall_max: Duration,
}

impl Default for ConnectionLimits {
    /// Derived from the number of files that this process may have open now.
    fn default() -> Self {
        let files = getrlimit(Resource::RLIMIT_NOFILE).map_or(u64::MAX, |(now, _)| now);
        Self::of(usize::try_from(files).unwrap_or(usize::MAX))
    }
}

impl ConnectionLimits {
    /// Three quarters of the files are for agents' connections, half of what is left for the Console's; the rest is for the database,
    /// the journal and pushes.
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

/// Bounds each connection's send buffer and how long its peer may acknowledge nothing. Connections inherit both options from the
/// listening socket.
///
/// # Errors
/// When the system refuses.
pub(super) fn set_options(listener: &TcpListener, stall_max: Duration) -> io::Result<()> {
    sockopt::set_socket_send_buffer_size(listener, SEND_BYTES_MAX)?;
    set_user_timeout(listener, stall_max)
}

/// Has the system end a connection whose peer has acknowledged nothing for this long though bytes were sent (`TCP_USER_TIMEOUT`,
/// tcp(7)).
#[cfg(target_os = "linux")]
pub(super) fn set_user_timeout(
    socket: impl std::os::fd::AsFd,
    stall_max: Duration,
) -> io::Result<()> {
    let longest_ms = u32::try_from(stall_max.as_millis()).unwrap_or(u32::MAX);
    Ok(sockopt::set_tcp_user_timeout(socket, longest_ms)?)
}

/// Other systems have no such option; there only the stream measures the time, while it has something left to write.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "the signature is that of Linux")]
pub(super) fn set_user_timeout(_: impl std::os::fd::AsFd, _: Duration) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ports_leave_files_for_the_rest() {
        let at = |files| {
            let limits = ConnectionLimits::of(files);
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
