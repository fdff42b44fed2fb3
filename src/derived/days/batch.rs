//! The days that are made together.

use chrono::{DateTime, NaiveDate, Utc};

use crate::local_days::LocalDays;

/// Some days with their ends in the person's zone, as the statements take them.
pub(super) struct Wanted {
    pub(super) days: Vec<NaiveDate>,
    pub(super) begins: Vec<DateTime<Utc>>,
    pub(super) ends: Vec<DateTime<Utc>>,
}

impl Wanted {
    pub(super) fn of(days: &[NaiveDate], local: LocalDays) -> Self {
        Self {
            days: days.to_vec(),
            begins: days.iter().map(|day| local.begin(*day)).collect(),
            ends: days.iter().map(|day| local.end(*day)).collect(),
        }
    }
}
