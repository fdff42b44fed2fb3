//! Answers as they come off the stream (RFC 3501 §2.2): a line, with the literals that are announced in it.

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::failure::{FailureKind, SourceFailure};
use crate::guard::GuardedStream;

const READ_BYTES: usize = 16 * 1024;

/// The stream, and what of it has arrived. Nothing is held that did not arrive: an announced length reserves no memory.
pub(super) struct AnswerStream {
    stream: GuardedStream,
    arrived: BytesMut,
}

impl AnswerStream {
    pub(super) fn new(stream: GuardedStream) -> Self {
        Self {
            stream,
            arrived: BytesMut::new(),
        }
    }

    pub(super) async fn send(&mut self, bytes: &[u8]) -> Result<(), SourceFailure> {
        let sent = self.stream.write_all(bytes).await;
        sent.map_err(|_| broken_off())?;
        self.stream.flush().await.map_err(|_| broken_off())
    }

    /// The next answer, without its line end. Its bytes are taken from `bytes_left`; one that has more is refused where it
    /// announces them.
    pub(super) async fn receive(&mut self, bytes_left: &mut usize) -> Result<Bytes, SourceFailure> {
        let mut begin = 0;
        loop {
            let end = self.receive_line(begin, *bytes_left).await?;
            let line = self.arrived.get(begin..end).unwrap_or_default();
            let Some(literal) = announced(line) else {
                *bytes_left = bytes_left.saturating_sub(end);
                let mut answer = self.arrived.split_to(end);
                answer.truncate(trim_line_end(&answer).len());
                return Ok(answer.freeze());
            };
            begin = end.saturating_add(literal);
            if begin > *bytes_left {
                return Err(too_large());
            }
            while self.arrived.len() < begin {
                self.read().await?;
            }
        }
    }

    /// Where the line ends that begins at `begin`.
    async fn receive_line(
        &mut self,
        begin: usize,
        bytes_max: usize,
    ) -> Result<usize, SourceFailure> {
        let mut searched = begin;
        loop {
            let rest = self.arrived.get(searched..).unwrap_or_default();
            let end = rest.iter().position(|byte| *byte == b'\n');
            match end.map(|at| searched + at + 1) {
                Some(end) if end <= bytes_max => return Ok(end),
                None if self.arrived.len() <= bytes_max => {}
                _ => return Err(too_large()),
            }
            searched = self.arrived.len();
            self.read().await?;
        }
    }

    async fn read(&mut self) -> Result<(), SourceFailure> {
        self.arrived.reserve(READ_BYTES);
        match self.stream.read_buf(&mut self.arrived).await {
            Ok(0) | Err(_) => Err(broken_off()),
            Ok(_) => Ok(()),
        }
    }
}

/// The length of the literal that follows a line (`{310}`, also `{310+}` and `~{310}`).
fn announced(line: &[u8]) -> Option<usize> {
    let inner = trim_line_end(line).strip_suffix(b"}")?;
    let brace = inner.iter().rposition(|byte| *byte == b'{')?;
    let digits = inner.get(brace + 1..)?;
    let digits = std::str::from_utf8(digits.strip_suffix(b"+").unwrap_or(digits)).ok()?;
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(usize::MAX))
}

fn trim_line_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn broken_off() -> SourceFailure {
    let message = "the mail server broke the connection off";
    SourceFailure::new(FailureKind::Unavailable, message)
}

fn too_large() -> SourceFailure {
    let message = "the mail server's answer is longer than its limit";
    SourceFailure::new(FailureKind::TooLarge, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn answers(text: &[u8], bytes_max: usize) -> Result<Vec<Bytes>, FailureKind> {
        let (mut server, client) = tokio::io::duplex(7);
        let text = text.to_vec();
        tokio::spawn(async move { server.write_all(&text).await });
        let mut stream = AnswerStream::new(Box::pin(client));
        let (mut left, mut got) = (bytes_max, Vec::new());
        loop {
            match stream.receive(&mut left).await {
                Ok(answer) => got.push(answer),
                Err(failure) if failure.kind == FailureKind::Unavailable => return Ok(got),
                Err(failure) => return Err(failure.kind),
            }
        }
    }

    #[tokio::test]
    async fn an_answer_goes_on_behind_its_literals() {
        let text = b"* OK hi\r\n* 1 FETCH (BODY[] {5}\r\na\r\n}\n X {0}\r\n)\r\nA1 OK\n";
        let got = answers(text, 1000).await.unwrap();
        let expected: [&[u8]; 3] = [
            b"* OK hi",
            b"* 1 FETCH (BODY[] {5}\r\na\r\n}\n X {0}\r\n)",
            b"A1 OK",
        ];
        assert_eq!(got, expected);
    }

    #[tokio::test]
    async fn what_is_too_long_is_refused_where_it_is_announced() {
        for long in ["* {500000000}\r\nab", "* {99999999999999999999999}\r\n"] {
            let refused = answers(long.as_bytes(), 1000).await;
            assert_eq!(refused, Err(FailureKind::TooLarge), "{long}");
        }
        let endless = answers(&[b'a'; 2000], 1000).await;
        assert_eq!(endless, Err(FailureKind::TooLarge));
        let many = answers(&b"* x\r\n".repeat(300), 1000).await;
        assert_eq!(many, Err(FailureKind::TooLarge));
    }
}
