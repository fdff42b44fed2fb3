//! A proxy before the agent port, for a client that cannot send a key: it adds one to every request.
//!
//! All else stays as the client sent it, byte for byte, `Host` and `Origin` too, which the port checks. One request a
//! connection, so that nothing has to be parsed but the end of the head; after it bytes stream both ways, and when
//! either side closes, the other sees it.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;

/// Longest head that is accepted; a client that sends more is broken.
const HEAD_BYTES_MAX: usize = 64 * 1024;

/// Runs until it is dropped.
pub struct KeyedProxy {
    pub address: SocketAddr,
    accepting: AbortHandle,
}

impl KeyedProxy {
    /// Starts it before `port`; `key` is added to every request.
    pub async fn start(port: SocketAddr, key: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let added = format!("\r\nAuthorization: Bearer {key}\r\nConnection: close");
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let added = added.clone();
                tokio::spawn(async move { pass(client, port, &added).await });
            }
        });
        Self {
            address,
            accepting: accepting.abort_handle(),
        }
    }
}

impl Drop for KeyedProxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Serves one connection. An error means that the client or the port has closed, which the other side sees.
async fn pass(mut client: TcpStream, port: SocketAddr, added: &str) -> Option<()> {
    let received = head(&mut client).await?;
    let mut server = TcpStream::connect(port).await.ok()?;
    let keyed = keyed(&received, added)?;
    client.set_nodelay(true).ok()?;
    server.set_nodelay(true).ok()?;
    server.write_all(&keyed).await.ok()?;
    copy_bidirectional(&mut client, &mut server).await.ok()?;
    Some(())
}

/// Reads until the head is complete; returns what has arrived, which may include the start of the body.
async fn head(client: &mut TcpStream) -> Option<Vec<u8>> {
    let mut received = Vec::new();
    while !received.windows(4).any(|four| four == b"\r\n\r\n") {
        let read = client.read_buf(&mut received).await.ok()?;
        if read == 0 || received.len() > HEAD_BYTES_MAX {
            return None;
        }
    }
    Some(received)
}

/// `received` with the lines of `added` after its first line and without its own `Connection` header.
fn keyed(received: &[u8], added: &str) -> Option<Vec<u8>> {
    let end = received.windows(4).position(|four| four == b"\r\n\r\n")?;
    let (head, rest) = received.split_at(end);
    let head = std::str::from_utf8(head).ok()?;
    let (first, lines) = head.split_once("\r\n")?;
    let is_kept = |line: &&str| !line.to_ascii_lowercase().starts_with("connection:");
    let kept: Vec<&str> = lines.split("\r\n").filter(is_kept).collect();
    let head = format!("{first}{added}\r\n{}", kept.join("\r\n"));
    Some([head.as_bytes(), rest].concat())
}

#[test]
fn the_key_comes_first_and_all_else_stays_as_it_was() {
    let sent = b"POST /mcp HTTP/1.1\r\nhost: evil.example\r\nConnection: keep-alive\r\nOrigin: x\r\n\r\n{}";
    let keyed = keyed(sent, "\r\nAuthorization: Bearer k\r\nConnection: close").unwrap();
    assert_eq!(
        String::from_utf8(keyed).unwrap(),
        "POST /mcp HTTP/1.1\r\nAuthorization: Bearer k\r\nConnection: close\r\nhost: evil.example\r\nOrigin: x\r\n\r\n{}"
    );
}
