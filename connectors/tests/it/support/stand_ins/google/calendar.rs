//! A calendar, by the rules of Calendar's discovery document: lists in pages, tokens of lists, deletions.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::agenda::{at, event, instance};
use super::{Answer, Asked, refused};

/// A calendar of the list.
#[derive(Default)]
pub struct Calendar {
    pub entry: Map<String, Value>,
    revision: usize,
    /// By id, the revision of the last change and the event; a deleted one is cancelled.
    events: BTreeMap<String, (usize, Value)>,
    /// How often its tokens were forgotten.
    age: usize,
    /// Its owner has taken it away.
    pub is_withdrawn: bool,
}

impl Calendar {
    /// One with nothing in it, by its entry in the list.
    pub(super) fn new(entry: &Map<String, Value>) -> Self {
        Self {
            entry: entry.clone(),
            ..Self::default()
        }
    }

    /// Puts an event there, or changes it.
    pub fn put(&mut self, id: &str, event: Value) {
        let mut event = event;
        self.revision += 1;
        event["id"] = json!(id);
        event["kind"] = json!("calendar#event");
        event["status"] = json!("confirmed");
        event["etag"] = json!(format!("\"{}\"", self.revision));
        if event.get("iCalUID").is_none() {
            event["iCalUID"] = json!(format!("{}@google.com", id.split('_').next().unwrap()));
        }
        self.events.insert(id.to_owned(), (self.revision, event));
    }

    /// Moves an instance of a series, which becomes an exception.
    pub fn except(&mut self, master: &str, day: usize, title: &str) {
        let (start, end) = (at(day + 1), at(day + 1));
        let event = json!({
            "summary": title, "start": start, "end": end, "recurringEventId": master, "originalStartTime": at(day),
        });
        self.put(&instance(master, day), event);
    }

    /// Takes an instance from a series: only three fields are certain to be told of it.
    pub fn take(&mut self, master: &str, day: usize) {
        let id = instance(master, day);
        let event = json!({
            "id": id, "status": "cancelled", "recurringEventId": master, "originalStartTime": at(day),
        });
        self.revision += 1;
        self.events.insert(id, (self.revision, event));
    }

    /// Deletes an event, or a series with all its parts.
    pub fn delete(&mut self, id: &str, tells_parts: bool) {
        let parts: Vec<_> = self
            .parts(id)
            .into_iter()
            .filter(|part| part != id)
            .collect();
        for part in parts {
            match tells_parts {
                true => self.cancel(&part),
                false => drop(self.events.remove(&part)),
            }
        }
        self.cancel(id);
    }

    /// Ends a series: its first event stays, alone.
    pub fn make_single(&mut self, id: &str, title: &str) {
        for part in self.parts(id) {
            let (_, event) = self.events.get_mut(&part).unwrap();
            if part != id {
                event["status"] = json!("cancelled");
                self.revision += 1;
                self.events.get_mut(&part).unwrap().0 = self.revision;
            }
        }
        self.put(id, event(title));
    }

    /// Whether an event is there and has a rule.
    pub fn repeats(&self, id: &str) -> bool {
        let found = self.events.get(id);
        found.is_some_and(|(_, event)| event.get("recurrence").is_some())
    }

    fn parts(&self, id: &str) -> Vec<String> {
        let is_part = |event: &Value| event["recurringEventId"] == id || event["id"] == id;
        let parts = self.events.iter().filter(|(_, (_, event))| is_part(event));
        parts.map(|(part, _)| part.clone()).collect()
    }

    /// Cancels an event: of an exception its instance is told as taken away.
    pub fn cancel(&mut self, id: &str) {
        if let Some((revision, event)) = self.events.get_mut(id) {
            self.revision += 1;
            *revision = self.revision;
            *event = match event.get("recurringEventId") {
                Some(master) => json!({
                    "id": id, "status": "cancelled", "recurringEventId": master, "originalStartTime": event["originalStartTime"],
                }),
                None => json!({"id": id, "status": "cancelled"}),
            };
        }
    }

    /// Forgets its tokens.
    pub fn forget(&mut self) {
        self.age += 1;
    }

    pub(super) fn get(&self, event: &str) -> Answer {
        let found = self.events.get(event);
        let (_, event) = found.ok_or_else(|| refused(404, "notFound", "Not Found"))?;
        Ok(event.clone())
    }

