//! The database connection that one call reads on, of the reader role: shared with other calls for reads that are cheap, of this
//! call alone for all others, until it is dropped.

mod error;
mod execute;

use std::array;
use std::time::Duration;

use deadpool_postgres::{Object, StatementCache};
use tokio::time::timeout;
use tokio_postgres::{IsolationLevel, Row};

pub use self::error::{ReadError, TOO_SLOW};

use self::execute::{PreparedClient, execute_all};
use super::compile::Statement;
use super::effort::Effort;
use crate::capacity::Slot;
use crate::db::{Detached, ExclusiveReader, PipeTurn, Pipes, ReaderPool, StoreError};

/// How long one round of statements may take: longer than `statement_timeout`, so that the server's own limit comes first.
const ANSWERS_PATIENCE: Duration = Duration::from_secs(60);
/// The most statements that a connection keeps prepared; when it has so many, all are dropped. Agents ask in few shapes.
const PREPARED_MAX: usize = 64;

/// How long a round of statements may take on a shared connection; one that is slower does not answer at all.
const PIPED_PATIENCE: Duration = Duration::from_secs(5);

/// What one call reads on: a shared connection, one of its own, or the first as long as it answers.
pub struct CallReader {
    /// While the call reads on a shared connection.
    pipes: Option<Pipes>,
    /// Where it takes a connection of its own, until it has.
    pool: Option<ReaderPool>,
    held: Option<ExclusiveReader>,
    effort: Effort,
}

/// What statements that are sent together see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotMode {
    /// Each has a snapshot of its own.
    PerStatement,
    /// All share one snapshot.
    Shared,
}

impl CallReader {
    /// Takes a connection from the pool for reads of this effort, under the permit that they need, if they need one. When the caller
    /// is dropped, a cheap read still finishes and returns its connection to the pool; any other read is cancelled, and its
    /// connection closed.
    ///
    /// # Errors
    /// When the database cannot be reached, or all connections are busy for too long.
    pub async fn open(
        pool: &ReaderPool,
        effort: Effort,
        permit: Option<Slot>,
    ) -> Result<Self, ReadError> {
        let opened = match permit {
            Some(permit) => pool.get_under(permit).await,
            None => pool.get().await,
        };
        Ok(Self {
            pipes: None,
            pool: None,
            held: Some(opened.map_err(crowded)?),
            effort,
        })
    }

    /// Reads cheaply on the thread's shared connection. What gets no answer there is asked once more on a connection of `pool`, and
    /// so is all that the call asks afterwards.
    pub fn piped(pipes: &Pipes, pool: &ReaderPool) -> Self {
        Self {
            pipes: Some(pipes.clone()),
            pool: Some(pool.clone()),
            held: None,
            effort: Effort::Cheap,
        }
    }

    /// Has the call read on a connection of its own from now on, since what it asks next may be slow.
    pub(crate) fn leave_pipe(&mut self) {
        self.pipes = None;
    }

    /// Runs one statement.
    ///
    /// # Errors
    /// When the database does not answer, or not in time.
    pub async fn run(&mut self, statement: &Statement) -> Result<Vec<Row>, ReadError> {
        let answers = self.run_each(array::from_ref(statement), SnapshotMode::PerStatement);
        answers.await?.pop().ok_or_else(missing_answer)
    }

    /// Runs several statements, sent together; one answer each, in their order.
    ///
    /// # Errors
    /// As [`Self::run`]; the first failure is the failure of all.
    pub async fn run_each(
        &mut self,
        statements: &[Statement],
        mode: SnapshotMode,
    ) -> Result<Vec<Vec<Row>>, ReadError> {
        if let (Some(pipes), Some(pool)) = (&self.pipes, &self.pool)
            && mode == SnapshotMode::PerStatement
            && let Some(turn) = pipes.take_turn()
        {
            let round = piped_round(turn, statements.to_vec());
            match Detached::new(pool.drivers().clone(), round).await {
                // Here they may only mean that another's read was waited for.
                Err(ReadError::Unavailable | ReadError::Busy | ReadError::TooSlow) => {}
                answers => return answers,
            }
        }
        self.pipes = None;
        if let Some(pool) = self.pool.take() {
            self.held = Some(pool.get().await.map_err(crowded)?);
        }
        let held = self.held.take().ok_or(ReadError::Unavailable)?;
        let drivers = held.drivers().clone();
        let round = round(held, statements.to_vec(), mode);
        let (held, answers) = match self.effort {
            Effort::Cheap => Detached::new(drivers, round).await,
            Effort::Other => round.await,
        };
        self.held = Some(held);
        answers
    }
}

/// No connection of a pool was free in time.
fn crowded(error: StoreError) -> ReadError {
    match error {
        StoreError::Busy => ReadError::Crowded,
        other => other.into(),
    }
}

/// One round of statements on a shared connection, for as long as its turn lasts.
async fn piped_round(
    turn: PipeTurn,
    statements: Vec<Statement>,
) -> Result<Vec<Vec<Row>>, ReadError> {
    let connection = turn.client();
    keep_prepared_few(&connection.statement_cache);
    let client = PreparedClient {
        client: connection,
        prepared: &connection.statement_cache,
    };
    match timeout(PIPED_PATIENCE, execute_all(client, &statements)).await {
        Ok(answers) => Ok(answers?),
        Err(_) => {
            turn.replace_connection();
            Err(ReadError::Unavailable)
        }
    }
}

fn keep_prepared_few(prepared: &StatementCache) {
    if prepared.size() >= PREPARED_MAX {
        prepared.clear();
    }
}

/// The error of a statement without an answer: a fault of this program.
pub(super) fn missing_answer() -> ReadError {
    let cause = "a statement has no answer".to_owned();
    StoreError::Fault { cause }.into()
}

/// One round of statements, and the connection back. Dropped before its end, it cancels what runs on the connection.
async fn round(
    mut held: ExclusiveReader,
    statements: Vec<Statement>,
    mode: SnapshotMode,
) -> (ExclusiveReader, Result<Vec<Vec<Row>>, ReadError>) {
    let answers = in_time(execute_round(&mut held, &statements, mode)).await;
    if answers.is_ok() {
        held.finish();
    }
    (held, answers.and_then(|answers| answers))
}

async fn execute_round(
    held: &mut ExclusiveReader,
    statements: &[Statement],
    mode: SnapshotMode,
) -> Result<Vec<Vec<Row>>, ReadError> {
    let connection = held.begin()?;
    keep_prepared_few(&connection.statement_cache);
    match mode {
        SnapshotMode::PerStatement => Ok(execute_all(connection.into(), statements).await?),
        SnapshotMode::Shared => execute_in_one_snapshot(connection, statements).await,
    }
}

async fn execute_in_one_snapshot(
    connection: &mut Object,
    statements: &[Statement],
) -> Result<Vec<Vec<Row>>, ReadError> {
    let transaction = connection
        .build_transaction()
        .isolation_level(IsolationLevel::RepeatableRead)
        .read_only(true)
        .start()
        .await?;
    let client = PreparedClient {
        client: transaction.client(),
        prepared: &transaction.statement_cache,
    };
    let answers = execute_all(client, statements).await;
    transaction.commit().await?;
    Ok(answers?)
}

/// Gives up after [`ANSWERS_PATIENCE`]: the server has ended the statement by then, so no answer will come. The connection is
/// closed with the reader.
async fn in_time<T>(answer: impl Future<Output = T>) -> Result<T, ReadError> {
    timeout(ANSWERS_PATIENCE, answer)
        .await
        .map_err(|_| ReadError::Unavailable)
}
