//! A client on a raw socket with a small receive buffer, which reads only when a test says so.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

use rustix::net::{AddressFamily, SocketType, connect, socket, sockopt};

use super::eventually::eventually;

/// The receive buffer that is asked of the system; it allocates somewhat more.
const ROOM_BYTES: usize = 4096;
/// A read that takes longer fails its test.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct RawReader(TcpStream);

/// How a connection ended, and how many bytes came before.
#[derive(Debug, PartialEq, Eq)]
pub enum Ended {
    Closed(usize),
    Reset(usize),
}

impl Ended {
    pub fn bytes(&self) -> usize {
        match self {
            Self::Closed(bytes) | Self::Reset(bytes) => *bytes,
        }
    }
}

impl RawReader {
    pub fn to(address: SocketAddr) -> Self {
        let raw = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
        sockopt::set_socket_recv_buffer_size(&raw, ROOM_BYTES).unwrap();
        connect(&raw, &address).unwrap();
        let stream = TcpStream::from(raw);
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Self(stream)
    }

    /// Posts this body on a connection kept alive, with further header lines.
    pub fn post(&mut self, path: &str, key: &str, more: &str, body: &str) {
        let length = body.len();
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n{more}Content-Length: {length}\r\n\r\n{body}"
        );
        self.send(&request);
    }

    pub fn send(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).unwrap();
    }

    /// Closes the sending side.
    pub fn finish(&self) {
        self.0.shutdown(Shutdown::Write).unwrap();
    }

    /// The number of bytes that have been received and not read.
    pub fn received(&self) -> usize {
        usize::try_from(rustix::io::ioctl_fionread(&self.0).unwrap()).unwrap()
    }

    /// Returns once an answer has begun to arrive.
    pub async fn wait_for_answer(&self) {
        eventually("an answer begins", async || self.received() > 0).await;
    }

    /// Returns once the receive buffer is about full.
    pub async fn wait_until_full(&self) {
        eventually("its room is filled", async || {
            self.received() >= ROOM_BYTES / 2
        })
        .await;
    }

    /// Returns once the other end has reset the connection, although nothing is read.
    pub async fn wait_for_reset(&self) {
        eventually("the connection is reset", async || {
            let error = self.0.take_error().unwrap();
            error.is_some_and(|error| error.kind() == ErrorKind::ConnectionReset)
        })
        .await;
    }

    /// Whether the other end has ended the connection; reads what came before.
    pub fn is_over(&mut self) -> bool {
        self.0.set_nonblocking(true).unwrap();
        let over = match self.0.read(&mut [0; 4096]) {
            Ok(bytes) => bytes == 0,
            Err(error) => error.kind() != ErrorKind::WouldBlock,
        };
        self.0.set_nonblocking(false).unwrap();
        over
    }

    /// Reads to the end.
    pub fn rest(&mut self) -> Ended {
        let mut read = 0;
        let mut piece = [0; 64 * 1024];
        loop {
            match self.0.read(&mut piece) {
                Ok(0) => return Ended::Closed(read),
                Ok(bytes) => read += bytes,
                Err(error) if error.kind() == ErrorKind::ConnectionReset => {
                    return Ended::Reset(read);
                }
                Err(error) => panic!("{error} after {read} bytes"),
            }
        }
    }

    /// Reads at least this many bytes.
    pub fn take(&mut self, bytes: usize) {
        let mut left = bytes;
        let mut piece = [0; 64 * 1024];
        while left > 0 {
            let read = self.0.read(&mut piece).unwrap();
            assert_ne!(read, 0, "{left} bytes are missing");
            left = left.saturating_sub(read);
        }
    }
}
