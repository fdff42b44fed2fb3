//! A client that sends requests and does not read, over a connection with so little buffer that what it does not read
//! stays with the service.

use nix::sys::socket::{setsockopt, sockopt};
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

/// The smallest segments that systems accept: with them, the kernel buffers little for a peer that does not read.
const SEGMENT_BYTES: u32 = 536;
const BUFFER_BYTES: u32 = 4096;

/// A connection over which an answer has begun; dropping it closes it.
pub struct Unread(#[expect(dead_code, reason = "it is there to stay open")] TcpStream);

/// Sends the request and reads only the status of the answer.
pub async fn ask(address: SocketAddr, request: &str) -> (u16, Unread) {
    let socket = TcpSocket::new_v4().unwrap();
    setsockopt(&socket, sockopt::TcpMaxSeg, &SEGMENT_BYTES).unwrap();
    socket.set_recv_buffer_size(BUFFER_BYTES).unwrap();
    let mut line = socket.connect(address).await.unwrap();
    line.write_all(request.as_bytes()).await.unwrap();
    let mut status = [0; 12];
    line.read_exact(&mut status).await.unwrap();
    let status = String::from_utf8(status.to_vec()).unwrap();
    let code = status.strip_prefix("HTTP/1.1 ").unwrap();
    (code.parse().unwrap(), Unread(line))
}
