//! How many bytes a connection has been given that the other end has not acknowledged, as Linux tells it over netlink (sock_diag(7)).
//!
//! `ioctl(SIOCOUTQ)` says the same of an open socket, but no crate offers it without `unsafe`.

use std::net::SocketAddr;

/// Both ends of a connection, as the system knows it by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    /// Ours.
    pub own: SocketAddr,
    /// The other end's.
    pub peer: SocketAddr,
}

/// The length of its send queue, in bytes, the end of what is sent (FIN) counted as one; none where the system cannot tell. A connection that
/// the system knows no more has nothing left to send.
#[cfg(target_os = "linux")]
pub(super) fn length(ends: Ends) -> Option<u64> {
    linux::length(ends).ok()
}

/// No other system tells.
#[cfg(not(target_os = "linux"))]
pub const fn length(_: Ends) -> Option<u64> {
    None
}

#[cfg(target_os = "linux")]
mod linux {
    use std::net::{IpAddr, SocketAddr};

    use rustix::io::Errno;
    use rustix::net::{
        AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink, recv, send,
        socket_with,
    };

    use super::Ends;

    /// `SOCK_DIAG_BY_FAMILY`, also the type of its answer.
    const BY_FAMILY: u16 = 20;
    const NLM_F_REQUEST: u16 = 1;
    const NLMSG_ERROR: u16 = 2;
    const HEAD_BYTES: usize = 16;
    /// Of `inet_diag_req_v2`.
    const QUESTION_BYTES: usize = 56;
    const IPPROTO_TCP: u8 = 6;
    const TCP_LISTEN: u8 = 10;
    /// Where `inet_diag_msg` has the state and the length of the send queue.
    const STATE_AT: usize = HEAD_BYTES + 1;
    const QUEUED_AT: usize = HEAD_BYTES + 60;
    const ERROR_AT: usize = HEAD_BYTES;
    /// More than an answer about one socket has.
    const ANSWER_BYTES_MAX: usize = 1024;

    /// Asks the system; an error where it cannot tell.
    pub(super) fn length(ends: Ends) -> Result<u64, Errno> {
        let socket = socket_with(
            AddressFamily::NETLINK,
            SocketType::RAW,
            SocketFlags::CLOEXEC,
            Some(netlink::SOCK_DIAG),
        )?;
        send(&socket, &question(ends), SendFlags::empty())?;
        let mut answer = [0; ANSWER_BYTES_MAX];
        // The system has answered by the time it has taken the question.
        let (bytes, _) = recv(&socket, &mut answer, RecvFlags::DONTWAIT)?;
        read(answer.get(..bytes).unwrap_or_default())
    }

    /// Addresses and ports stand in the network's order, all else in the machine's.
    fn question(ends: Ends) -> Vec<u8> {
        let length = (HEAD_BYTES + QUESTION_BYTES) as u32;
        let mut bytes = Vec::with_capacity(HEAD_BYTES + QUESTION_BYTES);
        bytes.extend(length.to_ne_bytes());
        bytes.extend(BY_FAMILY.to_ne_bytes());
        bytes.extend(NLM_F_REQUEST.to_ne_bytes());
        // Neither a number nor a sender: there is one question on this socket.
        bytes.extend([0; 8]);
        let family = match ends.own {
            SocketAddr::V4(_) => AddressFamily::INET,
            SocketAddr::V6(_) => AddressFamily::INET6,
        };
        bytes.extend([family.as_raw() as u8, IPPROTO_TCP, 0, 0]);
        let any_state = u32::MAX;
        bytes.extend(any_state.to_ne_bytes());
        bytes.extend(ends.own.port().to_be_bytes());
        bytes.extend(ends.peer.port().to_be_bytes());
        bytes.extend(address(ends.own.ip()));
        bytes.extend(address(ends.peer.ip()));
        let (any_interface, no_cookie) = (0_u32, u64::MAX);
        bytes.extend(any_interface.to_ne_bytes());
        bytes.extend(no_cookie.to_ne_bytes());
        bytes
    }

    fn address(ip: IpAddr) -> [u8; 16] {
        match ip {
            IpAddr::V6(ip) => ip.octets(),
            IpAddr::V4(ip) => {
                let mut bytes = [0; 16];
                if let Some(first) = bytes.first_chunk_mut() {
                    *first = ip.octets();
                }
                bytes
            }
        }
    }

    fn read(answer: &[u8]) -> Result<u64, Errno> {
        let kind = answer.get(4..).and_then(<[u8]>::first_chunk);
        match kind.map(|kind| u16::from_ne_bytes(*kind)) {
            Some(NLMSG_ERROR) if number(answer, ERROR_AT)? == errno(Errno::NOENT) => Ok(0),
            // In place of a connection that is gone, the socket that accepted it may be told of.
            Some(BY_FAMILY) if answer.get(STATE_AT) == Some(&TCP_LISTEN) => Ok(0),
            Some(BY_FAMILY) => number(answer, QUEUED_AT).map(u64::from),
            _ => Err(Errno::PROTO),
        }
    }

    /// As netlink writes it.
    fn errno(errno: Errno) -> u32 {
        errno.raw_os_error().wrapping_neg().cast_unsigned()
    }

    fn number(answer: &[u8], at: usize) -> Result<u32, Errno> {
        let bytes = answer.get(at..).and_then(<[u8]>::first_chunk);
        bytes
            .map(|bytes| u32::from_ne_bytes(*bytes))
            .ok_or(Errno::PROTO)
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::{TcpListener, TcpStream};

    use super::*;

    /// Both sides of a connection, and how the first is known.
    fn pair(address: &str) -> (TcpStream, TcpStream, Ends, TcpListener) {
        let listener = TcpListener::bind(address).unwrap();
        let theirs = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (ours, peer) = listener.accept().unwrap();
        let own = ours.local_addr().unwrap();
        (ours, theirs, Ends { own, peer }, listener)
    }

    #[test]
    fn the_queue_is_as_long_as_what_was_written_and_not_taken() {
        for address in ["127.0.0.1:0", "[::1]:0"] {
            let (mut ours, mut theirs, ends, _listener) = pair(address);
            assert_eq!(length(ends), Some(0), "{address}");
            ours.set_nonblocking(true).unwrap();
            let mut written = 0_u64;
            while let Ok(bytes) = ours.write(&[0; 64 * 1024]) {
                written += bytes as u64;
            }
            let queued = length(ends).unwrap();
            assert!(0 < queued && queued < written, "{queued} of {written}");
            let mut whole = vec![0; usize::try_from(written).unwrap()];
            theirs.read_exact(&mut whole).unwrap();
            while length(ends) != Some(0) {
                std::thread::yield_now();
            }
        }
    }

    #[test]
    fn a_connection_that_is_gone_has_nothing_queued_though_its_listener_is_there() {
        let (ours, theirs, ends, _listener) = pair("127.0.0.1:0");
        rustix::net::connect_unspec(&ours).unwrap();
        assert_eq!(length(ends), Some(0));
        drop(theirs);
        assert_eq!(length(ends), Some(0));
    }
}
