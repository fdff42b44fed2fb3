//! Calendars and contacts: after each round the store holds what an independent client lists.

mod hostile;
mod identity;
mod kills;
mod lists;
mod rounds;
mod stage;
mod trial;
mod windows;

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use serde_json::{Value, json};
use sextant_connectors::dav::{DavFeed, DavKind};
use sextant_connectors::failure::SourceFailure;
use sextant_connectors::secret::SourceSecret;

use crate::support::dav_server::{DavServer, PASSWORD, USER};
use crate::support::store::Store;

/// A server and what is stored of it.
struct World {
    server: DavServer,
    kind: DavKind,
    store: Store,
    rounds: i64,
}

impl World {
    fn new(server: DavServer, kind: DavKind) -> Self {
        Self {
            server,
            kind,
            store: Store::default(),
            rounds: 0,
        }
    }

    fn feed(&self, password: &str) -> DavFeed {
        let (guard, start) = (self.server.guard(), self.server.typed());
        DavFeed::new(self.kind, guard, start, USER, &SourceSecret::new(password)).unwrap()
    }

    fn now(&mut self) -> DateTime<Utc> {
        self.rounds += 1;
        minutes(self.rounds)
    }

    /// A round; returns the keys of the items that changed, in order.
    async fn sync(&mut self) -> Vec<String> {
        self.try_sync(usize::MAX).await.unwrap();
        let mut changed = self.store.changed.clone();
        changed.sort();
        changed
    }

    async fn try_sync(&mut self, pages_max: usize) -> Result<(), SourceFailure> {
        let (feed, now) = (self.feed(PASSWORD), self.now());
        self.store.sync_pages(&feed, now, pages_max).await
    }

    /// The store holds what the server does.
    fn assert_equal(&self) {
        let kind = match self.kind {
            DavKind::Calendar => "calendar",
            DavKind::Contacts => "contacts",
        };
        assert_eq!(stored(&self.store), sorted(self.server.listing(kind)));
    }
}

fn minutes(count: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + Duration::days(20_000) + Duration::minutes(count)
}

/// By collection and resource: uid, title, whether it is an exception.
fn stored(store: &Store) -> Value {
    let mut collections = BTreeMap::new();
    for ((scope, key), item) in &store.items {
        if let Some(held) = &item.holds {
            collections
                .entry(held.clone())
                .or_insert_with(BTreeMap::new);
            continue;
        }
        let told = item.records.iter().map(|record| {
            let text = |name: &str| record.fields.get(name).cloned();
            let title = text("title")
                .or_else(|| text("full_name"))
                .or_else(|| text("name"));
            json!([text("uid"), title, text("recurrence_id").is_some()])
        });
        let collection = collections
            .entry(scope.clone())
            .or_insert_with(BTreeMap::new);
        collection.insert(key.clone(), told.collect::<Vec<_>>());
    }
    sorted(json!(collections))
}

/// The parts of a resource have no order.
fn sorted(mut collections: Value) -> Value {
    let resources = collections.as_object_mut().unwrap().values_mut();
    for resource in resources.flat_map(|one| one.as_object_mut().unwrap().values_mut()) {
        let parts = resource.as_array_mut().unwrap();
        parts.sort_by_key(Value::to_string);
    }
    collections
}

/// A calendar with one event, weekly if `rule` says so, and what else stands beside it.
fn event(uid: &str, title: &str, more: &str) -> String {
    calendar(&format!(
        "BEGIN:VEVENT\r\nUID:{uid}\r\nDTSTAMP:20260101T000000Z\r\nDTSTART;TZID=Europe/Berlin:20260105T090000\r\n\
        DURATION:PT1H\r\nSUMMARY:{title}\r\n{more}END:VEVENT\r\n"
    ))
}

fn calendar(components: &str) -> String {
    format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\n{BERLIN}{components}END:VCALENDAR\r\n"
    )
}

const BERLIN: &str = "BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nBEGIN:STANDARD\r\nDTSTART:19961027T030000\r\n\
    RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\n\
    BEGIN:DAYLIGHT\r\nDTSTART:19810329T020000\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\r\n\
    TZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\n";

/// A weekly event, of which one occurrence is moved.
fn series_with_exception(uid: &str) -> String {
    let rule = "RRULE:FREQ=WEEKLY;COUNT=5\r\n";
    let exception = format!(
        "END:VEVENT\r\nBEGIN:VEVENT\r\nUID:{uid}\r\nDTSTAMP:20260101T000000Z\r\n\
        RECURRENCE-ID;TZID=Europe/Berlin:20260112T090000\r\nDTSTART;TZID=Europe/Berlin:20260112T110000\r\n\
        DURATION:PT1H\r\nSUMMARY:moved\r\n"
    );
    event(uid, "weekly", &format!("{rule}{exception}"))
}

fn card(uid: &str, name: &str) -> String {
    format!(
        "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:{uid}\r\nFN:{name}\r\nN:{name};;;;\r\n\
        EMAIL;TYPE=INTERNET:{uid}@me.test\r\nEND:VCARD\r\n"
    )
}
