//! The four collections, and in what they differ.

use chrono::TimeDelta;

use crate::limits::{WHOOP_LEAD, WHOOP_RECOVERY_LEAD};

/// A collection of the interface, which is a scope of its rounds and a table of the sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WhoopCollection {
    /// Nights and naps.
    Sleeps,
    /// One a cycle, measured in a sleep: it names the sleep, so sleeps are read before.
    Recoveries,
    /// From one falling asleep to the next.
    Cycles,
    /// Workouts.
    Workouts,
}

impl WhoopCollection {
    /// All there are, in the order in which they are read.
    pub const ALL: [Self; 4] = [Self::Sleeps, Self::Recoveries, Self::Cycles, Self::Workouts];

    /// The collection that a scope of the consent opens, such as `read:sleep`; `None` for scopes that open none.
    pub fn of_granted(scope: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|collection| collection.granted_by() == scope)
    }

    /// The scope of the consent that opens it.
    pub const fn granted_by(self) -> &'static str {
        match self {
            Self::Sleeps => "read:sleep",
            Self::Recoveries => "read:recovery",
            Self::Cycles => "read:cycles",
            Self::Workouts => "read:workout",
        }
    }

    /// The scope of its pages and its position.
    pub(super) const fn scope(self) -> &'static str {
        match self {
            Self::Sleeps => "sleeps",
            Self::Recoveries => "recoveries",
            Self::Cycles => "cycles",
            Self::Workouts => "workouts",
        }
    }

    /// Its table.
    pub(super) const fn target(self) -> &'static str {
        match self {
            Self::Sleeps => "health.sleeps",
            Self::Recoveries => "health.recoveries",
            Self::Cycles => "health.cycles",
            Self::Workouts => "health.workouts",
        }
    }

    /// Below the interface's base.
    pub(super) const fn path(self) -> &'static str {
        match self {
            Self::Sleeps => "v2/activity/sleep",
            Self::Recoveries => "v2/recovery",
            Self::Cycles => "v2/cycle",
            Self::Workouts => "v2/activity/workout",
        }
    }

    /// The field that holds a record's key.
    pub(super) const fn key_field(self) -> &'static str {
        match self {
            Self::Recoveries => "cycle_id",
            Self::Sleeps | Self::Cycles | Self::Workouts => "id",
        }
    }

    /// How much longer before the judged time is asked for. What the interface goes by is not the instant of the row: for a
    /// recovery it is the start of its sleep, and a strap may have sent the night days later. Without this time such a row would
    /// not come back although it is there, and would be taken for gone.
    pub(super) const fn lead(self) -> TimeDelta {
        match self {
            Self::Recoveries => WHOOP_RECOVERY_LEAD,
            Self::Sleeps | Self::Cycles | Self::Workouts => WHOOP_LEAD,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_opens_its_collection_and_no_other() {
        for collection in WhoopCollection::ALL {
            let opened = WhoopCollection::of_granted(collection.granted_by());
            assert_eq!(opened, Some(collection));
        }
        for scope in ["offline", "read:profile", "read:body_measurement", ""] {
            assert_eq!(WhoopCollection::of_granted(scope), None, "{scope}");
        }
    }
}
