//! The expansion of series, compared with an independent one: python-dateutil with its own reader of the files
//! (`tests/peers/occurrences.py`).

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests: what fails here is a failed test"
)]

mod generated;
pub mod peer;
mod samples;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use sextant_formats::recurrence::{Covers, Expansion, Occurrence, OccurrenceTime, expand};

pub const NOW: &str = "2026-11-21T12:00:00Z";
pub const OPERATOR_ZONE: Tz = chrono_tz::Asia::Kathmandu;

/// How many series of the samples both sides can read at least; fewer means that one side has missed some.
const SAMPLE_SERIES_MIN: usize = 200;

#[test]
fn every_sample_expands_as_the_peer_does() {
    let mut files: Vec<_> = fs::read_dir("tests/it/fixtures/calendar")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ics"))
        .collect();
    files.sort();
    if let Some(compared) = compare(&files) {
        assert!(
            compared >= SAMPLE_SERIES_MIN,
            "only {compared} series were compared"
        );
    }
}

#[test]
fn random_rules_in_many_zones_expand_as_the_peer_does() {
    let folder = tempfile::tempdir().unwrap();
    let calendars = generated::calendars();
    let write = |(number, calendar): (usize, &String)| -> PathBuf {
        let path = folder.path().join(format!("{number}.ics"));
        fs::write(&path, calendar).unwrap();
        path
    };
    let files: Vec<_> = calendars.iter().enumerate().map(write).collect();
    if let Some(compared) = compare(&files) {
        assert_eq!(
            compared,
            generated::SERIES,
            "the peer could not read every generated series"
        );
    }
}

/// Expands each series of each file on both sides and returns how many were equal; `None` when Python is not
/// installed. A difference fails the test with the series and the first lines that differ.
fn compare(files: &[PathBuf]) -> Option<usize> {
    let theirs = peer::expanded(files, OPERATOR_ZONE, NOW)?;
    let mut compared = 0;
    let mut differences = Vec::new();
    for file in files {
        let ours = samples::series_of(file, OPERATOR_ZONE);
        for (name, result) in &theirs[file.to_str().unwrap()] {
            let Some(their_lines) = &result.occurrences else {
                continue;
            };
            compared += 1;
            let difference = match ours
                .get(name)
                .map(|series| expand(series, OPERATOR_ZONE, now()))
            {
                Some(Ok(expansion)) => differ(&expansion, their_lines),
                Some(Err(error)) => Some(error.to_string()),
                None => Some("not found in the file".to_owned()),
            };
            differences.extend(difference.map(|why| format!("{} {name}: {why}", file.display())));
        }
    }
    assert!(
        differences.is_empty(),
        "{} of {compared}:\n{}",
        differences.len(),
        differences.join("\n")
    );
    Some(compared)
}

fn now() -> DateTime<Utc> {
    NOW.parse().unwrap()
}

fn differ(expansion: &Expansion, theirs: &[String]) -> Option<String> {
    let ours: Vec<_> = expansion.occurrences.iter().map(line).collect();
    let mut counts: BTreeMap<&str, i32> = BTreeMap::new();
    ours.iter()
        .for_each(|line| *counts.entry(line).or_default() += 1);
    theirs
        .iter()
        .filter(|line| is_covered(line, expansion))
        .for_each(|line| *counts.entry(line).or_default() -= 1);
    counts.retain(|_, count| *count != 0);
    if counts.is_empty() {
        return None;
    }
    let name = |(line, count): (&&str, &i32)| {
        format!("  {} {line}", if *count > 0 { "ours" } else { "peer" })
    };
    let first: Vec<_> = counts.iter().take(6).map(name).collect();
    Some(format!(
        "{} ours, {} theirs\n{}",
        ours.len(),
        theirs.len(),
        first.join("\n")
    ))
}

/// Whether a line of the peer is within the window that the expansion was cut to; without a cut every line is.
fn is_covered(line: &str, expansion: &Expansion) -> bool {
    let Some(Covers {
        from: Some(from),
        to,
    }) = expansion.covers.filter(|_| expansion.cut)
    else {
        return true;
    };
    let start = line.split([' ', '/']).nth(1).unwrap();
    let start = format!("{start}T00:00:00Z")
        .get(..20)
        .unwrap()
        .parse::<DateTime<Utc>>();
    let start = start.unwrap();
    from <= start && start < to
}

/// An occurrence in the peer's form.
fn line(occurrence: &Occurrence) -> String {
    let span = match occurrence.when {
        OccurrenceTime::Timed { start, end } => format!("{start:?}/{end:?}"),
        OccurrenceTime::AllDay { start, end } => format!("{start}/{end}"),
    };
    let mark = if occurrence.override_source_id.is_some() {
        " override"
    } else {
        ""
    };
    format!(
        "{} {span} {}{mark}",
        occurrence.original_start,
        occurrence.status.as_str()
    )
}

/// The text of a sample: UTF-8, or else Latin-1, which some old programs write.
fn text_of(path: &Path) -> String {
    let bytes = fs::read(path).unwrap();
    String::from_utf8(bytes).unwrap_or_else(|error| {
        error
            .as_bytes()
            .iter()
            .map(|byte| char::from(*byte))
            .collect()
    })
}
