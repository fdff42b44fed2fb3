//! The peer: a Python script over python-dateutil.

use std::collections::BTreeMap;
use std::path::PathBuf;

use chrono_tz::Tz;
use serde::Deserialize;

use crate::support::python;

const SCRIPT: &str = "tests/peers/occurrences.py";

/// What the peer expands one series to.
#[derive(Deserialize)]
pub struct Expanded {
    /// `None` when the peer cannot read the series.
    pub occurrences: Option<Vec<String>>,
}

/// By file, then by series. `None` when Python is not installed, which fails under `CI=true`.
pub fn expanded(
    files: &[PathBuf],
    operator_zone: Tz,
    now: &str,
) -> Option<BTreeMap<String, BTreeMap<String, Expanded>>> {
    if !python::installed("occurrences") {
        return None;
    }
    let words = [now, operator_zone.name()];
    Some(python::run(SCRIPT, &words, files))
}
