//! The calendars there are, listed anew each round: by a token of changes the list leaves out those whose name, zone or access changed
//! (Calendar, calendarList.list, syncToken).

use chrono_tz::Tz;
use serde::Deserialize;
use serde_json::{Value, json};
use sextant_formats::RecordFields;

use super::client::{GoogleClient, GoogleService, malformed};
use super::event::Reminder;
use super::listing::{EmptyList, ListPages, NextPage};
use crate::digest_key::{digest, within_limit};
use crate::failure::{FailureKind, SourceFailure};
use crate::limits::GOOGLE_CALENDARS_MAX;
use crate::round::{SourceItem, SourceRecord};

/// A calendar of the person's list.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GoogleCalendar {
    /// As Google calls it.
    pub(super) id: String,
    /// The scope of its events.
    pub(super) key: String,
    /// The zone of times that name none.
    pub(super) zone: Option<Tz>,
    /// Those of events that say to be reminded by default.
    pub(super) reminders: Vec<Reminder>,
    fields: RecordFields,
}

/// `CalendarListEntry`, as far as it is read.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Entry {
    id: String,
    summary: Option<String>,
    summary_override: Option<String>,
    background_color: Option<String>,
    time_zone: Option<String>,
    primary: bool,
    access_role: Option<String>,
    hidden: bool,
    default_reminders: Option<Vec<Reminder>>,
}

/// The calendars of the person's list, hidden ones too.
pub(super) async fn list_calendars(
    client: &GoogleClient,
) -> Result<Vec<GoogleCalendar>, SourceFailure> {
    let mut pages = ListPages::default();
    let mut calendars = Vec::new();
    loop {
        let mut query = vec![("maxResults", "250"), ("showHidden", "true")];
        query.extend(pages.token().map(|token| ("pageToken", token)));
        let path = ["users", "me", "calendarList"];
        let answer = client.ask(GoogleService::Calendar, &path, &query).await?;
        let page = pages.read(answer, "items", EmptyList::Written)?;
        for item in page.items {
            // A list that is not understood whole would end calendars that are there.
            let calendar = GoogleCalendar::read(item);
            let none = || malformed("the source listed a calendar that is none");
            calendars.push(calendar.ok_or_else(none)?);
        }
        if calendars.len() > GOOGLE_CALENDARS_MAX {
            let message = format!("the source has more than {GOOGLE_CALENDARS_MAX} calendars");
            return Err(SourceFailure::new(FailureKind::TooLarge, message));
        }
        if let NextPage::End(_) = page.next {
            break;
        }
    }
    // Everybody has one, which cannot be removed.
    if calendars.is_empty() {
        let message = "the source did not list all there is";
        return Err(SourceFailure::new(FailureKind::Unavailable, message));
    }
    calendars.sort_by(|one, other| one.key.cmp(&other.key));
    calendars.dedup_by(|one, other| one.key == other.key);
    Ok(calendars)
}

impl GoogleCalendar {
    /// Reads an item of the list; `None` if it is no calendar.
    pub(super) fn read(item: Value) -> Option<Self> {
        let entry = Entry::deserialize(item).ok()?;
        if entry.id.is_empty() {
            return None;
        }
        let name = entry.summary_override.or(entry.summary);
        let zone = entry
            .time_zone
            .as_deref()
            .and_then(|name| name.parse().ok());
        let fields = json!({
            "name": name.unwrap_or_else(|| entry.id.clone()),
            "color": entry.background_color,
            "time_zone": entry.time_zone,
            "is_primary": entry.primary,
            "access_role": entry.access_role,
            "is_hidden": entry.hidden,
        });
        let fields = fields.as_object().cloned().unwrap_or_default();
        Some(Self {
            key: within_limit(entry.id.as_str()),
            id: entry.id,
            zone,
            reminders: entry.default_reminders.unwrap_or_default(),
            fields: fields
                .into_iter()
                .filter(|(_, value)| !value.is_null())
                .collect(),
        })
    }

    /// The calendar, which holds the scope of its own key.
    pub(super) fn item(&self) -> SourceItem {
        let record = SourceRecord {
            target: "calendar.calendars",
            source_id: self.key.clone(),
            fields: self.fields.clone(),
        };
        SourceItem {
            key: self.key.clone(),
            version: digest(Value::from(self.fields.clone()).to_string()),
            at: None,
            holds: Some(self.key.clone()),
            records: vec![record],
        }
    }

    /// The calendar as a push nests it.
    pub(super) fn parent(&self) -> Value {
        let mut fields = self.fields.clone();
        fields.insert("id".to_owned(), Value::from(self.key.as_str()));
        Value::Object(fields)
    }

    /// The key of an event in it. The same event may stand in several calendars of one person, by the same name.
    pub(super) fn key_of(&self, event: &str) -> String {
        within_limit(format!("{}/{event}", self.key))
    }

    /// What the rows of its events are made of besides the events.
    pub(super) fn basis(&self) -> String {
        let reminders = self
            .reminders
            .iter()
            .map(|one| json!([one.method, one.minutes]));
        let zone = self.zone.map(|zone| zone.name());
        digest(json!([zone, reminders.collect::<Vec<_>>()]).to_string())
    }
}
