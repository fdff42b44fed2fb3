//! The zone by which days begin, as the status names it.

use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::Serialize;

use crate::config::ZoneSource;

/// The zone in force.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ZoneView {
    /// Its IANA name.
    name: &'static str,
    /// Whether anybody set it; UTC stands in where nobody did.
    is_set: bool,
}

impl ZoneView {
    pub(super) fn of(zone: Tz, source: ZoneSource) -> Self {
        Self {
            name: zone.name(),
            is_set: source.is_set(),
        }
    }
}
