//! One connection through the proxy: requests in one direction, answers in the other, and the faults in both.

use std::io;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::unix::{OwnedReadHalf as ServerReader, OwnedWriteHalf as ServerWriter};
use tokio::net::{TcpStream, UnixStream};
use tokio::sync::Notify;

use super::wire::{Frame, Statements, read_greeting};
use super::{Act, Board};

/// A startup message that asks for a cancellation has this number in the place of the protocol version.
const CANCEL: u32 = 80_877_102;

/// What the client gets instead of one answer.
enum Replacement {
    /// Nothing: the answer is lost, and the connection is cut.
    Nothing,
    /// This error; the end of the answer is the server's.
    Error(Vec<u8>),
    /// This error, and the connection is cut after it.
    FinalError(Vec<u8>),
}

/// State that the two directions share.
#[derive(Default)]
struct Shared {
    /// Number of requests sent so far that the server ends with `ReadyForQuery`.
    asked: Mutex<u64>,
    /// The number of a request, and what replaces its answer.
    instead: Mutex<Option<(u64, Replacement)>>,
    stranded: Notify,
}

impl Shared {
    fn count(&self) {
        *self.asked.lock().unwrap() += 1;
    }

    /// Replaces the answer of the next request to be counted.
    fn replace_next(&self, instead: Replacement) {
        let next = *self.asked.lock().unwrap() + 1;
        *self.instead.lock().unwrap() = Some((next, instead));
    }

    /// What the client is sent for a message in the answer of this number, and whether the connection is cut after
    /// it.
    fn replaced(&self, answer: u64, frame: Frame) -> (Vec<u8>, bool) {
        let is_end = frame.tag == b'Z';
        let mut instead = self.instead.lock().unwrap();
        match instead.take_if(|(number, _)| *number == answer && is_end) {
            Some((_, Replacement::Nothing)) => (Vec::new(), true),
            Some((_, Replacement::Error(error))) => ([error, frame.bytes].concat(), false),
            Some((_, Replacement::FinalError(error))) => (error, true),
            None if instead
                .as_ref()
                .is_some_and(|(number, _)| *number == answer) =>
            {
                (Vec::new(), false)
            }
            None => (frame.bytes, false),
        }
    }
}

/// Forwards messages until either end hangs up or a fault cuts the connection.
pub async fn converse(mut client: TcpStream, board: Arc<Board>) -> io::Result<()> {
    client.set_nodelay(true)?;
    board.passable().await;
    let greeting = read_greeting(&mut client).await?;
    board.passable().await;
    let mut server = UnixStream::connect(&board.server).await?;
    server.write_all(&greeting).await?;
    if greeting.get(4..8) == Some(&CANCEL.to_be_bytes()) {
        server.read_to_end(&mut Vec::new()).await?;
        return Ok(());
    }
    // The server answers the startup message with a `ReadyForQuery` too.
    let account = Shared::default();
    account.count();
    let ((from_client, to_client), (from_server, to_server)) =
        (client.into_split(), server.into_split());
    let up = Up {
        from_client,
        to_server,
        board: &board,
        account: &account,
        statements: Statements::default(),
    };
    tokio::select! {
        ended = up.run() => ended,
        ended = answers(from_server, to_client, &board, &account) => ended,
    }
}

/// From the client to the server.
struct Up<'a> {
    from_client: OwnedReadHalf,
    to_server: ServerWriter,
    board: &'a Board,
    account: &'a Shared,
    statements: Statements,
}

impl Up<'_> {
    async fn run(mut self) -> io::Result<()> {
        loop {
            let frame = Frame::read(&mut self.from_client).await?;
            self.board.passable().await;
            let Some(sql) = self.statements.run_by(&frame) else {
                self.pass(&frame).await?;
                continue;
            };
            match self.board.strike(&self.statements.request(&sql, &frame)) {
                Some(fault) => match fault.act {
                    Act::CutBefore => return Err(io::ErrorKind::ConnectionAborted.into()),
                    Act::LoseAnswer => {
                        self.account.replace_next(Replacement::Nothing);
                        self.pass(&frame).await?;
                    }
                    Act::Strand => {
                        self.account.stranded.notify_one();
                        fault.wait_for_release().await;
                        self.account.replace_next(Replacement::Nothing);
                        self.pass(&frame).await?;
                        // The other direction ends the conversation.
                        std::future::pending::<()>().await;
                    }
                    Act::Hold => {
                        fault.wait_for_release().await;
                        self.pass(&frame).await?;
                    }
                    Act::Refuse(code) => {
                        let error = Frame::error(code, "ERROR").bytes;
                        self.account.replace_next(Replacement::Error(error));
                        self.fail(&frame, &sql).await?;
                    }
                    Act::HangUp(code) => {
                        let error = Frame::error(code, "FATAL").bytes;
                        self.account.replace_next(Replacement::FinalError(error));
                        self.fail(&frame, &sql).await?;
                    }
                },
                None => self.pass(&frame).await?,
            }
            self.statements.passed(sql);
        }
    }

    async fn pass(&mut self, frame: &Frame) -> io::Result<()> {
        if frame.is_answered() {
            self.account.count();
        }
        self.to_server.write_all(&frame.bytes).await
    }

    /// Makes the server fail or roll back instead of running the statement, so that its transaction is in the state
    /// in which the client believes it to be.
    async fn fail(&mut self, frame: &Frame, sql: &str) -> io::Result<()> {
        let mut last = frame.tag;
        while !matches!(last, b'Q' | b'S') {
            last = Frame::read(&mut self.from_client).await?.tag;
        }
        let fault = if sql == "COMMIT" {
            "ROLLBACK"
        } else {
            "an injected fault"
        };
        self.pass(&Frame::query(fault)).await
    }
}

/// From the server to the client.
async fn answers(
    mut from_server: ServerReader,
    to_client: OwnedWriteHalf,
    board: &Board,
    account: &Shared,
) -> io::Result<()> {
    let (mut answered, mut to_client) = (0, Some(to_client));
    loop {
        let tag = tokio::select! {
            tag = from_server.read_u8() => tag?,
            () = account.stranded.notified() => {
                to_client = None;
                continue;
            }
        };
        let frame = Frame::read_after(tag, &mut from_server).await?;
        board.passable().await;
        let is_end = frame.tag == b'Z';
        let (bytes, is_last) = account.replaced(answered + 1, frame);
        answered += u64::from(is_end);
        if let Some(client) = &mut to_client {
            client.write_all(&bytes).await?;
        }
        if is_last {
            return Ok(());
        }
    }
}
