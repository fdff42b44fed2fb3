//! An event as Calendar has it (its discovery document, `Event`): only what is read of it.

use serde::Deserialize;
use serde_json::Value;

use super::when::EventTime;

/// A single event, the master of a series, or an exception of one.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct GoogleEvent {
    pub(super) id: String,
    etag: Option<String>,
    status: Option<String>,
    #[serde(rename = "iCalUID")]
    pub(super) uid: Option<String>,
    pub(super) recurring_event_id: Option<String>,
    pub(super) original_start_time: Option<EventTime>,
    pub(super) recurrence: Option<Vec<String>>,
    pub(super) start: Option<EventTime>,
    pub(super) end: Option<EventTime>,
    pub(super) end_time_unspecified: bool,
    pub(super) summary: Option<String>,
    pub(super) description: Option<String>,
    pub(super) location: Option<String>,
    pub(super) transparency: Option<String>,
    pub(super) visibility: Option<String>,
    pub(super) event_type: Option<String>,
    pub(super) sequence: Option<i64>,
    pub(super) updated: Option<String>,
    pub(super) organizer: Option<Guest>,
    pub(super) attendees: Option<Vec<Guest>>,
    pub(super) reminders: Option<Reminders>,
    pub(super) hangout_link: Option<String>,
    pub(super) conference_data: Option<Conference>,
    /// As it came.
    #[serde(skip)]
    pub(super) sent: Value,
}

/// Who invited, or was invited.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Guest {
    pub(super) email: Option<String>,
    pub(super) display_name: Option<String>,
    pub(super) response_status: Option<String>,
    pub(super) optional: bool,
    #[serde(rename = "self")]
    pub(super) is_self: bool,
}

/// When to be reminded.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Reminders {
    pub(super) use_default: bool,
    pub(super) overrides: Option<Vec<Reminder>>,
}

/// So many minutes before the start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct Reminder {
    pub(super) method: String,
    pub(super) minutes: u32,
}

/// Where to join.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Conference {
    entry_points: Option<Vec<EntryPoint>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct EntryPoint {
    entry_point_type: String,
    uri: Option<String>,
}

/// What an event is to its calendar.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum EventPlace<'e> {
    /// It stands alone.
    Single,
    /// It belongs to the series of this master, which it may be itself.
    OfSeries(&'e str),
    /// It is deleted: single, or a series with all that belongs to it.
    Gone,
}

impl GoogleEvent {
    /// Reads an item of a list; `None` if it is no event, or has no id.
    pub(super) fn read(sent: Value) -> Option<Self> {
        let mut event = Self::deserialize(&sent).ok()?;
        event.sent = sent;
        Some(event).filter(|event| !event.id.is_empty())
    }

    /// Its place. A cancelled exception takes an instance from its series, any other cancelled event is deleted (`Event.status`).
    pub(super) fn place(&self) -> EventPlace<'_> {
        match &self.recurring_event_id {
            Some(master) => EventPlace::OfSeries(master),
            None if self.is_cancelled() => EventPlace::Gone,
            None if self.repeats() => EventPlace::OfSeries(&self.id),
            None => EventPlace::Single,
        }
    }

    /// The id of the master of its series, or its own.
    pub(super) fn master(&self) -> &str {
        self.recurring_event_id.as_deref().unwrap_or(&self.id)
    }

    /// Whether it has a rule.
    pub(super) fn repeats(&self) -> bool {
        let lines = self.recurrence.as_ref();
        lines.is_some_and(|lines| !lines.is_empty())
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.status.as_deref() == Some("cancelled")
    }

    /// In the words of iCalendar.
    pub(super) fn status(&self) -> &'static str {
        match self.status.as_deref() {
            Some("tentative") => "TENTATIVE",
            Some("cancelled") => "CANCELLED",
            _ => "CONFIRMED",
        }
    }

    /// What changes whenever it does.
    pub(super) fn version(&self) -> String {
        let sent = || self.sent.to_string();
        self.etag.clone().unwrap_or_else(sent)
    }

    /// The address of a video call.
    pub(super) fn conference(&self) -> Option<&str> {
        let points = self.conference_data.as_ref()?.entry_points.iter();
        let mut points = points.flatten();
        let video = points.find(|point| point.entry_point_type == "video");
        video?.uri.as_deref()
    }

    /// What the person answered, if invited.
    pub(super) fn own_answer(&self) -> Option<&'static str> {
        let mut guests = self.attendees.iter().flatten();
        let own = guests.find(|guest| guest.is_self)?;
        Some(own.answer())
    }
}

impl Guest {
    /// In the words of iCalendar (RFC 5545 §3.2.12).
    pub(super) fn answer(&self) -> &'static str {
        match self.response_status.as_deref() {
            Some("accepted") => "ACCEPTED",
            Some("declined") => "DECLINED",
            Some("tentative") => "TENTATIVE",
            _ => "NEEDS-ACTION",
        }
    }
}
