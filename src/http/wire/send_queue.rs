//! The length of a connection's send queue: bytes that were written and that the peer has not acknowledged. Asked of Linux over
//! netlink (sock_diag(7)).
//!
//! The messages are written by hand because `ioctl(SIOCOUTQ)`, which returns the same number, is offered by no crate without `unsafe`.

use std::net::SocketAddr;
#[cfg(target_os = "linux")]
use std::sync::Arc;

/// The two addresses by which the system identifies a connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct AddressPair {
    pub own: SocketAddr,
    pub peer: SocketAddr,
}

/// The send queues of this machine. Its clones share the sockets that the system is asked over.
#[derive(Clone, Default)]
pub(super) struct SendQueues {
    #[cfg(target_os = "linux")]
    sockets: Arc<linux::NetlinkSockets>,
}

impl SendQueues {
    /// The length of a connection's send queue in bytes, with a FIN counted as one; `None` where the system cannot be asked. A
    /// connection that the system no longer knows has nothing left to send.
    #[cfg(target_os = "linux")]
    pub(super) fn length(&self, ends: AddressPair) -> Option<u64> {
        self.sockets.length(ends).ok()
    }

    /// No other system can be asked.
    #[cfg(not(target_os = "linux"))]
    pub(super) const fn length(&self, _: AddressPair) -> Option<u64> {
        None
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::net::{IpAddr, SocketAddr};
    use std::os::fd::OwnedFd;
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use rustix::io::Errno;
    use rustix::net::{
        AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink, recv, send,
        socket_with,
    };

    use super::AddressPair;

    /// `SOCK_DIAG_BY_FAMILY`, which is also the type of the answer.
    const BY_FAMILY: u16 = 20;
    const NLM_F_REQUEST: u16 = 1;
    const NLMSG_ERROR: u16 = 2;
    const HEAD_BYTES: usize = 16;
    /// The size of `inet_diag_req_v2`.
    const QUESTION_BYTES: usize = 56;
    const IPPROTO_TCP: u8 = 6;
    const TCP_LISTEN: u8 = 10;
    /// The offsets of the state and of the send queue's length in `inet_diag_msg`.
    const STATE_AT: usize = HEAD_BYTES + 1;
    const QUEUED_AT: usize = HEAD_BYTES + 60;
    const ERROR_AT: usize = HEAD_BYTES;
    /// More than the answer about one socket takes.
    const ANSWER_BYTES_MAX: usize = 1024;

    /// Sockets that are kept for the next question: as many as threads ask at one time.
    const KEPT_MAX: usize = 16;

    /// The sockets that the system is asked over. Opening and closing one takes longer than the question.
    #[derive(Default)]
    pub(super) struct NetlinkSockets(Mutex<Vec<OwnedFd>>);

    impl NetlinkSockets {
        /// Asks the system.
        pub(super) fn length(&self, ends: AddressPair) -> Result<u64, Errno> {
            let kept = self.lock().pop();
            let socket = kept.map_or_else(open, Ok)?;
            // One that failed is closed: it may still hold an answer, which the next question would take for its own.
            let length = ask(&socket, ends)?;
            let mut kept = self.lock();
            if kept.len() < KEPT_MAX {
                kept.push(socket);
            }
            Ok(length)
        }

        #[cfg(test)]
        pub(super) fn kept(&self) -> usize {
            self.lock().len()
        }

        fn lock(&self) -> MutexGuard<'_, Vec<OwnedFd>> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }

    fn open() -> Result<OwnedFd, Errno> {
        socket_with(
            AddressFamily::NETLINK,
            SocketType::RAW,
            SocketFlags::CLOEXEC,
            Some(netlink::SOCK_DIAG),
        )
    }

    fn ask(socket: &OwnedFd, ends: AddressPair) -> Result<u64, Errno> {
        send(socket, &question(ends), SendFlags::empty())?;
        let mut answer = [0; ANSWER_BYTES_MAX];
        // The answer is there as soon as `send` returns.
        let (bytes, _) = recv(socket, &mut answer, RecvFlags::DONTWAIT)?;
        read(answer.get(..bytes).unwrap_or_default())
    }

    /// Addresses and ports are in network byte order, everything else in the machine's.
    fn question(ends: AddressPair) -> Vec<u8> {
        let length = (HEAD_BYTES + QUESTION_BYTES) as u32;
        let mut bytes = Vec::with_capacity(HEAD_BYTES + QUESTION_BYTES);
        bytes.extend(length.to_ne_bytes());
        bytes.extend(BY_FAMILY.to_ne_bytes());
        bytes.extend(NLM_F_REQUEST.to_ne_bytes());
        // Sequence number and sender stay 0: a socket carries one question at a time.
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
            // For a connection that is gone the system may answer about the listening socket that accepted it.
            Some(BY_FAMILY) if answer.get(STATE_AT) == Some(&TCP_LISTEN) => Ok(0),
            Some(BY_FAMILY) => number(answer, QUEUED_AT).map(u64::from),
            _ => Err(Errno::PROTO),
        }
    }

    /// The negative number that netlink reports, as unsigned.
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

    /// Both sides of a connection, and the addresses of the first.
    fn pair(address: &str) -> (TcpStream, TcpStream, AddressPair, TcpListener) {
        let listener = TcpListener::bind(address).unwrap();
        let theirs = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (ours, peer) = listener.accept().unwrap();
        let own = ours.local_addr().unwrap();
        (ours, theirs, AddressPair { own, peer }, listener)
    }

    #[test]
    fn the_queue_is_as_long_as_what_was_written_and_not_taken() {
        let queues = SendQueues::default();
        for address in ["127.0.0.1:0", "[::1]:0"] {
            let (mut ours, mut theirs, ends, _listener) = pair(address);
            let length = |ends| queues.length(ends);
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
        let queues = SendQueues::default();
        let (ours, theirs, ends, _listener) = pair("127.0.0.1:0");
        rustix::net::connect_unspec(&ours).unwrap();
        assert_eq!(queues.length(ends), Some(0));
        drop(theirs);
        assert_eq!(queues.length(ends), Some(0));
    }

    #[test]
    fn a_socket_that_was_asked_over_is_asked_over_again() {
        let queues = SendQueues::default();
        let (_ours, _theirs, ends, _listener) = pair("127.0.0.1:0");
        for _ in 0..3 {
            assert_eq!(queues.clone().length(ends), Some(0));
            assert_eq!(queues.sockets.kept(), 1);
        }
    }
}
