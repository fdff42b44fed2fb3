//! Stages of sleep to `health.sleeps`: what one source recorded of one night is one sleep.
//!
//! A file has a record for each stage, sorted by source and time as a rule, but that is not relied upon: some
//! nights are kept open, and a stage joins the one of its source that it touches or follows soon. Beyond so many open
//! nights the one that grew least recently is returned. What is held is bounded by that, however long the file.

use std::collections::VecDeque;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::device::name_source;
use super::element::HealthElement;
use super::sample::{add_times, meta_of, zone_of};
use super::times::{SampleSpan, format_instant};
use crate::entry::identity::RecentIdentities;
use crate::entry::{RecordFields, quoted};

/// A longer gap between two stages ends the sleep; the next stage begins another.
const PAUSE_MAX: TimeDelta = TimeDelta::hours(2);
/// No sleep is longer. A stage that is (a phone that was told of going to bed and not of getting up) stays by itself.
const NIGHT_MAX: TimeDelta = TimeDelta::hours(24);
const STAGES_MAX: usize = 2000;
const NIGHTS_OPEN_MAX: usize = 64;

/// Apple's values, by name or number, with what they are here and the column for their sum. Sleep of no known stage,
/// as it was recorded before watches distinguished stages, has no column and is kept beside them.
const STAGES: [(&str, &str, &str, &str); 7] = [
    ("InBed", "0", "in_bed", "in_bed_ms"),
    ("Asleep", "1", "asleep", "asleep_ms"),
    ("AsleepUnspecified", "1", "asleep", "asleep_ms"),
    ("Awake", "2", "awake", "awake_ms"),
    ("AsleepCore", "3", "light", "light_ms"),
    ("AsleepDeep", "4", "deep", "deep_ms"),
    ("AsleepREM", "5", "rem", "rem_ms"),
];
const VALUE_PREFIX: &str = "HKCategoryValueSleepAnalysis";

#[derive(Debug)]
struct SleepStage {
    name: &'static str,
    column: &'static str,
    start: DateTime<Utc>,
    end: DateTime<Utc>,
}

/// What one source recorded of one night.
#[derive(Debug)]
pub(super) struct SleepNight {
    /// The line of its first stage.
    pub line: u64,
    source: String,
    span: SampleSpan,
    end: DateTime<Utc>,
    stages: Vec<SleepStage>,
    /// What the first stage says of its source.
    origin: RecordFields,
}

/// The nights to which stages may still come, the one that grew least recently first.
#[derive(Debug, Default)]
pub(super) struct Nights(VecDeque<SleepNight>);

impl Nights {
    /// Adds a stage; returns the oldest open night if too many are open.
    pub(super) fn add(
        &mut self,
        element: &HealthElement,
        parts: &[HealthElement],
    ) -> Result<Option<SleepNight>, String> {
        let mut night = SleepNight::from_stage(element, parts)?;
        for open in std::mem::take(&mut self.0) {
            match night.belongs_to(&open) {
                true => night.merge(open),
                false => self.0.push_back(open),
            }
        }
        self.0.push_back(night);
        let is_full = self.0.len() > NIGHTS_OPEN_MAX;
        Ok(is_full.then(|| self.0.pop_front()).flatten())
    }

    /// Takes the nights that are still open when the file has ended.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = SleepNight> {
        std::mem::take(&mut self.0).into_iter()
    }
}

impl SleepNight {
    fn from_stage(element: &HealthElement, parts: &[HealthElement]) -> Result<Self, String> {
        let span = SampleSpan::read(element, zone_of(&meta_of(parts)))?;
        let end = span.end.ok_or("it has no endDate")?;
        let (name, column) = stage_of(element)?;
        let mut origin = RecordFields::new();
        name_source(element, &mut origin);
        Ok(Self {
            line: element.line,
            source: element.get("sourceName").unwrap_or_default().to_owned(),
            span,
            end,
            stages: vec![SleepStage {
                name,
                column,
                start: span.start,
                end,
            }],
            origin,
        })
    }

    fn belongs_to(&self, other: &Self) -> bool {
        let pause = (self.span.start - other.end).max(other.span.start - self.end);
        let length = self.end.max(other.end) - self.span.start.min(other.span.start);
        self.source == other.source
            && pause <= PAUSE_MAX
            && length <= NIGHT_MAX
            && self.stages.len() + other.stages.len() <= STAGES_MAX
    }

    fn merge(&mut self, mut other: Self) {
        if other.span.start <= self.span.start {
            self.span = other.span;
        }
        if other.line < self.line {
            (self.line, self.origin) = (other.line, other.origin);
        }
        self.end = self.end.max(other.end);
        other.stages.append(&mut self.stages);
        self.stages = other.stages;
    }

    /// When it began, as the columns take it.
    pub(super) fn started_at(&self) -> String {
        format_instant(self.span.start)
    }

    /// The record of `health.sleeps`.
    pub(super) fn fields(mut self, identities: &mut RecentIdentities) -> RecordFields {
        self.stages.sort_by_key(|stage| (stage.start, stage.end));
        self.span.end = Some(self.end);
        let mut fields = RecordFields::new();
        let started = self.span.start.timestamp_millis().to_string();
        let id = identities.id_from_parts(&["sleep", &self.source, &started]);
        fields.insert("id".to_owned(), id.into());
        add_times(&self.span, &mut fields);
        for (.., column) in STAGES {
            if let Some(length) = self.length_of(column) {
                fields.insert(column.to_owned(), length.num_milliseconds().into());
            }
        }
        fields.insert(
            "stages".to_owned(),
            self.stages
                .iter()
                .map(stage_json)
                .collect::<Vec<_>>()
                .into(),
        );
        fields.append(&mut self.origin);
        fields
    }

    /// How long a stage was in all; overlapping stages count once. The stages are sorted.
    fn length_of(&self, column: &str) -> Option<TimeDelta> {
        let mut counted_to: Option<DateTime<Utc>> = None;
        let mut length = TimeDelta::zero();
        for stage in self.stages.iter().filter(|stage| stage.column == column) {
            let from = counted_to.map_or(stage.start, |counted| counted.max(stage.start));
            length += (stage.end - from).max(TimeDelta::zero());
            counted_to = Some(counted_to.map_or(stage.end, |counted| counted.max(stage.end)));
        }
        counted_to.map(|_| length)
    }
}

fn stage_of(element: &HealthElement) -> Result<(&'static str, &'static str), String> {
    let value = element.get("value").ok_or("it has no value")?;
    let name = value.strip_prefix(VALUE_PREFIX).unwrap_or(value);
    let stage = STAGES
        .iter()
        .find(|(word, number, ..)| [word, number].contains(&&name));
    let (.., stage, column) =
        stage.ok_or_else(|| format!("its value {} is no stage of sleep", quoted(value)))?;
    Ok((stage, column))
}

fn stage_json(stage: &SleepStage) -> Value {
    json!({
        "stage": stage.name,
        "start_at": format_instant(stage.start),
        "end_at": format_instant(stage.end),
    })
}
