//! One command at a time (RFC 3501 §2.2.1), each with its limits.

use std::collections::HashSet;

use bytes::Bytes;
use tokio::time::timeout;

use super::answer::{Answer, AnswerCondition, ServerData, ServerStatus, parse_answer};
use super::wire::AnswerStream;
use crate::failure::{FailureKind, SourceFailure};
use crate::guard::{JudgedAddress, StreamGuard};
use crate::limits::{
    MAIL_ANSWER_BYTES_MAX, MAIL_ANSWERS_MAX, MAIL_COMMAND_DEADLINE, MAIL_LOGOUT_DEADLINE,
};

/// A connection to a mail server.
pub(super) struct ImapSession {
    stream: AnswerStream,
    commands: u32,
    /// In capitals.
    capabilities: HashSet<String>,
    /// Whether an answer was left unread: nothing can be asked any more.
    is_broken: bool,
}

/// What a command was answered.
pub(super) struct CommandAnswer {
    pub(super) data: Vec<ServerData>,
    /// What was said beside, with a code.
    pub(super) said: Vec<ServerStatus>,
    pub(super) end: ServerStatus,
}

impl ImapSession {
    /// Connects, and reads the greeting.
    pub(super) async fn connect(
        guard: &StreamGuard,
        to: &JudgedAddress,
    ) -> Result<Self, SourceFailure> {
        let stream = AnswerStream::new(guard.connect(to).await?);
        let mut session = Self {
            stream,
            commands: 0,
            capabilities: HashSet::new(),
            is_broken: false,
        };
        let greeting = session.within_deadline(Self::receive_greeting).await?;
        match greeting.condition {
            AnswerCondition::Ok => Ok(session),
            AnswerCondition::Bye => Err(refused(FailureKind::Unavailable, &greeting)),
            _ => Err(malformed()),
        }
    }

    async fn receive_greeting(&mut self) -> Result<ServerStatus, SourceFailure> {
        let mut bytes_left = MAIL_ANSWER_BYTES_MAX;
        let line = self.stream.receive(&mut bytes_left).await?;
        match parse_answer(&line) {
            Some(Answer::Status(greeting)) => Ok(greeting),
            _ => Err(malformed()),
        }
    }

    /// Whether the server has said that it is able to.
    pub(super) fn is_able(&self, capability: &str) -> bool {
        self.capabilities.contains(capability)
    }

    pub(super) fn set_capabilities(&mut self, capabilities: HashSet<String>) {
        self.capabilities = capabilities;
    }

    /// Sends a command whose literals stand between its pieces, and reads until its end, whatever that is.
    pub(super) async fn run_pieces(
        &mut self,
        pieces: &[Bytes],
    ) -> Result<CommandAnswer, SourceFailure> {
        if self.is_broken {
            return Err(malformed());
        }
        self.is_broken = true;
        let answer =
            self.within_deadline(async |session: &mut Self| session.exchange(pieces).await);
        let answer = answer.await?;
        self.is_broken = false;
        Ok(answer)
    }

    /// Sends a command of one line.
    pub(super) async fn run(&mut self, command: &str) -> Result<CommandAnswer, SourceFailure> {
        let command = Bytes::copy_from_slice(command.as_bytes());
        self.run_pieces(&[command]).await
    }

    /// The same; an end other than `OK` is a failure.
    pub(super) async fn ask(&mut self, command: &str) -> Result<CommandAnswer, SourceFailure> {
        self.run(command).await?.succeeded()
    }

    /// Takes leave.
    pub(super) async fn end(mut self) {
        let leaving = self.run("LOGOUT");
        // Whether the server heard it is nobody's trouble.
        let _ = timeout(MAIL_LOGOUT_DEADLINE, leaving).await;
    }

