//! Executes statements that are sent together, in their order.

use deadpool_postgres::{Object, StatementCache};
use futures_util::future::join_all;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error, Row};

use crate::query::compile::{Plan, Statement};
use crate::query::param::Param;

/// A connection, or the transaction on it, with its cache of prepared statements.
#[derive(Clone, Copy)]
pub(super) struct PreparedClient<'a> {
    pub(super) client: &'a Client,
    pub(super) prepared: &'a StatementCache,
}

impl<'a> From<&'a mut Object> for PreparedClient<'a> {
    fn from(connection: &'a mut Object) -> Self {
        Self {
            client: connection,
            prepared: &connection.statement_cache,
        }
    }
}

/// A statement that is ready to be sent: executing it is one message.
enum Ready<'a> {
    Kept(tokio_postgres::Statement, &'a [Param]),
    Momentary(&'a str, &'a [Param]),
}

/// Executes each after the one before it, so that none sees less than those before: what is not prepared yet is prepared first, in
/// a round of its own, since it would be overtaken by what is. Waits for every answer, also after one failed: the connection is
/// free only then.
///
/// # Errors
/// The first that is no consequence of another.
pub(super) async fn execute_all(
    client: PreparedClient<'_>,
    statements: &[Statement],
) -> Result<Vec<Vec<Row>>, Error> {
    let preparing = statements
        .iter()
        .map(|statement| prepare(client, statement));
    let ready = all_or_cause(join_all(preparing).await)?;
    let answers = ready
        .iter()
        .map(|statement| execute(client.client, statement));
    all_or_cause(join_all(answers).await)
}

/// Parameter types are declared, so that they need not be asked of the server.
async fn prepare<'a>(
    client: PreparedClient<'_>,
    statement: &'a Statement,
) -> Result<Ready<'a>, Error> {
    let (sql, params) = (&statement.sql, &statement.params);
    match statement.plan {
        Plan::Lasting => {
            let types: Vec<Type> = params.iter().map(Param::sql_type).collect();
            let kept = client.prepared.prepare_typed(client.client, sql, &types);
            Ok(Ready::Kept(kept.await?, params))
        }
        Plan::Momentary => Ok(Ready::Momentary(sql, params)),
    }
}

async fn execute(client: &Client, statement: &Ready<'_>) -> Result<Vec<Row>, Error> {
    match statement {
        Ready::Kept(kept, params) => {
            let values: Vec<&(dyn ToSql + Sync)> = params.iter().map(Param::as_sql).collect();
            client.query(kept, &values).await
        }
        Ready::Momentary(sql, params) => {
            let values: Vec<(&(dyn ToSql + Sync), Type)> = params
                .iter()
                .map(|param| (param.as_sql(), param.sql_type()))
                .collect();
            client.query_typed(sql, &values).await
        }
    }
}

/// All outcomes, or the first error that is not that of a statement which failed because its transaction had failed.
fn all_or_cause<T>(outcomes: Vec<Result<T, Error>>) -> Result<Vec<T>, Error> {
    let mut brought = Vec::with_capacity(outcomes.len());
    let mut failed: Option<Error> = None;
    for outcome in outcomes {
        match outcome {
            Ok(value) => brought.push(value),
            Err(error) if failed.as_ref().is_none_or(is_consequence) => failed = Some(error),
            Err(_) => {}
        }
    }
    failed.map_or(Ok(brought), Err)
}

fn is_consequence(error: &Error) -> bool {
    error.code() == Some(&SqlState::IN_FAILED_SQL_TRANSACTION)
}
