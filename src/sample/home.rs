//! Home: the rooms and devices of a flat with ten days of their states, a failure of the freezer included.

use chrono::{DateTime, Datelike, Utc, Weekday};
use serde::Deserialize;
use serde_json::{Value, json};

use super::when::{Days, stamp};
use super::{SampleError, TableRecords, chance, parse_template};

const DAYS: i64 = 10;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Template {
    area: Vec<Area>,
    entity: Vec<Entity>,
    incident: Vec<Incident>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Area {
    id: String,
    name: String,
    floor: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entity {
    /// Such as `light.kitchen`.
    id: String,
    name: String,
    area: Option<String>,
    device_class: Option<String>,
    unit: Option<String>,
    /// The state before the first change.
    state: String,
    /// The changes of each day, in the order of time.
    #[serde(default)]
    turn: Vec<DailyChange>,
}

/// A change on most days: to the state `to`, or to a number in a range.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DailyChange {
    at: String,
    to: Option<String>,
    low: Option<f64>,
    high: Option<f64>,
    #[serde(default)]
    on: Vec<Weekday>,
    percent: Option<f64>,
}

/// A single change.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Incident {
    entity: String,
    day: String,
    at: String,
    to: String,
}

/// A change of an entity's state.
struct Change<'a> {
    /// Its cause; together with entity and instant, it makes the id.
    by: &'static str,
    entity: &'a str,
    at: DateTime<Utc>,
    state: String,
}

pub(super) fn shares(days: &Days) -> Result<Vec<TableRecords>, SampleError> {
    let template: Template = parse_template("home", include_str!("home.toml"))?;
    let mut changes = Vec::new();
    for entity in &template.entity {
        changes.extend(entity.changes(days)?);
    }
    for incident in &template.incident {
        let at = days.clock(days.day(&incident.day)?, &incident.at)?;
        changes.push(Change {
            by: "incident",
            entity: &incident.entity,
            at,
            state: incident.to.clone(),
        });
    }
    changes.retain(|change| change.at <= days.now);
    changes.sort_by_key(|change| change.at);
    let entities: Result<Vec<Value>, _> = template
        .entity
        .iter()
        .map(|entity| entity.record(&template.area, &changes, days))
        .collect();
    Ok(vec![
        TableRecords {
            target: "home.entities",
            records: entities?,
        },
        TableRecords {
            target: "home.history",
            records: changes.iter().map(Change::record).collect(),
        },
    ])
}

impl Area {
    fn record(&self) -> Value {
        json!({ "id": format!("sample-area-{}", self.id), "name": self.name, "floor": self.floor })
    }
}

impl Entity {
    fn changes(&self, days: &Days) -> Result<Vec<Change<'_>>, SampleError> {
        let mut changes = Vec::new();
        for date in (0..=DAYS).rev().map(|ago| days.ago(ago)) {
            for turn in &self.turn {
                let name = format!("{} {}", self.id, turn.at);
                let is_day = turn.on.is_empty() || turn.on.contains(&date.weekday());
                if is_day && chance::happens(&name, date, turn.percent.unwrap_or(100.0)) {
                    let minutes = chance::between(&name, date, (0.0, 25.0)) as i64;
                    let at = days.clock(date, &turn.at)? + chrono::Duration::minutes(minutes);
                    let range = turn.low.zip(turn.high);
                    let number = range.map(|range| {
                        chance::rounded(chance::between(&name, date, range), 1).to_string()
                    });
                    let state = number
                        .or_else(|| turn.to.clone())
                        .unwrap_or_else(|| self.state.clone());
                    changes.push(Change {
                        by: "turn",
                        entity: &self.id,
                        at,
                        state,
                    });
                }
            }
        }
        Ok(changes)
    }

    fn record(
        &self,
        areas: &[Area],
        changes: &[Change<'_>],
        days: &Days,
    ) -> Result<Value, SampleError> {
        let last = changes.iter().rev().find(|change| change.entity == self.id);
        let state = last.map_or(self.state.as_str(), |last| last.state.as_str());
        let changed = last.map_or_else(
            || days.clock(days.ago(DAYS + 7), "12:00"),
            |last| Ok(last.at),
        )?;
        let area = match &self.area {
            Some(id) => Some(
                areas
                    .iter()
                    .find(|area| area.id == *id)
                    .ok_or_else(|| SampleError::of("area", id))?,
            ),
            None => None,
        };
        let mut record = json!({
            "id": name_of(&self.id), "entity_id": format!("{}_sample", self.id),
            "domain": self.id.split('.').next(), "name": self.name, "device_class": self.device_class,
            "unit": self.unit, "state": state, "state_num": state.parse::<f64>().ok(), "last_changed": stamp(changed),
            "last_updated": stamp(changed), "is_available": state != "unavailable",
        });
        if let (Some(area), Some(record)) = (area, record.as_object_mut()) {
            record.insert("area".to_owned(), area.record());
        }
        Ok(record)
    }
}

fn name_of(entity: &str) -> String {
    format!("sample-{entity}")
}

impl Change<'_> {
    fn record(&self) -> Value {
        json!({
            "id": format!("sample-{}-{}-{}", self.by, self.entity, stamp(self.at)), "entity_id": name_of(self.entity),
            "state": self.state, "state_num": self.state.parse::<f64>().ok(), "changed_at": stamp(self.at),
        })
    }
}
