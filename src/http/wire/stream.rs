//! A connection as actix has it: it reads and writes, and ends only when nothing of an agent's is left in its queue.

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

/// How often a connection that is to be closed is asked whether its queue is empty: at first, and at last.
const LINGER_STEPS: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(250));

/// A connection of a port, which counts until it is dropped.
pub struct SocketStream {
    /// Given back before the socket closes.
    _until_dropped: SocketCount,
    socket: Arc<Socket>,
    stall: Option<Stall>,
    linger: Option<Linger>,
}

/// Since when nothing can be written, and how much had been taken then.
struct Stall {
    over: Pin<Box<Sleep>>,
    taken: Option<u64>,
}

/// It is over, and the other end has not taken all of it.
struct Linger {
    next: Pin<Box<Sleep>>,
    step: Duration,
}

/// What stands between actix's server and its HTTP: takes each connection in.
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
        // Without it each streamed answer waits 44 ms for Nagle's algorithm; where it is refused, it does.
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

    /// What answers know it by.
    pub fn socket(&self) -> Arc<Socket> {
        Arc::clone(&self.socket)
    }

    /// Nothing can be written: an error once that has lasted too long, and nothing was taken meanwhile.
    fn poll_stall(&mut self, cx: &mut Context<'_>) -> Poll<io::Error> {
        let socket = &self.socket;
        let begin = || Stall {
            over: Box::pin(sleep(socket.stall_max())),
            taken: socket.taken(),
        };
        loop {
            let stall = self.stall.get_or_insert_with(begin);
            ready!(stall.over.as_mut().poll(cx));
            let taken = socket.taken();
            if taken == stall.taken {
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

    /// Waits for what agents' answers left in the queue, which an edit must be able to throw away until it is taken. That ends: the
    /// system gives up an end that takes nothing.
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.socket.shut()? {
            let (first, last) = LINGER_STEPS;
            let linger = self.linger.get_or_insert_with(|| Linger {
                next: Box::pin(sleep(first)),
                step: first,
            });
            ready!(linger.next.as_mut().poll(cx));
            linger.step = last.min(linger.step * 2);
            linger.next = Box::pin(sleep(linger.step));
        }
        Poll::Ready(Ok(()))
    }
}

impl Drop for SocketStream {
    fn drop(&mut self) {
        self.socket.close();
    }
}
