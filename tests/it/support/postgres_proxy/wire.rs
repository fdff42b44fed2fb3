//! Frames of PostgreSQL's protocol (a tag, a length that counts itself, a payload), and the statements that a
//! client's frames run.

use std::collections::HashMap;
use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};

const LENGTH_BYTES: usize = 4;

/// One message, as bytes.
pub struct Frame {
    pub tag: u8,
    /// With tag and length.
    pub bytes: Vec<u8>,
}

impl Frame {
    pub async fn read(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Self> {
        let tag = from.read_u8().await?;
        Self::read_after(tag, from).await
    }

    /// Reads the rest of a message whose tag has been read.
    pub async fn read_after(tag: u8, from: &mut (impl AsyncRead + Unpin)) -> io::Result<Self> {
        let mut bytes = vec![tag];
        read_rest(from, &mut bytes).await?;
        Ok(Self { tag, bytes })
    }

    pub fn query(sql: &str) -> Self {
        Self::of(b'Q', &[sql.as_bytes(), &[0]].concat())
    }

    /// An `ErrorResponse` with this SQLSTATE.
    pub fn error(code: &str, severity: &str) -> Self {
        let fields = format!("S{severity}\0V{severity}\0C{code}\0Man injected fault\0\0");
        Self::of(b'E', fields.as_bytes())
    }

    fn of(tag: u8, payload: &[u8]) -> Self {
        let length = u32::try_from(payload.len() + LENGTH_BYTES).unwrap();
        let bytes = [&[tag][..], &length.to_be_bytes(), payload].concat();
        Self { tag, bytes }
    }

    fn payload(&self) -> &[u8] {
        &self.bytes[1 + LENGTH_BYTES..]
    }

    /// Whether the server answers it with a `ReadyForQuery` of its own.
    pub fn is_answered(&self) -> bool {
        matches!(self.tag, b'Q' | b'S')
    }
}

/// The first message of a connection, which has no tag: a startup message or a cancel request.
pub async fn read_greeting(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    read_rest(from, &mut bytes).await?;
    Ok(bytes)
}

async fn read_rest(from: &mut (impl AsyncRead + Unpin), bytes: &mut Vec<u8>) -> io::Result<()> {
    let length = from.read_u32().await?;
    bytes.extend(length.to_be_bytes());
    let start = bytes.len();
    bytes.resize(start + length as usize - LENGTH_BYTES, 0);
    from.read_exact(&mut bytes[start..]).await?;
    Ok(())
}

/// A message that runs a statement.
pub struct RunStatement<'a> {
    pub sql: &'a str,
    /// The message itself, which contains the parameters.
    pub bytes: &'a [u8],
    /// The statements that ran before it in the same transaction.
    pub before: &'a [String],
}

/// The statements that one connection has prepared, and those that its transaction has run so far.
#[derive(Default)]
pub struct Statements {
    prepared: HashMap<String, String>,
    before: Vec<String>,
}

impl Statements {
    /// The text of the statement that this message runs.
    pub fn run_by(&mut self, frame: &Frame) -> Option<String> {
        match frame.tag {
            b'Q' => Some(texts(frame.payload())[0].clone()),
            b'P' => {
                let mut words = texts(frame.payload()).into_iter();
                let (name, sql) = (words.next().unwrap(), words.next().unwrap());
                self.prepared.insert(name, sql);
                None
            }
            // The portal's name comes first, then the statement's.
            b'B' => self.prepared.get(&texts(frame.payload())[1]).cloned(),
            _ => None,
        }
    }

    pub fn request<'a>(&'a self, sql: &'a str, frame: &'a Frame) -> RunStatement<'a> {
        RunStatement {
            sql,
            bytes: &frame.bytes,
            before: &self.before,
        }
    }

    /// Remembers what has run, up to the end of the transaction.
    pub fn passed(&mut self, sql: String) {
        if sql.starts_with("BEGIN") || sql.starts_with("START") {
            self.before.clear();
        }
        self.before.push(sql);
    }
}

/// The first two texts of a payload, each ended by a zero byte; there are always two.
fn texts(payload: &[u8]) -> Vec<String> {
    let mut words: Vec<String> = payload
        .splitn(3, |byte| *byte == 0)
        .take(2)
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect();
    words.resize(2, String::new());
    words
}
