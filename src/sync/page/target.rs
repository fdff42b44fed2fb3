//! Where pages of a connection are stored.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use sextant_actors::domain::Sector;
use uuid::Uuid;

use crate::catalog;
use crate::ingest::PushDestination;

/// One connection, as its pages need it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageTarget {
    pub user: Uuid,
    pub connection: Uuid,
    pub sector: Sector,
    /// The operator's zone.
    pub zone: Tz,
    pub now: DateTime<Utc>,
    /// From when on the source is asked; `None` for all that it has.
    pub since: Option<DateTime<Utc>>,
}

impl PageTarget {
    /// Where records of a table go.
    ///
    /// # Errors
    /// When the sector has no such table: then the source told of another.
    pub(super) fn destination(&self, target: &str) -> Result<PushDestination, String> {
        let table = catalog::by_target(target).filter(|table| table.sector == self.sector);
        let table = table.ok_or_else(|| format!("{} has no table {target}", self.sector))?;
        Ok(PushDestination {
            user: self.user,
            connection: self.connection,
            table,
            zone: self.zone,
            now: self.now,
        })
    }
}