    async fn within_deadline<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut Self) -> Result<T, SourceFailure>,
    ) -> Result<T, SourceFailure> {
        match timeout(MAIL_COMMAND_DEADLINE, work(self)).await {
            Ok(done) => done,
            Err(_) => {
                let message = "the mail server did not answer in time";
                Err(SourceFailure::new(FailureKind::Unavailable, message))
            }
        }
    }

    async fn exchange(&mut self, pieces: &[Bytes]) -> Result<CommandAnswer, SourceFailure> {
        self.commands += 1;
        let tag = format!("A{}", self.commands);
        let mut line = format!("{tag} ").into_bytes();
        let mut received = ReceivedAnswers::new(tag);
        for (place, piece) in pieces.iter().enumerate() {
            line.extend_from_slice(piece);
            line.extend_from_slice(b"\r\n");
            self.stream.send(&line).await?;
            line.clear();
            if place + 1 == pieces.len() {
                break;
            }
            // The rest goes only to a server that waits for it.
            if let Some(end) = self.receive_until(&mut received, true).await? {
                return Ok(received.answer(end));
            }
        }
        match self.receive_until(&mut received, false).await? {
            Some(end) => Ok(received.answer(end)),
            None => Err(malformed()),
        }
    }

    /// The end of the command; `None` if the server waits for its rest.
    async fn receive_until(
        &mut self,
        received: &mut ReceivedAnswers,
        may_continue: bool,
    ) -> Result<Option<ServerStatus>, SourceFailure> {
        loop {
            let line = self.stream.receive(&mut received.bytes_left).await?;
            match parse_answer(&line).ok_or_else(malformed)? {
                Answer::Continue if may_continue => return Ok(None),
                Answer::Done { tag, status } if tag == received.tag => return Ok(Some(status)),
                Answer::Continue | Answer::Done { .. } => return Err(malformed()),
                answer => received.keep(answer)?,
            }
        }
    }
}

/// What has come of the answers to a command.
struct ReceivedAnswers {
    tag: String,
    bytes_left: usize,
    data: Vec<ServerData>,
    said: Vec<ServerStatus>,
}

impl ReceivedAnswers {
    const fn new(tag: String) -> Self {
        Self {
            tag,
            bytes_left: MAIL_ANSWER_BYTES_MAX,
            data: Vec::new(),
            said: Vec::new(),
        }
    }

    fn keep(&mut self, answer: Answer) -> Result<(), SourceFailure> {
        if self.data.len() + self.said.len() >= MAIL_ANSWERS_MAX {
            let message = "the mail server's answers are more than their limit";
            return Err(SourceFailure::new(FailureKind::TooLarge, message));
        }
        match answer {
            Answer::Data(data) => self.data.push(data),
            Answer::Status(status) => self.said.push(status),
            Answer::Continue | Answer::Done { .. } => {}
        }
        Ok(())
    }

    fn answer(self, end: ServerStatus) -> CommandAnswer {
        CommandAnswer {
            data: self.data,
            said: self.said,
            end,
        }
    }
}

impl CommandAnswer {
    /// This, if it ended with `OK`.
    pub(super) fn succeeded(self) -> Result<Self, SourceFailure> {
        let kind = match (self.end.condition, self.end.code_name().as_str()) {
            (AnswerCondition::Ok, _) => return Ok(self),
            (AnswerCondition::No, "NONEXISTENT") => FailureKind::NotFound,
            (AnswerCondition::No, "UNAVAILABLE" | "INUSE" | "SERVERBUG") => {
                FailureKind::Unavailable
            }
            (AnswerCondition::No, "LIMIT") => FailureKind::RateLimited,
            (AnswerCondition::No | AnswerCondition::Bad, _) => FailureKind::Rejected,
            _ => return Err(malformed()),
        };
        Err(refused(kind, &self.end))
    }

    /// The answers of one kind.
    pub(super) fn of_kind(&self, kind: &str) -> impl Iterator<Item = &ServerData> {
        self.data.iter().filter(move |data| data.is(kind))
    }
}

fn refused(kind: FailureKind, status: &ServerStatus) -> SourceFailure {
    let failure = SourceFailure::new(kind, "the mail server refused what was asked");
    failure.with_words(&String::from_utf8_lossy(&status.text))
}

/// What came is no answer: nothing of it is repeated.
pub(super) fn malformed() -> SourceFailure {
    let message = "what the mail server answered is not IMAP";
    SourceFailure::new(FailureKind::Malformed, message)
}
