//! What is answered to a request.

use reqwest::Url;
use serde_json::{Map, Value, json};

use super::window::{Shown, Window};
use super::{Entry, Graph, wire};

impl Graph {
    pub(super) fn route(&mut self, request: &str) -> Vec<u8> {
        let url = wire::address(request);
        assert!(request.starts_with("GET /v1.0/me/"), "{request}");
        let is_immutable = request
            .to_ascii_lowercase()
            .contains("idtype=\"immutableid\"");
        assert!(is_immutable || !self.is_strict, "{request}");
        if self.is_strict && !self.bearers.take(request) {
            return refusal(401, "InvalidAuthenticationToken");
        }
        let path = wire::unescaped(url.path().strip_prefix("/v1.0/me/").unwrap());
        if !self.scopes.contains(&scope_of(&path)) {
            return refusal(403, "ErrorAccessDenied");
        }
        if let Some(forgotten) = self.forgotten(&url) {
            return forgotten;
        }
        let window = Window::of(&url, token_of(&url).as_deref());
        if path.contains("calendarView") && window.is_none() {
            return refusal(400, "ErrorInvalidParameter");
        }
        match self.find(&path, &url, window) {
            Some(found) => wire::json(200, "", &found),
            None => refusal(404, "ErrorItemNotFound"),
        }
    }

    fn find(&mut self, path: &str, url: &Url, window: Option<Window>) -> Option<Value> {
        let delta = path
            .strip_suffix("/delta")
            .or(path.strip_suffix("/delta()"));
        if let Some(collection) = delta {
            return Some(self.delta(collection, url, window));
        }
        if let Some(single) = self.singles.get(path) {
            return Some(single.clone());
        }
        if let Some((collection, id)) = path.rsplit_once('/')
            && let Some(object) = self.object(collection, id)
        {
            return Some(Value::Object(object));
        }
        if path.ends_with("/attachments") {
            return Some(json!({"value": []}));
        }
        self.list(path, url, window)
    }

    /// An object by its id alone is one of any collection of its kind.
    fn object(&self, kind: &str, id: &str) -> Option<Map<String, Value>> {
        // Events are told by views of calendars.
        let kind = if kind == "events" {
            "calendarView"
        } else {
            kind
        };
        let mut of_kind = self.collections.iter();
        let found = of_kind.find_map(|(name, entries)| {
            let is_of_kind = name == kind || name.ends_with(&format!("/{kind}"));
            entries.get(id).filter(|_| is_of_kind)?.object.clone()
        })?;
        Some(found)
    }

    /// A list that tells no changes: its pages are counted from its beginning.
    fn list(&self, collection: &str, url: &Url, window: Option<Window>) -> Option<Value> {
        self.collections.get(collection)?;
        let objects = self.there(collection);
        let shown = Shown::new(window, objects.values());
        // Series stand in no plain view, only their occurrences.
        let is_told = |object: &Map<String, Value>| {
            object.get("type").and_then(Value::as_str) != Some("seriesMaster")
        };
        let objects = objects.values().filter(|object| shown.has(object));
        let objects: Vec<_> = objects.filter(|object| is_told(object)).collect();
        let skipped: usize = parameter(url, "$skip").map_or(0, |skip| skip.parse().unwrap());
        let page: Vec<_> = objects.iter().skip(skipped).take(self.page_items).collect();
        let told = skipped + page.len();
        let mut answer = json!({"value": page});
        if told < objects.len() {
            let window = window.map(Window::in_link).unwrap_or_default();
            let link = format!("{}/{collection}?{window}$skip={told}", self.links_to);
            answer["@odata.nextLink"] = json!(link);
        }
        Some(answer)
    }

