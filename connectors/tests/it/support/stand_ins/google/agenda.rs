//! All calendars of the person, as they are listed.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::calendar::Calendar;
use super::{Answer, Asked, refused};

/// All calendars.
#[derive(Default)]
pub struct Agenda {
    pub calendars: BTreeMap<String, Calendar>,
    /// Entries of a page, whatever is asked for: "may be less than this value, or none at all".
    pub page_max: usize,
}

/// A day of January 2026, nine o'clock in Berlin.
pub fn at(day: usize) -> Value {
    json!({"dateTime": format!("2026-01-{day:02}T09:00:00+01:00"), "timeZone": "Europe/Berlin"})
}

/// A single event.
pub fn event(title: &str) -> Value {
    json!({"summary": title, "start": at(5), "end": at(5)})
}

/// A daily event, of which each instance has the day as its name.
pub fn daily(title: &str) -> Value {
    json!({"summary": title, "start": at(1), "end": at(1), "recurrence": ["RRULE:FREQ=DAILY;COUNT=28"]})
}

/// The id of an instance: Google's own way of making them.
pub fn instance(master: &str, day: usize) -> String {
    format!("{master}_202601{day:02}T080000Z")
}

impl Agenda {
    /// A calendar with a name.
    pub fn add(&mut self, id: &str, name: &str) {
        let entry = json!({
            "kind": "calendar#calendarListEntry", "id": id, "etag": "\"1\"", "summary": name, "timeZone": "Europe/Berlin",
            "accessRole": "owner", "backgroundColor": "#0088aa", "selected": true,
            "defaultReminders": [{"method": "popup", "minutes": 10}],
        });
        let calendar = Calendar::new(entry.as_object().unwrap());
        self.calendars.insert(id.to_owned(), calendar);
    }

    pub fn calendar(&mut self, id: &str) -> &mut Calendar {
        self.calendars.get_mut(id).unwrap()
    }

    pub(super) fn list_calendars(&self, asked: &Asked) -> Answer {
        let shows_hidden = asked.has("showHidden", "true");
        let is_shown =
            |calendar: &&Calendar| shows_hidden || !calendar.entry.contains_key("hidden");
        let entries = self.calendars.values().filter(is_shown);
        let entries: Vec<_> = entries.map(|one| Value::from(one.entry.clone())).collect();
        let from: usize = asked
            .get("pageToken")
            .map_or(0, |token| token.parse().unwrap());
        let page: Vec<_> = entries
            .iter()
            .skip(from)
            .take(self.page_max)
            .cloned()
            .collect();
        let next = from + page.len();
        let mut answer = json!({"kind": "calendar#calendarList", "etag": "\"p\"", "items": page});
        match next < entries.len() {
            true => answer["nextPageToken"] = json!(next.to_string()),
            false => answer["nextSyncToken"] = json!("calendars"),
        }
        Ok(answer)
    }

    pub(super) fn list_events(&self, id: &str, asked: &Asked) -> Answer {
        let calendar = self.reach(id)?;
        let page_max = asked.number("maxResults").unwrap_or(250).min(self.page_max);
        calendar.list(asked, page_max)
    }

    pub(super) fn get_event(&self, id: &str, event: &str) -> Answer {
        self.reach(id)?.get(event)
    }

    fn reach(&self, id: &str) -> Result<&Calendar, (u16, Value)> {
        let found = self.calendars.get(id).filter(|one| !one.is_withdrawn);
        found.ok_or_else(|| refused(404, "notFound", "Not Found"))
    }
}
