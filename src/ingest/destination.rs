//! Where a push is stored, as parsing and storing it need to know.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use uuid::Uuid;

use crate::catalog::Table;

/// Where a push is stored. It is taken from the connection's row, never from the payload (r084).
#[derive(Clone, Debug)]
pub struct PushDestination {
    pub user: Uuid,
    pub connection: Uuid,
    pub table: &'static Table,
    /// The operator's time zone, for local times without one.
    pub zone: Tz,
    /// When the push was received: endless series are expanded from here, and a pending transaction without any date gets
    /// this day.
    pub now: DateTime<Utc>,
}