    fn delta(&mut self, collection: &str, url: &Url, window: Option<Window>) -> Value {
        let token = token_of(url);
        let from: u64 = token
            .as_ref()
            .map_or(0, |token| token.split('-').nth(1).unwrap().parse().unwrap());
        let changes_only = url
            .query()
            .is_some_and(|query| query.contains("deltatoken"));
        let selected = parameter(url, "$select");
        let is_short = match (&token, selected) {
            (Some(token), _) => token.ends_with("-short"),
            (None, selected) => selected.is_some_and(|names| !names.contains("body")),
        };
        let entries = || self.collections.get(collection).into_iter().flatten();
        let objects = entries().flat_map(|(_, entry)| entry.before.iter().chain(&entry.object));
        let shown = Shown::new(window, objects);
        // Who asks for everything is told what is shown, not what was.
        let is_told = |entry: &Entry| {
            let was_shown = || from > 0 && entry.before.iter().any(|object| shown.has(object));
            entry
                .object
                .as_ref()
                .is_some_and(|object| shown.has(object))
                || was_shown()
        };
        let changed = entries().filter(|(_, entry)| entry.revision > from && is_told(entry));
        let mut changed: Vec<_> = changed.collect();
        changed.sort_unstable_by_key(|(_, entry)| entry.revision);
        let is_cut = changed.len() > self.page_items;
        changed.truncate(self.page_items);
        let to = changed
            .last()
            .map_or(self.revision, |(_, entry)| entry.revision);
        let value: Vec<_> = changed
            .into_iter()
            .map(|(id, entry)| {
                let is_marks_only = changes_only && entry.whole_revision <= from;
                let mut told = told_entry(id, entry, &shown, is_marks_only);
                if is_short && let Some(told) = told.as_object_mut() {
                    told.remove("body");
                }
                told
            })
            .collect();
        let window = window.map(Window::in_token).unwrap_or_default();
        let short = if is_short { "-short" } else { "" };
        let link = |kind: &str, revision| {
            let (root, age) = (&self.links_to, self.age);
            format!("{root}/{collection}/delta?${kind}={age}-{revision}{window}{short}")
        };
        let leads_back = self.is_endless && !collection.ends_with("Folders");
        match (is_cut, leads_back) {
            (true, _) => json!({"value": value, "@odata.nextLink": link("skiptoken", to)}),
            (false, true) => json!({"value": value, "@odata.nextLink": link("skiptoken", 0)}),
            (false, false) => {
                json!({"value": value, "@odata.deltaLink": link("deltatoken", self.revision)})
            }
        }
    }

    /// That a token is none any more: half of the time as 410, else as 400 with a code.
    fn forgotten(&self, url: &Url) -> Option<Vec<u8>> {
        let token = token_of(url)?;
        let age = token.split('-').next().unwrap().parse::<u64>().unwrap();
        if age == self.age {
            return None;
        }
        Some(match self.age % 2 {
            0 => refusal(410, "resyncRequired"),
            _ => refusal(400, "SyncStateNotFound"),
        })
    }
}

fn scope_of(path: &str) -> &'static str {
    match path {
        path if path.starts_with("mail") || path.starts_with("messages") => "Mail.Read",
        path if path.starts_with("contact") => "Contacts.Read",
        _ => "Calendars.Read",
    }
}

fn told_entry(id: &str, entry: &Entry, shown: &Shown, is_marks_only: bool) -> Value {
    let object = match &entry.object {
        Some(object) if shown.has(object) => object,
        there => {
            let reason = if there.is_some() {
                "changed"
            } else {
                "deleted"
            };
            return json!({"id": id, "@removed": {"reason": reason}});
        }
    };
    let marks = ["id", "@odata.etag", "isRead", "flag"];
    let told = object.iter();
    let told = told.filter(|(name, _)| !is_marks_only || marks.contains(&name.as_str()));
    Value::Object(
        told.map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
    )
}

/// Where changes are asked for from.
fn token_of(url: &Url) -> Option<String> {
    parameter(url, "$skiptoken").or(parameter(url, "$deltatoken"))
}

pub(super) fn parameter(url: &Url, name: &str) -> Option<String> {
    let mut pairs = url.query_pairs();
    let found = pairs.find(|(own, _)| own == name)?;
    Some(found.1.into_owned())
}

/// An error as Graph tells it, with a sentence that nobody may repeat.
pub fn refusal(status: u16, code: &str) -> Vec<u8> {
    let body = json!({"error": {
        "code": code, "message": "private words",
        "innerError": {"date": "2026-01-01T00:00:00", "request-id": "r-1", "client-request-id": "r-1"},
    }});
    wire::json(status, "", &body)
}
