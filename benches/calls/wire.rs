//! One HTTP/1.1 connection kept alive, with as little work as possible: the benchmark shares the machine with what it
//! measures.

use std::net::SocketAddr;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

/// Larger than an answer, so that one read fetches it.
const BUFFER_BYTES: usize = 64 * 1024;

pub struct Wire {
    stream: BufReader<TcpStream>,
    line: Vec<u8>,
    body: Vec<u8>,
}

/// The fields of an answer's head that are needed.
#[derive(Default)]
struct Head {
    status: u16,
    length: usize,
    is_chunked: bool,
    session: Option<String>,
}

/// One answer; its body stays in the connection's buffer.
pub struct Answer<'a> {
    pub status: u16,
    pub session: Option<String>,
    pub body: &'a [u8],
}

impl Wire {
    pub async fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            stream: BufReader::with_capacity(BUFFER_BYTES, stream),
            line: Vec::new(),
            body: Vec::new(),
        }
    }

    /// Sends a whole request and reads its answer to the end.
    pub async fn ask(&mut self, request: &[u8]) -> Answer<'_> {
        self.stream.write_all(request).await.unwrap();
        let head = self.head().await;
        self.body.clear();
        if head.is_chunked {
            while self.chunk().await {}
        } else {
            self.take(head.length).await;
        }
        Answer {
            status: head.status,
            session: head.session,
            body: &self.body,
        }
    }

    async fn head(&mut self) -> Head {
        let mut head = Head::default();
        self.next_line().await;
        head.status = self.text().split(' ').nth(1).unwrap().parse().unwrap();
        loop {
            self.next_line().await;
            let Some((name, value)) = self.text().split_once(": ") else {
                return head;
            };
            if name.eq_ignore_ascii_case("content-length") {
                head.length = value.parse().unwrap();
            } else if name.eq_ignore_ascii_case("transfer-encoding") {
                head.is_chunked = true;
            } else if name.eq_ignore_ascii_case("mcp-session-id") {
                head.session = Some(value.to_owned());
            }
        }
    }

    /// Reads a chunk; returns whether another one may follow.
    async fn chunk(&mut self) -> bool {
        self.next_line().await;
        let length = usize::from_str_radix(self.text(), 16).unwrap();
        self.take(length).await;
        self.next_line().await;
        length > 0
    }

    async fn take(&mut self, length: usize) {
        let begin = self.body.len();
        self.body.resize(begin + length, 0);
        let room = self.body.get_mut(begin..).unwrap();
        self.stream.read_exact(room).await.unwrap();
    }

    async fn next_line(&mut self) {
        self.line.clear();
        self.stream.read_until(b'\n', &mut self.line).await.unwrap();
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.line).unwrap().trim_end()
    }
}
