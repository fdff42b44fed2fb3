//! Apple Health: `export.xml`, which an iPhone puts into an `export.zip` beside things that have no table.
//!
//! ```text
//! items.rs    tags -> whole entries               item.rs     one entry
//! element.rs  a tag's name and attributes
//! times.rs    dates and offsets                      values.rs   numbers and units
//! metrics.rs  Apple's identifiers -> metrics         device.rs   what measured
//! sample.rs   Record -> health.samples               night.rs    stages of sleep -> health.sleeps
//! workout.rs  Workout -> health.workouts             day.rs      ActivitySummary -> health.days
//! ```
//!
//! The entries of a file are its records, workouts and days with a ring, but the stages of one night are one entry.
//! What stands in a correlation (the two pressures of blood) stands in the file by itself as well, so it is
//! skipped; so are the person's own data, and a workout's route. What has no table is refused by name. A file of
//! gigabytes has millions of records: it is read once, and nothing is held but what the limits in these files name.

mod day;
mod device;
mod element;
mod item;
mod items;
mod metrics;
mod night;
mod sample;
mod times;
mod values;
mod workout;

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

use self::device::Devices;
use self::element::{HealthElement, name_in};
use self::item::{CORRELATION, HealthItem, RECORD, ROOT};
use self::items::HealthItems;
use self::night::{Nights, SleepNight};
use crate::entry::identity::RecentIdentities;
use crate::entry::{Entries, EntryPlace, FileEntry, RecordFields};
use crate::error::FileError;
use crate::readers::FileReader;
use crate::readers::markup::{MarkupContent, Scanner};
use crate::source::FileSource;

const SAMPLES: &str = "health.samples";
const SLEEPS: &str = "health.sleeps";
const WORKOUTS: &str = "health.workouts";
const DAYS: &str = "health.days";

/// How far into a file its root is looked for: the document type before it has some thousand bytes.
const HEAD_BYTES_MAX: u64 = 1024 * 1024;
/// The root of the other file in the zip, which says the same as a clinical document.
const CLINICAL_ROOT: &str = "ClinicalDocument";

/// The entries of an export.
pub(super) fn entries(source: &FileSource, reader: &FileReader) -> Result<Entries, FileError> {
    match root_of(source)?.as_deref() {
        Some(ROOT) => {}
        Some(CLINICAL_ROOT) => {
            return Err(FileError::NotThisFormat(
                "it is the clinical document of an Apple Health export: push export.xml beside it, which says more",
            ));
        }
        Some(_) => {
            return Err(FileError::NotThisFormat(
                "it is XML, but neither the export of Apple Health nor a statement of a bank (camt.052, .053, .054)",
            ));
        }
        None => {
            return Err(FileError::NotThisFormat(
                "it is no XML in UTF-8, or empty: no first tag was found",
            ));
        }
    }
    Ok(Box::new(HealthEntries {
        items: HealthItems::new(source.open()?, reader.left_behind.clone()),
        devices: Devices::default(),
        nights: Nights::default(),
        identities: RecentIdentities::default(),
        ready: VecDeque::new(),
        failure: None,
        is_over: false,
    }))
}

/// The name of the first element of a file: what kind of XML it is. One with two bytes a character is not read.
fn root_of(source: &FileSource) -> io::Result<Option<String>> {
    for markup in Scanner::new(source.open()?.take(HEAD_BYTES_MAX)) {
        if let MarkupContent::Start(tag) = markup?.content {
            let is_wide = tag.contains('\0');
            return Ok((!is_wide).then(|| name_in(&tag).to_owned()));
        }
    }
    Ok(None)
}

/// The only pass over the file.
struct HealthEntries<R> {
    items: HealthItems<R>,
    devices: Devices,
    nights: Nights,
    identities: RecentIdentities,
    ready: VecDeque<FileEntry>,
    /// The error that ended the file, returned after all entries before it.
    failure: Option<io::Error>,
    is_over: bool,
}

/// What an entry becomes: a record for its table, nothing yet, or a refusal.
type HealthOutcome = Result<Option<(&'static str, RecordFields)>, String>;

impl<R: BufRead> Iterator for HealthEntries<R> {
    type Item = Result<FileEntry, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(entry) = self.ready.pop_front() {
                return Some(Ok(entry));
            }
            if let Some(failure) = self.failure.take() {
                return Some(Err(failure.into()));
            }
            if self.is_over {
                return None;
            }
            match self.items.next() {
                Some(Ok(item)) => self.add(&item),
                Some(Err(failure)) => self.finish(Some(failure)),
                None => self.finish(None),
            }
        }
    }
}

impl<R> HealthEntries<R> {
    fn add(&mut self, item: &HealthItem) {
        let mapped = match &item.element {
            Ok(element) => self.map(element, &item.parts),
            Err(reason) => Err(reason.clone()),
        };
        let place = place_of(item);
        match mapped {
            Ok(None) => {}
            Ok(Some((target, fields))) => self.ready.push_back(record(target, place, fields)),
            Err(reason) => self.ready.push_back(FileEntry::Refused { place, reason }),
        }
    }

    fn map(&mut self, element: &HealthElement, parts: &[HealthElement]) -> HealthOutcome {
        match element.name.as_str() {
            RECORD if element.get("type") == Some(metrics::SLEEP) => {
                let done = self.nights.add(element, parts)?;
                done.into_iter().for_each(|night| self.push_night(night));
                Ok(None)
            }
            RECORD => {
                let sample = sample::map(element, parts, &mut self.devices, &mut self.identities)?;
                Ok(Some((SAMPLES, sample)))
            }
            "Workout" => {
                let workout = workout::map(element, parts, &mut self.identities)?;
                Ok(Some((WORKOUTS, workout)))
            }
            "ActivitySummary" => Ok(day::map(element)?.map(|day| (DAYS, day))),
            CORRELATION => Ok(None),
            "ClinicalRecord" => Err("clinical records have no table".to_owned()),
            _ => Err("no table takes entries of this kind".to_owned()),
        }
    }

    fn push_night(&mut self, night: SleepNight) {
        let key = format!("{} {}", metrics::SLEEP, night.started_at());
        let place = EntryPlace::new(night.line, RECORD, &key);
        let fields = night.fields(&mut self.identities);
        self.ready.push_back(record(SLEEPS, place, fields));
    }

    /// At the end of the file only the open nights are left to return.
    fn finish(&mut self, failure: Option<io::Error>) {
        self.failure = failure;
        self.is_over = true;
        let nights: Vec<_> = self.nights.drain().collect();
        nights.into_iter().for_each(|night| self.push_night(night));
    }
}

fn record(target: &str, place: EntryPlace, fields: RecordFields) -> FileEntry {
    FileEntry::Record {
        target: Some(target.to_owned()),
        place,
        fields,
    }
}

fn place_of(item: &HealthItem) -> EntryPlace {
    let names = ["type", "workoutActivityType", "startDate", "dateComponents"];
    let keys = names
        .iter()
        .filter_map(|name| item.element.as_ref().ok()?.get(name));
    EntryPlace::new(item.line, &item.name, &keys.collect::<Vec<_>>().join(" "))
}