    /// A list of everything, of changes, or of one UID; each page says from which revision the next goes on.
    pub(super) fn list(&self, asked: &Asked, page_max: usize) -> Answer {
        let sync = asked.get("syncToken");
        if sync.is_some() && asked.get("iCalUID").is_some() {
            return Err(refused(
                400,
                "badRequest",
                "Sync token cannot be used with the requested ordering.",
            ));
        }
        let since = match sync.as_ref().map(|token| token.split_once('-').unwrap()) {
            Some((age, _)) if age != self.age.to_string() => {
                let message = "Sync token is no longer valid, a full sync is required.";
                return Err(refused(410, "fullSyncRequired", message));
            }
            Some((_, revision)) => revision.parse().unwrap(),
            None => 0,
        };
        let (begun, from): (usize, usize) = match asked.get("pageToken") {
            Some(token) => {
                let (begun, from) = token.split_once('/').unwrap();
                (begun.parse().unwrap(), from.parse().unwrap())
            }
            None => (self.revision, since),
        };
        let uid = asked.get("iCalUID");
        let is_of_uid = |event: &Value| match &uid {
            Some(uid) => event["iCalUID"] == **uid || self.uid_of_master(event) == Some(uid),
            None => true,
        };
        let is_wanted =
            |event: &Value| is_of_uid(event) && (sync.is_some() || self.is_there(event));
        let mut found: Vec<_> = self
            .events
            .values()
            .filter(|(revision, event)| *revision > from && is_wanted(event))
            .collect();
        found.sort_by_key(|(revision, _)| *revision);
        let is_cut = found.len() > page_max;
        found.truncate(page_max);
        let last = found.last().map_or(from, |(revision, _)| *revision);
        let items: Vec<_> = found.into_iter().map(|(_, event)| event.clone()).collect();
        let mut answer = json!({
            "kind": "calendar#events", "etag": "\"p\"", "summary": self.entry["summary"],
            "timeZone": self.entry["timeZone"], "accessRole": "owner",
            "defaultReminders": self.entry["defaultReminders"], "items": items,
        });
        match is_cut {
            true => answer["nextPageToken"] = json!(format!("{begun}/{last}")),
            false => answer["nextSyncToken"] = json!(format!("{}-{begun}", self.age)),
        }
        Ok(answer)
    }

    fn uid_of_master(&self, event: &Value) -> Option<&str> {
        let (_, master) = self.events.get(event["recurringEventId"].as_str()?)?;
        master["iCalUID"].as_str()
    }

    /// Cancelled instances of what is there are listed, other cancelled events are not.
    fn is_there(&self, event: &Value) -> bool {
        let master = event["recurringEventId"].as_str();
        let master = master.and_then(|master| self.events.get(master));
        let master_is_there = master.is_some_and(|(_, master)| master["status"] != "cancelled");
        event["status"] != "cancelled" || master_is_there
    }

    /// What a store is to hold: by series, each part's title and how many instances were taken from it.
    pub fn expected(&self) -> BTreeMap<String, BTreeMap<String, (String, usize)>> {
        let mut all: BTreeMap<String, BTreeMap<String, (String, usize)>> = BTreeMap::new();
        for (_, event) in self
            .events
            .values()
            .filter(|(_, event)| event["status"] != "cancelled")
        {
            let id = event["id"].as_str().unwrap();
            let (master, part) = match event["recurringEventId"].as_str() {
                Some(master) => {
                    let day = &id[master.len() + 7..master.len() + 9];
                    (master, format!("{master}#2026-01-{day}T08:00:00Z"))
                }
                None => (id, id.to_owned()),
            };
            let taken = match event.get("recurrence") {
                Some(_) => self.taken(id),
                None => 0,
            };
            let title = event["summary"].as_str().unwrap().to_owned();
            let parts = all.entry(master.to_owned()).or_default();
            parts.insert(part, (title, taken));
        }
        all
    }

    fn taken(&self, master: &str) -> usize {
        let events = self.events.values();
        let taken = events
            .filter(|(_, one)| one["recurringEventId"] == master && one["status"] == "cancelled");
        taken.count()
    }
}
