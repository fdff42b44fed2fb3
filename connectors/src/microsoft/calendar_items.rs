//! The events of a calendar. A view of a calendar (<https://learn.microsoft.com/graph/api/event-delta>) tells single events,
//! series and each of their occurrences in a window. An occurrence is by the rule of its series, which is expanded elsewhere: here
//! it only says of which series, so that one that is cancelled is known to be of it.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use chrono::{DateTime, Duration, SecondsFormat, Utc};
use serde_json::Value;

use super::calendar_page::{SortedPage, tell_occurrence};
use super::client::{GraphClient, address_of_mine, segment};
use super::delta::ListedObject;
use super::object::{GraphObject, text};
use super::position::{GraphPass, GraphPosition, ReadingDepth};
use super::reading::GraphItems;
use super::series::{EventRecords, series, single};
use super::telling::{keep, key_of, skip, version_of};
use crate::digest_key::digest;
use crate::failure::{FailureKind, SourceFailure};
use crate::limits::{
    GRAPH_EVENTS_LOT, GRAPH_VIEW_AGE, GRAPH_VIEW_AHEAD, GRAPH_VIEW_BACK, GRAPH_VIEW_BACK_MAX,
};
use crate::round::{ItemChange, KnownItems, Page, RoundRequest, SkippedItem, SourceItem};

/// What is asked of a series. What is not by its rule is told to those only who ask for one series.
const OF_A_SERIES: &str = "$select=id,changeKey,iCalUId,subject,body,start,end,originalStartTimeZone,originalEndTimeZone,\
isAllDay,isCancelled,location,locations,organizer,attendees,responseStatus,onlineMeeting,onlineMeetingUrl,isReminderOn,\
reminderMinutesBeforeStart,categories,importance,sensitivity,showAs,recurrence,type,webLink,createdDateTime,\
lastModifiedDateTime,cancelledOccurrences,exceptionOccurrences&$expand=exceptionOccurrences";

/// Properties that an event that was told whole has.
const OF_WHOLE: [&str; 3] = ["subject", "start", "end"];

/// Events of any calendar, in one round.
pub(super) struct CalendarItems {
    client: GraphClient,
    /// The calendars, as records of events nest them.
    calendars: HashMap<String, Value>,
    now: DateTime<Utc>,
    /// Series that this round has told: their occurrences need not tell them again.
    told: Mutex<HashSet<String>>,
}

impl CalendarItems {
    pub(super) fn new(
        client: GraphClient,
        calendars: HashMap<String, Value>,
        now: DateTime<Utc>,
    ) -> Self {
        Self {
            client,
            calendars,
            now,
            told: Mutex::default(),
        }
    }

    fn lock_told(&self) -> std::sync::MutexGuard<'_, HashSet<String>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn tell_single(
        &self,
        event: GraphObject,
        page: &mut Page,
        versions: &HashMap<String, String>,
    ) -> Result<(), SourceFailure> {
        let id = text(&event, "id").unwrap_or_default().to_owned();
        let (key, version) = (key_of(&id), version_of(&event));
        if versions.get(&key) == Some(&version) {
            keep(page, key);
            return Ok(());
        }
        let event = match OF_WHOLE.iter().all(|name| event.contains_key(*name)) {
            true => event,
            false => match self
                .fetch(&format!("events/{}", segment(&id)), &key, page, versions)
                .await?
            {
                Some(event) => event,
                None => return Ok(()),
            },
        };
        let read = single(&page.scope, &event);
        self.put(page, key, version, read, versions);
        Ok(())
    }

    async fn tell_series(
        &self,
        id: &str,
        page: &mut Page,
        versions: &HashMap<String, String>,
    ) -> Result<(), SourceFailure> {
        let key = key_of(id);
        let path = format!("events/{}?{OF_A_SERIES}", segment(id));
        let Some(event) = self.fetch(&path, &key, page, versions).await? else {
            return Ok(());
        };
        self.lock_told().insert(id.to_owned());
        // A change of an exception need not be one of its series: what the series consists of is its version.
        let read = series(&page.scope, &event, self.now);
        let version = read.as_ref().map(version_of_records).unwrap_or_default();
        match versions.get(&key) == Some(&version) {
            true => keep(page, key),
            false => self.put(page, key, version, read, versions),
        }
        Ok(())
    }

    /// An event by itself; where it has gone, or is too long, the page says so.
    async fn fetch(
        &self,
        path: &str,
        key: &str,
        page: &mut Page,
        versions: &HashMap<String, String>,
    ) -> Result<Option<GraphObject>, SourceFailure> {
        match self.client.of_mine(path).await {
            Err(gone) if gone.kind == FailureKind::NotFound => {
                page.changes.push(ItemChange::Remove {
                    key: key.to_owned(),
                });
                Ok(None)
            }
            Err(long) if long.kind == FailureKind::TooLarge => {
                skip(
                    page,
                    key.to_owned(),
                    long.message,
                    versions.contains_key(key),
                );
                Ok(None)
            }
            event => event.map(Some),
        }
    }

    fn put(
        &self,
        page: &mut Page,
        key: String,
        version: String,
        read: Result<EventRecords, String>,
        versions: &HashMap<String, String>,
    ) {
        let mut read = match read {
            Ok(read) => read,
            Err(reason) => {
                let is_stored = versions.contains_key(&key);
                return skip(page, key, reason, is_stored);
            }
        };
        if read.is_partly_unread {
            page.skipped.push(SkippedItem {
                key: key.clone(),
                reason: "a part of it cannot be read".to_owned(),
            });
        }
        if let Some(calendar) = self.calendars.get(&page.scope) {
            for record in &mut read.records {
                record
                    .fields
                    .insert("calendar".to_owned(), calendar.clone());
            }
        }
        page.changes.push(ItemChange::Put(SourceItem {
            key,
            version,
            at: read.at,
            holds: None,
            records: read.records,
        }));
    }
}

