//! The provenance of an answer: the watermark at which it was read, and the connections that its rows came from.
//!
//! Most answers have the watermark from the rows' own statement and the connections from the published snapshot. The statement
//! here reads both, for answers without rows, which must say what the connections cover, and where the snapshot is not current.

use sextant_actors::connections::ConnectionsHandle;
use sextant_actors::domain::{KnownConnection, Sector};
use tokio_postgres::Row;
use uuid::Uuid;

use super::compile::{Plan, Statement};
use super::param::Param;
use super::sources::ConnectedSource;
use super::watermark::Watermark;
use crate::catalog::Table;
use crate::db::{Cells, StoreError};

const STANDING: &str = include_str!("../../sql/statements/connections/standing.sql");

/// A watermark of the store, and the connections of some sectors at that time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Provenance {
    pub watermark: Watermark,
    /// Ordered by sector and label, without removed ones.
    pub sources: Vec<ConnectedSource>,
}

/// Reads the present watermark, and the user's connections in these sectors with the time that each covers. It must run before
/// the rows are read, so that no change lies between them.
pub(crate) fn statement(user: Uuid, sectors: impl IntoIterator<Item = Sector>) -> Statement {
    standing(user, sectors, false)
}

/// The same for answers from one table.
pub(crate) fn of_table(user: Uuid, table: &Table) -> Statement {
    standing(user, [table.sector], table.is_purged)
}

fn standing(user: Uuid, sectors: impl IntoIterator<Item = Sector>, is_purged: bool) -> Statement {
    let names = sectors.into_iter().map(|sector| sector.name().to_owned());
    Statement {
        sql: STANDING.to_owned(),
        params: vec![
            Param::Id(user),
            Param::Texts(names.collect()),
            Param::Boolean(is_purged),
        ],
        plan: Plan::Lasting,
    }
}

/// The user's connections in this sector as they are published, without the time that each covers. To be read before the rows
/// are asked for, so that none is newer than the rows. `None` while changes could not be published: [`statement`] tells then.
pub(crate) fn published(
    connections: &ConnectionsHandle,
    user: Uuid,
    sector: Sector,
) -> Option<Vec<ConnectedSource>> {
    let snapshot = connections.snapshot();
    let is_asked_for = |row: &&KnownConnection| row.user == user && row.sector == sector;
    snapshot.is_current().then(|| {
        let asked_for = snapshot.values().filter(is_asked_for);
        asked_for.map(ConnectedSource::published).collect()
    })
}

/// The watermark that each row of a page begins with, and no connections yet.
///
/// # Errors
/// When the first row has another shape.
pub(crate) fn of_rows(rows: &[Row]) -> Result<Provenance, StoreError> {
    let Some(first) = rows.first() else {
        // A page without rows is read again after its provenance.
        return Ok(Provenance::default());
    };
    Ok(Provenance {
        watermark: Watermark::take(&mut Cells::of("watermark", first))?,
        sources: Vec::new(),
    })
}

/// Reads the rows of [`statement`].
///
/// # Errors
/// When a row has another shape, or there is none.
pub(crate) fn read(rows: &[Row]) -> Result<Provenance, StoreError> {
    // The watermark is in each row, and there is a row without any connection too.
    let read: Vec<(Watermark, Option<ConnectedSource>)> =
        rows.iter().map(read_row).collect::<Result<_, _>>()?;
    let (watermark, _) = read.first().ok_or_else(|| StoreError::Fault {
        cause: "no row tells the present moment".to_owned(),
    })?;
    Ok(Provenance {
        watermark: *watermark,
        sources: read.into_iter().filter_map(|(_, source)| source).collect(),
    })
}

fn read_row(row: &Row) -> Result<(Watermark, Option<ConnectedSource>), StoreError> {
    let mut cells = Cells::of("connections/standing", row);
    let watermark = Watermark::take(&mut cells)?;
    let source = ConnectedSource::take(&mut cells)?;
    cells.end()?;
    Ok((watermark, source))
}
