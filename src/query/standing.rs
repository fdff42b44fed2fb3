//! What stands behind an answer: the moment it is of, and the connections that brought its rows. One statement, since every call
//! asks for both; what they cover is asked for where it is told.

use sextant_actors::domain::Sector;
use tokio_postgres::Row;
use uuid::Uuid;

use super::compile::{Plan, Statement};
use super::moment::Moment;
use super::param::Param;
use super::sources::Source;
use crate::db::StoreError;

const STANDING: &str = include_str!("../../sql/statements/connections/standing.sql");
const COVERED: &str = include_str!("../../sql/statements/connections/covered.sql");

/// A moment of the store, and some sectors' connections at it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    pub moment: Moment,
    /// By sector and label; removed ones are not there.
    pub sources: Vec<Source>,
}

/// Asks for the present moment and for the user's connections in these sectors. It must be run before the rows are read.
pub fn statement(user: Uuid, sectors: impl IntoIterator<Item = Sector>) -> Statement {
    of_sectors(STANDING, user, sectors)
}

/// Asks for the user's connections in these sectors, and what they cover.
pub fn covered(user: Uuid, sectors: impl IntoIterator<Item = Sector>) -> Statement {
    of_sectors(COVERED, user, sectors)
}

fn of_sectors(
    sql: &'static str,
    user: Uuid,
    sectors: impl IntoIterator<Item = Sector>,
) -> Statement {
    let names = sectors.into_iter().map(|sector| sector.name().to_owned());
    Statement {
        sql: sql.to_owned(),
        params: vec![Param::Id(user), Param::Texts(names.collect())],
        plan: Plan::Lasting,
    }
}

/// Reads the answer to [`statement`].
///
/// # Errors
/// When a row has another shape, or there is none.
pub fn read(rows: &[Row]) -> Result<Standing, StoreError> {
    // The moment stands in each row, and there is one without a connection too.
    let first = rows.first().ok_or_else(|| StoreError::Fault {
        cause: "no row tells the present moment".to_owned(),
    })?;
    let sources = rows.iter().filter_map(|row| Source::read(row).transpose());
    Ok(Standing {
        moment: Moment::read(first)?,
        sources: sources.collect::<Result<_, _>>()?,
    })
}

/// Reads the answer to [`covered`].
///
/// # Errors
/// When a row has another shape.
pub fn read_covered(rows: &[Row]) -> Result<Vec<Source>, tokio_postgres::Error> {
    rows.iter().map(Source::read_covered).collect()
}
