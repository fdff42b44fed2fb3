//! Calendar: the events of four people, with recurring and moved ones, and the birthdays of all contacts.

use chrono::{DateTime, Datelike, Duration, NaiveDate, Utc};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::contacts::{People, Person, SELF};
use super::when::{Days, stamp};
use super::{SampleError, TableRecords, parse_template};

/// The first year of the series of a birthday on 29 February; it must be a leap year.
const BIRTHDAYS_SINCE: i32 = 2000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Template {
    calendar: Vec<CalendarTemplate>,
    event: Vec<Event>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CalendarTemplate {
    id: String,
    name: String,
    color: String,
    #[serde(default)]
    primary: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Event {
    id: String,
    calendar: String,
    title: String,
    /// The first day.
    day: String,
    /// The times of its start and end on that day; `None` for all-day events.
    at: Option<[String; 2]>,
    /// The last day of an all-day event of several days.
    until: Option<String>,
    /// RFC 5545, without `RRULE:`.
    rule: Option<String>,
    /// Days on which it does not take place.
    #[serde(default)]
    except: Vec<String>,
    #[serde(default)]
    moved: Vec<Moved>,
    location: Option<String>,
    notes: Option<String>,
    /// Contacts; the first is the organizer.
    #[serde(default)]
    with: Vec<String>,
    url: Option<String>,
    status: Option<String>,
    answer: Option<String>,
    #[serde(default)]
    free: bool,
}

/// One occurrence at another time or place.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Moved {
    day: String,
    at: [String; 2],
    to: String,
    title: Option<String>,
    location: Option<String>,
    /// The attendees of this occurrence; empty for those of the series.
    #[serde(default)]
    with: Vec<String>,
}

pub(super) fn share(people: &People, days: &Days) -> Result<TableRecords, SampleError> {
    let template: Template = parse_template("calendar", include_str!("calendar.toml"))?;
    let find = |id: &str| {
        let found = template.calendar.iter().find(|calendar| calendar.id == id);
        found.ok_or_else(|| SampleError::of("calendar", id))
    };
    let mut records = Vec::new();
    for event in &template.event {
        let calendar = find(&event.calendar)?.record(days);
        records.push(event.record(calendar, people, days)?);
    }
    let birthdays = find("birthdays")?;
    for person in people.all() {
        records.extend(birthday(person, birthdays.record(days), days)?);
    }
    Ok(TableRecords {
        target: "calendar.series",
        records,
    })
}

impl CalendarTemplate {
    fn record(&self, days: &Days) -> Value {
        json!({
            "id": format!("sample-calendar-{}", self.id), "name": self.name, "color": self.color,
            "time_zone": days.zone.name(), "is_primary": self.primary, "access_role": "owner",
        })
    }
}

impl Event {
    fn record(&self, calendar: Value, people: &People, days: &Days) -> Result<Value, SampleError> {
        let id = format!("sample-{}", self.id);
        let first = days.day(&self.day)?;
        let mut record = Map::new();
        record.insert("id".to_owned(), id.clone().into());
        record.insert(
            "uid".to_owned(),
            format!("{id}@calendar.example.org").into(),
        );
        record.insert("calendar".to_owned(), calendar);
        record.insert("title".to_owned(), self.title.clone().into());
        record.insert(
            "status".to_owned(),
            self.status.as_deref().unwrap_or("confirmed").into(),
        );
        record.insert(
            "free_busy".to_owned(),
            if self.free { "free" } else { "busy" }.into(),
        );
        record.insert("rrule".to_owned(), self.rules(days)?);
        self.place(&mut record, first, days)?;
        self.invite(&mut record, people)?;
        let description = self
            .notes
            .as_deref()
            .map(|notes| days.fill_in(notes.trim()))
            .transpose()?;
        for (name, value) in [
            ("description", description),
            ("location", self.location.clone()),
            ("conference_url", self.url.clone()),
        ] {
            record.extend(value.map(|value| (name.to_owned(), value.into())));
        }
        let moved: Result<Vec<Value>, _> = self
            .moved
            .iter()
            .map(|moved| self.moved(moved, people, days))
            .collect();
        record.insert("overrides".to_owned(), moved?.into());
        Ok(Value::Object(record))
    }

    fn place(
        &self,
        record: &mut Map<String, Value>,
        first: NaiveDate,
        days: &Days,
    ) -> Result<(), SampleError> {
        let is_all_day = self.at.is_none();
        record.insert("is_all_day".to_owned(), is_all_day.into());
        if let Some([from, to]) = &self.at {
            record.insert("time_zone".to_owned(), days.zone.name().into());
            record.insert(
                "start_at".to_owned(),
                stamp(days.clock(first, from)?).into(),
            );
            record.insert("end_at".to_owned(), stamp(days.clock(first, to)?).into());
            return Ok(());
        }
        let last = self
            .until
            .as_deref()
            .map_or(Ok(first), |until| days.day(until))?;
        record.insert("start_date".to_owned(), first.to_string().into());
        record.insert(
            "end_date".to_owned(),
            (last + Duration::days(1)).to_string().into(),
        );
        Ok(())
    }

    /// The `RRULE` line and one `EXDATE` line for each excepted day.
    fn rules(&self, days: &Days) -> Result<Value, SampleError> {
        let mut lines: Vec<String> = self
            .rule
            .iter()
            .map(|rule| format!("RRULE:{rule}"))
            .collect();
        for day in &self.except {
            let start = self.start(day, days)?;
            lines.push(format!("EXDATE:{}", start.format("%Y%m%dT%H%M%SZ")));
        }
        Ok(lines.into())
    }

    /// The start of the occurrence on a day, by the rule.
    fn start(&self, day: &str, days: &Days) -> Result<DateTime<Utc>, SampleError> {
        let from = self.at.as_ref().map(|[from, _]| from.as_str());
        days.clock(days.day(day)?, from.unwrap_or("00:00"))
    }

    fn moved(&self, moved: &Moved, people: &People, days: &Days) -> Result<Value, SampleError> {
        let original = self.start(&moved.day, days)?;
        let day = days.day(&moved.to)?;
        let [from, to] = &moved.at;
        let with = if moved.with.is_empty() {
            &self.with
        } else {
            &moved.with
        };
        Ok(json!({
            "recurrence_id": stamp(original), "attendees": self.attendees(with, people)?,
            "title": moved.title.as_deref().unwrap_or(&self.title),
            "location": moved.location.as_ref().or(self.location.as_ref()), "status": "confirmed",
            "start_at": stamp(days.clock(day, from)?), "end_at": stamp(days.clock(day, to)?), "is_all_day": false,
        }))
    }

    fn invite(&self, record: &mut Map<String, Value>, people: &People) -> Result<(), SampleError> {
        let Some(organizer) = self.with.first() else {
            return Ok(());
        };
        let attendees = self.attendees(&self.with, people)?;
        record.insert("organizer".to_owned(), people.mailbox(organizer)?);
        record.insert("attendees".to_owned(), attendees);
        record.insert("my_response".to_owned(), self.answer().into());
        Ok(())
    }

    fn answer(&self) -> &str {
        self.answer.as_deref().unwrap_or("accepted")
    }

    /// The household's person and `with`.
    fn attendees(&self, with: &[String], people: &People) -> Result<Value, SampleError> {
        let others = with.iter().map(String::as_str).filter(|id| *id != SELF);
        let attendees = std::iter::once(SELF).chain(others).map(|id| {
            let person = people.find(id)?;
            let is_self = id == SELF;
            let answer = if is_self { self.answer() } else { "accepted" };
            Ok(json!({
                "name": person.name(), "email": person.email, "is_self": is_self, "participation_status": answer,
            }))
        });
        attendees.collect()
    }
}

/// A yearly birthday; one on 29 February is on the last day of that month.
fn birthday(person: &Person, calendar: Value, days: &Days) -> Result<Option<Value>, SampleError> {
    let Some((month, day)) = person.birthday(days)? else {
        return Ok(None);
    };
    let is_leap = (month, day) == (2, 29);
    let since = if is_leap {
        BIRTHDAYS_SINCE
    } else {
        days.today.year() - 1
    };
    let first = NaiveDate::from_ymd_opt(since, month, day)
        .ok_or_else(|| SampleError::of("birthday", &person.id))?;
    let rule = if is_leap {
        "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"
    } else {
        "RRULE:FREQ=YEARLY"
    };
    let id = format!("sample-birthday-{}", person.id);
    Ok(Some(json!({
        "id": id, "uid": format!("{id}@calendar.example.org"), "calendar": calendar,
        "title": format!("{}'s birthday", person.name()), "status": "confirmed", "free_busy": "free",
        "is_all_day": true, "start_date": first.to_string(), "end_date": (first + Duration::days(1)).to_string(),
        "rrule": [rule], "categories": ["birthday"],
    })))
}
