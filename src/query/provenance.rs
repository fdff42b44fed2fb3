//! What stands behind an answer: the moment it is of, and the connections that brought its rows. One statement, since every call
//! asks for both; what they cover is asked for where it is told.

use sextant_actors::domain::Sector;
use tokio_postgres::Row;
use uuid::Uuid;

use super::compile::{Plan, Statement};
use super::param::Param;
use super::sources::ConnectedSource;
use super::watermark::Watermark;

const STANDING: &str = include_str!("../../sql/statements/connections/standing.sql");
const COVERED: &str = include_str!("../../sql/statements/connections/covered.sql");

/// A moment of the store, and some sectors' connections at it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Provenance {
    pub moment: Watermark,
    /// By sector and label; removed ones are not there.
    pub sources: Vec<ConnectedSource>,
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
/// When a row has another shape.
pub fn read(rows: &[Row]) -> Result<Provenance, tokio_postgres::Error> {
    let moment = rows.first().map(Watermark::read).transpose()?;
    let sources = rows
        .iter()
        .filter_map(|row| ConnectedSource::read(row).transpose());
    Ok(Provenance {
        moment: moment.unwrap_or_default(),
        sources: sources.collect::<Result<_, _>>()?,
    })
}

/// Reads the answer to [`covered`].
///
/// # Errors
/// When a row has another shape.
pub fn read_covered(rows: &[Row]) -> Result<Vec<ConnectedSource>, tokio_postgres::Error> {
    rows.iter().map(ConnectedSource::read_covered).collect()
}