#[async_trait]
impl GraphItems for CalendarItems {
    fn page_items(&self) -> usize {
        GRAPH_EVENTS_LOT
    }

    /// The window stands in Graph's link and does not move by itself.
    fn pass_due(&self, position: &GraphPosition, request: &RoundRequest) -> bool {
        let told = position.told.filter(|_| position.pass.is_none());
        told.is_some_and(|told| request.now - told.begun_at >= days(GRAPH_VIEW_AGE))
    }

    fn pass(&self, request: &RoundRequest) -> GraphPass {
        let usual = request.now - days(GRAPH_VIEW_BACK);
        let first = request.now - days(GRAPH_VIEW_BACK_MAX);
        GraphPass {
            begun_at: request.now,
            since: Some(request.since.unwrap_or(usual).max(first)),
        }
    }

    /// A day more than is judged: a whole day has no zone, the window has one.
    fn first_link(&self, scope: &str, reading: ReadingDepth, pass: GraphPass) -> String {
        let since = pass.since.unwrap_or(pass.begun_at) - Duration::days(1);
        let [from, to] = [since, pass.begun_at + days(GRAPH_VIEW_AHEAD)]
            .map(|at| at.to_rfc3339_opts(SecondsFormat::Secs, true));
        let delta = match reading {
            ReadingDepth::Plain => "",
            ReadingDepth::Usual | ReadingDepth::Light => "/delta",
        };
        let view = format!("calendars/{}/calendarView{delta}", segment(scope));
        address_of_mine(&format!("{view}?startDateTime={from}&endDateTime={to}"))
    }

    fn when_too_long(&self) -> Option<ReadingDepth> {
        None
    }

    async fn tell(
        &self,
        listed: Vec<ListedObject>,
        page: &mut Page,
        known: &dyn KnownItems,
    ) -> Result<(), SourceFailure> {
        let keys: Vec<_> = listed.iter().map(|one| key_of(one.id())).collect();
        let mut versions = known.versions(&page.scope, &keys).await?;
        let sorted = {
            let told = self.lock_told();
            SortedPage::of(listed, &versions, &told)
        };
        let series: Vec<_> = sorted.series.iter().map(|id| key_of(id)).collect();
        versions.extend(known.versions(&page.scope, &series).await?);
        for id in &sorted.removed {
            page.changes.push(ItemChange::Remove { key: key_of(id) });
        }
        for event in sorted.singles {
            self.tell_single(event, page, &versions).await?;
        }
        for id in &sorted.series {
            self.tell_series(id, page, &versions).await?;
        }
        for (id, series) in sorted.occurrences {
            tell_occurrence(&id, &series, page, &versions);
        }
        Ok(())
    }
}

fn version_of_records(read: &EventRecords) -> String {
    let records = read.records.iter();
    let records = records.map(|record| {
        let mut fields = record.fields.clone();
        // What Graph counts besides may change while nothing else does.
        fields.remove("raw");
        Value::from(vec![
            Value::from(record.source_id.as_str()),
            Value::Object(fields),
        ])
    });
    digest(Value::from(records.collect::<Vec<_>>()).to_string())
}

fn days(duration: std::time::Duration) -> Duration {
    Duration::from_std(duration).unwrap_or(Duration::MAX)
}
