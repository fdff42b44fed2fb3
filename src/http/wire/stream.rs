//! The transport that actix drives: reads and writes a connection, and closes it only when its send queue holds nothing of an agent's
//! answers.

use std::future::Future as _;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_http::Protocol;
use actix_http::error::DispatchError;
use actix_service::{ServiceFactory, fn_service};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::port_sockets::{PortSockets, SocketCount};
use super::socket::Socket;

/// How often the send queue of a connection that is to be closed is asked about: the first interval and, doubling, the longest.
const LINGER_INTERVALS: (Duration, Duration) =
    (Duration::from_millis(2), Duration::from_millis(250));

/// A connection of a port, counted until this is dropped.
pub struct SocketStream {
    /// Dropped before the socket closes.
    _until_dropped: SocketCount,
    socket: Arc<Socket>,
    stall: Option<Stall>,
    linger: Option<Linger>,
}

/// A time in which nothing could be written, and how much had been acknowledged at its beginning.
struct Stall {
    deadline: Pin<Box<Sleep>>,
    acknowledged_bytes: Option<u64>,
}

/// A connection that is over while its peer has not acknowledged everything.
struct Linger {
    next_check: Pin<Box<Sleep>>,
    interval: Duration,
}

/// The service between actix's server and its HTTP: makes a [`SocketStream`] of each accepted connection.
pub fn accept(
    sockets: &PortSockets,
) -> impl ServiceFactory<
    TcpStream,
    Config = (),
    Response = (SocketStream, Protocol, Option<SocketAddr>),
    Error = DispatchError,
    InitError = (),
> + use<> {
    let sockets = sockets.clone();
    fn_service(move |io: TcpStream| {
        // With Nagle's algorithm each streamed answer waits 44 ms; if the system refuses, it is only slower.
        let _refused = io.set_nodelay(true);
        let peer = io.peer_addr().ok();
        let (socket, counted) = sockets.admit(io);
        let stream = SocketStream::new(socket, counted);
        async move { Ok((stream, Protocol::Http1, peer)) }
    })
}

impl SocketStream {
    const fn new(socket: Arc<Socket>, counted: SocketCount) -> Self {
        Self {
            socket,
            _until_dropped: counted,
            stall: None,
            linger: None,
        }
    }

    /// The connection that answers are counted on.
    pub fn socket(&self) -> Arc<Socket> {
        Arc::clone(&self.socket)
    }

    /// Called while nothing can be written: resolves to an error once that has lasted too long and the peer acknowledged nothing
    /// meanwhile.
    fn poll_stall(&mut self, cx: &mut Context<'_>) -> Poll<io::Error> {
        let socket = &self.socket;
        let begin = || Stall {
            deadline: Box::pin(sleep(socket.stall_max())),
            acknowledged_bytes: socket.acknowledged_bytes(),
        };
        loop {
            let stall = self.stall.get_or_insert_with(begin);
            ready!(stall.deadline.as_mut().poll(cx));
            if socket.acknowledged_bytes() == stall.acknowledged_bytes {
                socket.reset();
                return Poll::Ready(ErrorKind::TimedOut.into());
            }
            self.stall = None;
        }
    }
}

impl AsyncRead for SocketStream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.socket.poll_read(cx, buffer)
    }
}

impl AsyncWrite for SocketStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = self.socket.poll_write(cx, bytes);
        if written.is_pending() {
            return self.poll_stall(cx).map(Err);
        }
        self.stall = None;
        written
    }

    /// actix calls it whenever it has nothing left to write.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.socket.note_flushed();
        Poll::Ready(Ok(()))
    }

    /// Waits until the peer has acknowledged agents' answers: until then an edit must be able to discard them. That ends, since the
    /// system gives up on a peer that acknowledges nothing.
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.socket.shut_down_write()? {
            let (first, longest) = LINGER_INTERVALS;
            let linger = self.linger.get_or_insert_with(|| Linger {
                next_check: Box::pin(sleep(first)),
                interval: first,
            });
            ready!(linger.next_check.as_mut().poll(cx));
            linger.interval = longest.min(linger.interval * 2);
            linger.next_check = Box::pin(sleep(linger.interval));
        }
        Poll::Ready(Ok(()))
    }
}

impl Drop for SocketStream {
    fn drop(&mut self) {
        self.socket.close();
    }
}
