//! One entry of a health export: an element that stands directly in `HealthData`, with what stands in it.

use super::element::HealthElement;

pub(super) const ROOT: &str = "HealthData";
pub(super) const RECORD: &str = "Record";
pub(super) const CORRELATION: &str = "Correlation";
pub(super) const META: &str = "MetadataEntry";
pub(super) const STATISTICS: &str = "WorkoutStatistics";

/// Elements that stand directly in the root; where one begins within another, the other was not closed.
pub(super) const ENTRIES: [&str; 7] = [
    RECORD,
    "Workout",
    "ActivitySummary",
    CORRELATION,
    "ClinicalRecord",
    "Audiogram",
    "VisionPrescription",
];
/// Elements that are no entries: whose the export is and when it was made, and parts whose entry is broken.
pub(super) const NO_ENTRIES: [&str; 10] = [
    "ExportDate",
    "Me",
    META,
    STATISTICS,
    "WorkoutEvent",
    "WorkoutActivity",
    "WorkoutRoute",
    "FileReference",
    "HeartRateVariabilityMetadataList",
    "InstantaneousBeatsPerMinute",
];
/// An entry as the file has it.
#[derive(Debug)]
pub(super) struct HealthItem {
    /// Of its element.
    pub name: String,
    /// Where it begins, counted from 1.
    pub line: u64,
    /// What is wrong with it, or what it is.
    pub element: Result<HealthElement, String>,
    /// What stands directly in it: what else is said of it, and a workout's statistics.
    pub parts: Vec<HealthElement>,
}

impl HealthItem {
    /// An entry that cannot be read, and why.
    pub(super) fn broken(name: &str, line: u64, reason: String) -> Self {
        Self {
            name: name.to_owned(),
            line,
            element: Err(reason),
            parts: Vec::new(),
        }
    }
}

/// Whether an element of this name may stand in an entry: a correlation repeats the records that belong together.
pub(super) fn may_hold(open: &HealthItem, name: &str) -> bool {
    open.name == CORRELATION && name == RECORD
}
