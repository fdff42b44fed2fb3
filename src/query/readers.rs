//! The database connection that one call reads on, of the reader role: shared with other calls for reads that are cheap, of this
//! call alone for all others, until it is dropped.

mod error;

use std::array;
use std::time::Duration;

use deadpool_postgres::{Object, StatementCache};
use futures_util::future::join_all;
use tokio::time::timeout;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, IsolationLevel, Row};

pub use self::error::{ReadError, TOO_SLOW};

use super::compile::{Plan, Statement};
use super::effort::Effort;
use super::param::Param;
use crate::capacity::Slot;
use crate::db::{Detached, ExclusiveReader, PipeTurn, Pipes, ReaderPool, StoreError};

/// How long one round of statements may take: longer than `statement_timeout`, so that the server's own limit comes first.
const ANSWERS_PATIENCE: Duration = Duration::from_secs(60);
/// The most statements that a connection keeps prepared; when it has so many, all are dropped. Agents ask in few shapes.
const PREPARED_MAX: usize = 64;

/// A connection, or the transaction on it, with its cache of prepared statements.
#[derive(Clone, Copy)]
struct PreparedClient<'a> {
    client: &'a Client,
    prepared: &'a StatementCache,
}

impl<'a> From<&'a mut Object> for PreparedClient<'a> {
    fn from(connection: &'a mut Object) -> Self {
        Self {
            client: connection,
            prepared: &connection.statement_cache,
        }
    }
}

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

/// Waits for every answer, also after one failed: the connection is free only then. Returns the error that came first, but not
/// that of a statement which failed because its transaction had failed; which one is sent first depends on what is prepared.
async fn execute_all(
    client: PreparedClient<'_>,
    statements: &[Statement],
) -> Result<Vec<Vec<Row>>, tokio_postgres::Error> {
    let answers = statements
        .iter()
        .map(|statement| execute(client, statement));
    let mut brought = Vec::with_capacity(statements.len());
    let mut failed: Option<tokio_postgres::Error> = None;
    for answer in join_all(answers).await {
        match answer {
            Ok(rows) => brought.push(rows),
            Err(error) if failed.as_ref().is_none_or(is_consequence) => failed = Some(error),
            Err(_) => {}
        }
    }
    failed.map_or(Ok(brought), Err)
}

fn is_consequence(error: &tokio_postgres::Error) -> bool {
    error.code() == Some(&SqlState::IN_FAILED_SQL_TRANSACTION)
}

/// Runs one statement. Its parameter types are declared, so that they need not be asked of the server and a statement that is
/// already prepared takes one round trip.
async fn execute(
    client: PreparedClient<'_>,
    statement: &Statement,
) -> Result<Vec<Row>, tokio_postgres::Error> {
    let PreparedClient { client, prepared } = client;
    let params = statement.params.iter();
    match statement.plan {
        Plan::Lasting => {
            let types: Vec<Type> = params.clone().map(Param::sql_type).collect();
            let kept = prepared.prepare_typed(client, &statement.sql, &types);
            let values: Vec<&(dyn ToSql + Sync)> = params.map(Param::as_sql).collect();
            client.query(&kept.await?, &values).await
        }
        Plan::Momentary => {
            let values: Vec<(&(dyn ToSql + Sync), Type)> = params
                .map(|param| (param.as_sql(), param.sql_type()))
                .collect();
            client.query_typed(&statement.sql, &values).await
        }
    }
}
