//! What stands behind an answer: the moment it is of, and the connections that brought its rows. One statement, since every call
//! asks for both.

use sextant_actors::domain::Sector;
use tokio_postgres::Row;
use uuid::Uuid;

use super::compile::{Plan, Statement};
use super::moment::Moment;
use super::param::Param;
use super::sources::Source;

const STANDING: &str = include_str!("../../sql/statements/connections/standing.sql");

/// A moment of the store, and some sectors' connections at it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    pub moment: Moment,
    /// By sector and label; removed ones are not there.
    pub sources: Vec<Source>,
}

/// Asks for the present moment and for the user's connections in these sectors. It must be run before the rows are read.
pub fn statement(user: Uuid, sectors: impl IntoIterator<Item = Sector>) -> Statement {
    let names = sectors.into_iter().map(|sector| sector.name().to_owned());
    Statement {
        sql: STANDING.to_owned(),
        params: vec![Param::Id(user), Param::Texts(names.collect())],
        plan: Plan::Lasting,
    }
}

/// Reads the answer to [`statement`].
///
/// # Errors
/// When a row has another shape.
pub fn read(rows: &[Row]) -> Result<Standing, tokio_postgres::Error> {
    let moment = rows.first().map(Moment::read).transpose()?;
    let sources = rows.iter().filter_map(|row| Source::read(row).transpose());
    Ok(Standing {
        moment: moment.unwrap_or_default(),
        sources: sources.collect::<Result<_, _>>()?,
    })
}
