//! A mail server over TLS that has one mail, and says in place of anything what a test wants.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use sextant_connectors::imap::MailFeed;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::dovecot::{HOST, PASSWORD, USER, feed};
use crate::support::certificates;
use crate::support::sink::acceptor;

/// What is said to a command, given its tag and the rest of it; `None` for what a mail server says.
type Answers = dyn Fn(&str, &str) -> Option<Vec<u8>> + Send + Sync;

/// The server. It ends with its runtime.
pub(super) struct FakeServer {
    port: u16,
    authority: Vec<u8>,
    received: Arc<Mutex<Vec<String>>>,
    sent_bytes: Arc<AtomicUsize>,
}

pub(super) const MAIL: &str = "Subject: Hi\r\nMessage-ID: <1@me.test>\r\n\r\nHello\r\n";
const GREETING: &str = "GREETING";

impl FakeServer {
    /// Starts one; its greeting is asked for as the command `GREETING`.
    pub(super) async fn start(
        test: &str,
        answers: impl Fn(&str, &str) -> Option<Vec<u8>> + Send + Sync + 'static,
    ) -> Option<Self> {
        if !certificates::can_be_made(test) {
            return None;
        }
        let (tls, authority) = IDENTITY.get_or_init(identity).clone();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            port: listener.local_addr().unwrap().port(),
            authority,
            received: Arc::default(),
            sent_bytes: Arc::default(),
        };
        let (received, sent_bytes) = (Arc::clone(&server.received), Arc::clone(&server.sent_bytes));
        let answers: Arc<Answers> = Arc::new(answers);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                if let Ok(stream) = tls.accept(stream).await {
                    let conversation = Conversation {
                        stream: BufReader::new(stream),
                        received: Arc::clone(&received),
                        sent_bytes: Arc::clone(&sent_bytes),
                    };
                    let answers = Arc::clone(&answers);
                    // It ends when the client leaves.
                    tokio::spawn(async move { conversation.run(&*answers).await.ok() });
                }
            }
        });
        Some(server)
    }

    pub(super) fn feed(&self) -> MailFeed {
        feed(&self.authority, self.port, [USER.to_owned()], PASSWORD)
    }

    /// The commands so far.
    pub(super) fn received(&self) -> Vec<String> {
        self.received.lock().unwrap().clone()
    }

    pub(super) fn sent_bytes(&self) -> usize {
        self.sent_bytes.load(Ordering::SeqCst)
    }
}

/// What all of them speak TLS with, and the authority that vouches for it.
static IDENTITY: OnceLock<(TlsAcceptor, Vec<u8>)> = OnceLock::new();

fn identity() -> (TlsAcceptor, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let names = format!("subjectAltName=DNS:{HOST}");
    let certificates = certificates::make(folder.path(), &names);
    let tls = acceptor((&certificates.server, &certificates.server_key));
    (tls, std::fs::read(&certificates.authority).unwrap())
}

struct Conversation<S> {
    stream: BufReader<S>,
    received: Arc<Mutex<Vec<String>>>,
    sent_bytes: Arc<AtomicUsize>,
}

impl<S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin> Conversation<S> {
    async fn run(mut self, answers: &Answers) -> std::io::Result<()> {
        let greeting = answers("*", GREETING);
        self.send(&greeting.unwrap_or_else(|| b"* OK hello\r\n".to_vec()))
            .await?;
        loop {
            let line = self.receive().await?;
            let Some((tag, command)) = line.split_once(' ') else {
                return Ok(());
            };
            self.received.lock().unwrap().push(command.to_owned());
            let answer = answers(tag, command).unwrap_or_else(|| usual(tag, command));
            if command.starts_with("AUTHENTICATE") {
                self.send(b"+ \r\n").await?;
                let response = self.receive().await?;
                self.received.lock().unwrap().push(response);
            }
            self.send(&answer).await?;
        }
    }

    async fn send(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        for part in bytes.chunks(64 * 1024) {
            self.stream.write_all(part).await?;
            self.stream.flush().await?;
            self.sent_bytes.fetch_add(part.len(), Ordering::SeqCst);
        }
        Ok(())
    }

    /// A command with its literals in it.
    async fn receive(&mut self) -> std::io::Result<String> {
        let mut command = String::new();
        loop {
            if self.stream.read_line(&mut command).await? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            command.truncate(command.trim_end().len());
            let literal = command
                .strip_suffix('}')
                .and_then(|head| head.rsplit_once('{'));
            let Some(length) = literal.and_then(|(_, digits)| digits.parse().ok()) else {
                return Ok(command);
            };
            self.stream.write_all(b"+ go on\r\n").await?;
            self.stream.flush().await?;
            let mut literal = vec![0; length];
            self.stream.read_exact(&mut literal).await?;
            command.push_str(&String::from_utf8(literal).unwrap());
        }
    }
}

/// What a server says that is able to little and has one mail.
fn usual(tag: &str, command: &str) -> Vec<u8> {
    let size = MAIL.len();
    let date = "05-Nov-2026 06:44:56 +0100";
    let data = match command {
        "CAPABILITY" => "* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n".to_owned(),
        "LOGOUT" => "* BYE\r\n".to_owned(),
        _ if command.starts_with("LIST") => "* LIST () \"/\" INBOX\r\n".to_owned(),
        _ if command.starts_with("STATUS") => {
            "* STATUS INBOX (MESSAGES 1 UIDNEXT 2 UIDVALIDITY 7)\r\n".to_owned()
        }
        _ if command.starts_with("EXAMINE") => {
            "* 1 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 2] x\r\n".to_owned()
        }
        _ if command.starts_with("UID SEARCH") => "* SEARCH 1\r\n".to_owned(),
        _ if command.ends_with("BODY.PEEK[])") => {
            format!("* 1 FETCH (UID 1 BODY[] {{{size}}}\r\n{MAIL})\r\n")
        }
        _ if command.starts_with("UID FETCH") => {
            format!("* 1 FETCH (UID 1 FLAGS () INTERNALDATE \"{date}\" RFC822.SIZE {size})\r\n")
        }
        _ => String::new(),
    };
    format!("{data}{tag} OK done\r\n").into_bytes()
}
