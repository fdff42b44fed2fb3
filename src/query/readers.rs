//! The connection that one call reads on: the reader role's, exclusive while a read is under way.

use std::fmt;
use std::slice;
use std::time::Duration;

use deadpool_postgres::{Object, StatementCache};
use futures_util::future::join_all;
use tokio::time::timeout;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, IsolationLevel, Row};

use super::compile::{Plan, Statement};
use super::effort::Effort;
use super::param::Param;
use crate::capacity::Slot;
use crate::db::{Detached, ExclusiveReader, ReaderPool, StoreError};

/// How long the answers of one round are waited for: longer than the server works on a statement.
const ANSWERS_PATIENCE: Duration = Duration::from_secs(60);
/// Statements that a connection keeps prepared. Once it has so many it lets all of them go: agents ask in few shapes.
const PREPARED_MAX: usize = 64;

/// What an agent is told whose query took longer than `statement_timeout`.
pub const TOO_SLOW: &str = "the query took too long and was ended: narrow `where` to a shorter time, ask for fewer columns, or leave `count` out";

/// Whom the statements of a round are sent to, a transaction's connection too.
#[derive(Clone, Copy)]
struct Asked<'a> {
    client: &'a Client,
    prepared: &'a StatementCache,
}

impl<'a> From<&'a mut Object> for Asked<'a> {
    fn from(connection: &'a mut Object) -> Self {
        Self {
            client: connection,
            prepared: &connection.statement_cache,
        }
    }
}

/// A connection for one call.
pub struct Reader {
    held: Option<ExclusiveReader>,
    effort: Effort,
}

/// Statements that are sent together.
#[derive(Clone, Copy)]
enum Seeing {
    /// Each sees the present.
    Present,
    /// All see the same moment.
    OneMoment,
}

impl Reader {
    /// Takes a connection from the pool for reads of this effort, under the permit that they need, if they do. A cheap read that nobody
    /// waits for any more comes to its end and leaves its connection to the next; any other is cancelled, and its connection closed.
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
        let held = opened.map_err(|error| match error {
            StoreError::Busy => ReadError::Crowded,
            other => other.into(),
        })?;
        Ok(Self {
            held: Some(held),
            effort,
        })
    }

    /// Runs one statement.
    ///
    /// # Errors
    /// When the database does not answer, or not in time.
    pub async fn run(&mut self, statement: &Statement) -> Result<Vec<Row>, ReadError> {
        let answers = self.run_all(slice::from_ref(statement)).await?;
        Ok(answers.into_iter().next().unwrap_or_default())
    }

    /// Runs several statements, sent together, each seeing the present.
    ///
    /// # Errors
    /// As [`Self::run`]; the first failure is the failure of all.
    pub async fn run_all(&mut self, statements: &[Statement]) -> Result<Vec<Vec<Row>>, ReadError> {
        self.answers(statements, Seeing::Present).await
    }

    /// Runs several statements that all see the same moment.
    ///
    /// # Errors
    /// As [`Self::run_all`].
    pub async fn run_at_once(
        &mut self,
        statements: &[Statement],
    ) -> Result<Vec<Vec<Row>>, ReadError> {
        self.answers(statements, Seeing::OneMoment).await
    }

    async fn answers(
        &mut self,
        statements: &[Statement],
        seeing: Seeing,
    ) -> Result<Vec<Vec<Row>>, ReadError> {
        let held = self.held.take().ok_or(ReadError::Unavailable)?;
        let drivers = held.drivers().clone();
        let round = round(held, statements.to_vec(), seeing);
        let (held, answers) = match self.effort {
            Effort::Cheap => Detached::new(drivers, round).await,
            Effort::Other => round.await,
        };
        self.held = Some(held);
        answers
    }
}

/// One round, with the connection that it was on; dropped in the middle it cancels what runs there.
async fn round(
    mut held: ExclusiveReader,
    statements: Vec<Statement>,
    seeing: Seeing,
) -> (ExclusiveReader, Result<Vec<Vec<Row>>, ReadError>) {
    let answers = in_time(ask(&mut held, &statements, seeing)).await;
    if answers.is_ok() {
        held.finish();
    }
    (held, answers.and_then(|answers| answers))
}

async fn ask(
    held: &mut ExclusiveReader,
    statements: &[Statement],
    seeing: Seeing,
) -> Result<Vec<Vec<Row>>, ReadError> {
    let connection = held.begin()?;
    if connection.statement_cache.size() >= PREPARED_MAX {
        connection.statement_cache.clear();
    }
    match seeing {
        Seeing::Present => Ok(all(connection.into(), statements).await?),
        Seeing::OneMoment => at_once(connection, statements).await,
    }
}

async fn at_once(
    connection: &mut Object,
    statements: &[Statement],
) -> Result<Vec<Vec<Row>>, ReadError> {
    let transaction = connection
        .build_transaction()
        .isolation_level(IsolationLevel::RepeatableRead)
        .read_only(true)
        .start()
        .await?;
    let asked = Asked {
        client: transaction.client(),
        prepared: &transaction.statement_cache,
    };
    let answers = all(asked, statements).await;
    transaction.commit().await?;
    Ok(answers?)
}

/// An answer that the server has given up by now will not come; the connection is closed with the reader.
async fn in_time<T>(answer: impl Future<Output = T>) -> Result<T, ReadError> {
    timeout(ANSWERS_PATIENCE, answer)
        .await
        .map_err(|_| ReadError::Unavailable)
}

/// Waits for every answer, a failed one too: the connection is free only then. What failed only because another statement
/// of the transaction did says nothing; which is sent first depends on what is prepared.
async fn all(
    asked: Asked<'_>,
    statements: &[Statement],
) -> Result<Vec<Vec<Row>>, tokio_postgres::Error> {
    let answers = statements.iter().map(|statement| rows(asked, statement));
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

/// Types are declared, so that the server asks for none, and a statement that is kept takes one round trip.
async fn rows(asked: Asked<'_>, statement: &Statement) -> Result<Vec<Row>, tokio_postgres::Error> {
    let Asked { client, prepared } = asked;
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

/// Why a read brought nothing. Holds no text of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The database cannot be reached now.
    Unavailable,
    /// Other work in the database holds what is to be read.
    Busy,
    /// As many reads are under way as may be.
    Crowded,
    /// It took longer than `statement_timeout`.
    TooSlow,
    /// The database refused the statement: our fault, or a value out of its range.
    Failed,
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            ReadError::Unavailable => {
                "the database cannot be reached now: nothing is wrong with the call, try again later"
            }
            ReadError::Busy => {
                "the database is busy with other work: nothing is wrong with the call, make it again in a minute"
            }
            ReadError::Crowded => {
                "too many queries are under way at once: nothing is wrong with the call, make it again when others have been answered; rows by their id, or a page in the table's own order, need not wait"
            }
            ReadError::TooSlow => TOO_SLOW,
            ReadError::Failed => {
                "the database refused the query: a value may be out of its range; simplify `where`"
            }
        })
    }
}

impl std::error::Error for ReadError {}

impl From<StoreError> for ReadError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable { .. } => ReadError::Unavailable,
            StoreError::Busy | StoreError::Conflict => ReadError::Busy,
            StoreError::Cancelled => ReadError::TooSlow,
            refused => {
                log::warn!("a read was refused: {refused}");
                ReadError::Failed
            }
        }
    }
}

impl From<tokio_postgres::Error> for ReadError {
    fn from(error: tokio_postgres::Error) -> Self {
        StoreError::from(error).into()
    }
}
