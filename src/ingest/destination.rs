//! The connection that a push came by, as reading and storing it need to know it.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use uuid::Uuid;

use crate::catalog::Table;

/// Where a push goes: from the connection's row, never from the payload (r084).
#[derive(Clone, Debug)]
pub struct Destination {
    pub user: Uuid,
    pub connection: Uuid,
    pub table: &'static Table,
    /// The operator's zone, for local times without one.
    pub zone: Tz,
    /// When it came: endless series reach on from here, and what tells no day was first seen on this one.
    pub now: DateTime<Utc>,
}
