//! The provenance of an answer: the watermark at which it was read, and the connections that its rows came from. One statement
//! reads both, since every call needs both; another reads what the connections cover, for the few answers that say so.

use sextant_actors::domain::Sector;
use tokio_postgres::Row;
use uuid::Uuid;

use super::compile::{Plan, Statement};
use super::param::Param;
use super::sources::ConnectedSource;
use super::watermark::Watermark;
use crate::db::StoreError;

const STANDING: &str = include_str!("../../sql/statements/connections/standing.sql");
const COVERED: &str = include_str!("../../sql/statements/connections/covered.sql");

/// A watermark of the store, and the connections of some sectors at that time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Provenance {
    pub watermark: Watermark,
    /// Ordered by sector and label, without removed ones.
    pub sources: Vec<ConnectedSource>,
}

/// Reads the present watermark and the user's connections in these sectors. It must run before the rows are read, so that no
/// change lies between them.
pub(crate) fn statement(user: Uuid, sectors: impl IntoIterator<Item = Sector>) -> Statement {
    of_sectors(STANDING, user, sectors)
}

/// Reads the user's connections in these sectors, and the time that each covers.
pub(crate) fn covered(user: Uuid, sectors: impl IntoIterator<Item = Sector>) -> Statement {
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

/// Reads the rows of [`statement`].
///
/// # Errors
/// When a row has another shape, or there is none.
pub(crate) fn read(rows: &[Row]) -> Result<Provenance, StoreError> {
    // The watermark is in each row, and there is a row without any connection too.
    let first = rows.first().ok_or_else(|| StoreError::Fault {
        cause: "no row tells the present moment".to_owned(),
    })?;
    let sources = rows
        .iter()
        .filter_map(|row| ConnectedSource::read(row).transpose());
    Ok(Provenance {
        watermark: Watermark::read(first)?,
        sources: sources.collect::<Result<_, _>>()?,
    })
}

/// Reads the rows of [`covered`].
///
/// # Errors
/// When a row has another shape.
pub(crate) fn read_covered(rows: &[Row]) -> Result<Vec<ConnectedSource>, tokio_postgres::Error> {
    rows.iter().map(ConnectedSource::read_covered).collect()
}
