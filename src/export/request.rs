//! What to export, and within which bounds.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use sextant_actors::domain::Sector;

/// What to export.
#[derive(Clone, Copy, Debug)]
pub struct ExportRequest {
    /// Only what belongs to this one; none: everything.
    pub sector: Option<Sector>,
    /// The person's zone.
    pub zone: Tz,
    /// When the export was asked for.
    pub now: DateTime<Utc>,
}

/// The bounds of exports.
#[derive(Clone, Copy, Debug)]
pub struct ExportLimits {
    /// How many run at once.
    pub at_once_max: usize,
    /// How long a reader may take nothing before the export is cut.
    pub stall_max: std::time::Duration,
}

impl Default for ExportLimits {
    fn default() -> Self {
        Self {
            at_once_max: 2,
            stall_max: std::time::Duration::from_secs(10 * 60),
        }
    }
}
