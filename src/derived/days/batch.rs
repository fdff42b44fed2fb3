//! The days that are derived together.

use chrono::{DateTime, NaiveDate, Utc};

use crate::local_days::LocalDays;

/// Some days, each with its beginning and end in the person's zone, as the statements take them.
pub(super) struct DayBatch {
    pub(super) days: Vec<NaiveDate>,
    pub(super) begins: Vec<DateTime<Utc>>,
    pub(super) ends: Vec<DateTime<Utc>>,
}

impl DayBatch {
    pub(super) fn of(days: &[NaiveDate], local: LocalDays) -> Self {
        Self {
            days: days.to_vec(),
            begins: days.iter().map(|day| local.begin(*day)).collect(),
            ends: days.iter().map(|day| local.end(*day)).collect(),
        }
    }
}
