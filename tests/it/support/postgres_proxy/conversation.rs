//! One connection through the proxy: requests go up, answers come down, and faults are done to both.

use std::io;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::unix::{OwnedReadHalf as ServerReader, OwnedWriteHalf as ServerWriter};
use tokio::net::{TcpStream, UnixStream};
use tokio::sync::Notify;

use super::wire::{Frame, Statements, read_greeting};
use super::{Act, Board};

/// A greeting that asks for a cancellation carries this in the place of a version.
const CANCEL: u32 = 80_877_102;

/// What becomes of one answer.
enum Instead {
    /// It is lost, and the line with it.
    Nothing,
    /// This error is told; the end of the answer stays the server's.
    Error(Vec<u8>),
    /// This error is told, and the line ends with it.
    LastWord(Vec<u8>),
}

/// What the two directions tell each other.
#[derive(Default)]
struct Account {
    /// Requests sent that the server ends with `ReadyForQuery`.
    asked: Mutex<u64>,
    /// The number of a request, and what becomes of its answer.
    instead: Mutex<Option<(u64, Instead)>>,
    stranded: Notify,
}

impl Account {
    fn count(&self) {
        *self.asked.lock().unwrap() += 1;
    }

    /// The answer of the next request to be counted is to be another.
    fn replace_next(&self, instead: Instead) {
        let next = *self.asked.lock().unwrap() + 1;
        *self.instead.lock().unwrap() = Some((next, instead));
    }

    /// What the client is told of a message in the answer of this number, and whether the line ends there.
    fn told(&self, answer: u64, frame: Frame) -> (Vec<u8>, bool) {
        let is_end = frame.tag == b'Z';
        let mut instead = self.instead.lock().unwrap();
        match instead.take_if(|(number, _)| *number == answer && is_end) {
            Some((_, Instead::Nothing)) => (Vec::new(), true),
            Some((_, Instead::Error(error))) => ([error, frame.bytes].concat(), false),
            Some((_, Instead::LastWord(error))) => (error, true),
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

/// Carries messages until either end hangs up or a fault ends it.
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
    // The greeting is answered with a ReadyForQuery too.
    let account = Account::default();
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
    account: &'a Account,
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
                        self.account.replace_next(Instead::Nothing);
                        self.pass(&frame).await?;
                    }
                    Act::Strand => {
                        self.account.stranded.notify_one();
                        fault.is_let_go().await;
                        self.account.replace_next(Instead::Nothing);
                        self.pass(&frame).await?;
                        // The answers' end ends this too.
                        std::future::pending::<()>().await;
                    }
                    Act::Hold => {
                        fault.is_let_go().await;
                        self.pass(&frame).await?;
                    }
                    Act::Refuse(code) => {
                        let error = Frame::error(code, "ERROR").bytes;
                        self.account.replace_next(Instead::Error(error));
                        self.fail(&frame, &sql).await?;
                    }
                    Act::HangUp(code) => {
                        let error = Frame::error(code, "FATAL").bytes;
                        self.account.replace_next(Instead::LastWord(error));
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

    /// Has the server fail or roll back in the place of what was asked, so that it is where the client believes it to be.
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
    account: &Account,
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
        let (bytes, is_last) = account.told(answered + 1, frame);
        answered += u64::from(is_end);
        if let Some(client) = &mut to_client {
            client.write_all(&bytes).await?;
        }
        if is_last {
            return Ok(());
        }
    }
}
