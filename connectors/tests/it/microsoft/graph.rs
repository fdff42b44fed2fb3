//! A stand-in for Microsoft Graph, as its documents describe it: collections that keep count of their changes, pages, tokens that
//! can be forgotten, and every kind of trouble that a test asks for.

use std::collections::{BTreeMap, HashMap};

use reqwest::Url;
use serde_json::{Map, Value, json};

pub const ROOT: &str = "https://graph.microsoft.com/v1.0/me";

/// What one account has.
pub struct Graph {
    revision: u64,
    /// How often it forgot its tokens: those of before are none any more.
    pub age: u64,
    pub page_items: usize,
    /// The bearer token that is taken.
    pub token: String,
    /// Whether who asks must ask as this service does.
    pub is_strict: bool,
    /// Whether the scope of these paths was granted.
    pub refused: Option<&'static str>,
    /// Pages of a delta query over a calendar's view never end.
    pub is_endless: bool,
    /// Where the links of answers lead.
    pub links_to: String,
    /// What is answered instead, once each, in this order.
    pub troubles: Vec<Trouble>,
    collections: BTreeMap<String, BTreeMap<String, Entry>>,
    /// Objects that are asked for one by one, by their path.
    pub singles: HashMap<String, Value>,
    /// Every request line that came, without host.
    pub requests: Vec<String>,
}

/// An answer that is none.
#[derive(Clone)]
pub struct Trouble {
    pub head: &'static str,
    pub body: &'static str,
    /// Only for requests whose line has this in it.
    pub on: &'static str,
}

struct Entry {
    revision: u64,
    /// The last revision that changed more than the marks.
    whole_revision: u64,
    /// None: it was there once.
    object: Option<Map<String, Value>>,
}

impl Default for Graph {
    fn default() -> Self {
        Self {
            revision: 0,
            age: 0,
            page_items: 3,
            token: "first token".to_owned(),
            is_strict: true,
            refused: None,
            is_endless: false,
            links_to: ROOT.to_owned(),
            troubles: Vec::new(),
            collections: BTreeMap::new(),
            singles: HashMap::new(),
            requests: Vec::new(),
        }
    }
}

impl Graph {
    /// Puts an object into a collection, which its path below the person names.
    pub fn put(&mut self, collection: &str, object: Value) {
        self.revision += 1;
        let Value::Object(mut object) = object else {
            panic!("an object");
        };
        let id = object["id"].as_str().unwrap().to_owned();
        object.insert(
            "@odata.etag".to_owned(),
            json!(format!("W/\"{}\"", self.revision)),
        );
        let entry = Entry {
            revision: self.revision,
            whole_revision: self.revision,
            object: Some(object),
        };
        self.entries(collection).insert(id, entry);
    }

    /// Changes a mark of an object; only that is told.
    pub fn mark(&mut self, collection: &str, id: &str, name: &str, value: Value) {
        self.revision += 1;
        let revision = self.revision;
        let Some(entry) = self.entries(collection).get_mut(id) else {
            return;
        };
        if let Some(object) = &mut entry.object {
            object.insert(name.to_owned(), value);
            object.insert("@odata.etag".to_owned(), json!(format!("W/\"{revision}\"")));
            entry.revision = revision;
        }
    }

    pub fn remove(&mut self, collection: &str, id: &str) {
        self.revision += 1;
        let revision = self.revision;
        if let Some(entry) = self.entries(collection).get_mut(id) {
            *entry = Entry {
                revision,
                whole_revision: revision,
                object: None,
            };
        }
    }

    /// What is there, by its ids.
    pub fn there(&self, collection: &str) -> BTreeMap<String, Map<String, Value>> {
        let entries = self.collections.get(collection).into_iter().flatten();
        entries
            .filter_map(|(id, entry)| Some((id.clone(), entry.object.clone()?)))
            .collect()
    }

    fn entries(&mut self, collection: &str) -> &mut BTreeMap<String, Entry> {
        self.collections.entry(collection.to_owned()).or_default()
    }

    /// Answers a request.
    pub fn answer(&mut self, request: &str) -> Vec<u8> {
        let line = request.lines().next().unwrap().to_owned();
        let target = line.split(' ').nth(1).unwrap().to_owned();
        self.requests.push(target.clone());
        assert!(line.starts_with("GET /v1.0/me/"), "{line}");
        let head = request
            .split("\r\n\r\n")
            .next()
            .unwrap()
            .to_ascii_lowercase();
        let is_immutable = head.contains("idtype=\"immutableid\"");
        assert!(is_immutable || !self.is_strict, "{head}");
        if let Some(at) = self.troubles.iter().position(|one| target.contains(one.on)) {
            let trouble = self.troubles.remove(at);
            return answer(trouble.head, trouble.body);
        }
        let bearer = format!("authorization: bearer {}", self.token.to_ascii_lowercase());
        if self.is_strict && !head.lines().any(|line| line == bearer) {
            return refusal("401 Unauthorized", "InvalidAuthenticationToken");
        }
        let url = Url::parse(&format!("https://graph.microsoft.com{target}")).unwrap();
        let path = unescaped(url.path().strip_prefix("/v1.0/me/").unwrap());
        if self
            .refused
            .is_some_and(|refused| path.starts_with(refused))
        {
            return refusal("403 Forbidden", "ErrorAccessDenied");
        }
        if let Some(forgotten) = self.forgotten(&url) {
            return forgotten;
        }
        match self.find(&path, &url) {
            Some(found) => answer("200 OK", &found.to_string()),
            None => refusal("404 Not Found", "ErrorItemNotFound"),
        }
    }

    fn find(&mut self, path: &str, url: &Url) -> Option<Value> {
        let delta = path
            .strip_suffix("/delta")
            .or(path.strip_suffix("/delta()"));
        if let Some(collection) = delta {
            return Some(self.delta(collection, url));
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
        self.list(path, url)
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
    fn list(&self, collection: &str, url: &Url) -> Option<Value> {
        self.collections.get(collection)?;
        let objects: Vec<_> = self.there(collection).into_values().collect();
        // Series stand in no plain view, only their occurrences.
        let is_told = |object: &Map<String, Value>| {
            object.get("type").and_then(Value::as_str) != Some("seriesMaster")
        };
        let objects: Vec<_> = objects.into_iter().filter(is_told).collect();
        let skipped: usize = parameter(url, "$skip").map_or(0, |skip| skip.parse().unwrap());
        let page: Vec<_> = objects.iter().skip(skipped).take(self.page_items).collect();
        let told = skipped + page.len();
        let mut answer = json!({"value": page});
        if told < objects.len() {
            let link = format!("{}/{collection}?$skip={told}", self.links_to);
            answer["@odata.nextLink"] = json!(link);
        }
        Some(answer)
    }

    fn delta(&mut self, collection: &str, url: &Url) -> Value {
        let token = parameter(url, "$skiptoken").or(parameter(url, "$deltatoken"));
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
        let entries = self.collections.get(collection).into_iter().flatten();
        // Who asks for everything is told what there is, not what there was.
        let mut changed: Vec<_> = entries
            .filter(|(_, entry)| entry.revision > from && (entry.object.is_some() || from > 0))
            .collect();
        changed.sort_unstable_by_key(|(_, entry)| entry.revision);
        let is_cut = changed.len() > self.page_items;
        changed.truncate(self.page_items);
        let to = changed
            .last()
            .map_or(self.revision, |(_, entry)| entry.revision);
        let value: Vec<_> = changed
            .into_iter()
            .map(|(id, entry)| {
                let mut told = told_entry(id, entry, changes_only && entry.whole_revision <= from);
                if is_short && let Some(told) = told.as_object_mut() {
                    told.remove("body");
                }
                told
            })
            .collect();
        let short = if is_short { "-short" } else { "" };
        let link = |kind: &str, revision| {
            let (root, age) = (&self.links_to, self.age);
            format!("{root}/{collection}/delta?${kind}={age}-{revision}{short}")
        };
        if self.is_endless && collection.ends_with("calendarView") {
            return json!({"value": value, "@odata.nextLink": link("skiptoken", from)});
        }
        match is_cut {
            true => json!({"value": value, "@odata.nextLink": link("skiptoken", to)}),
            false => json!({"value": value, "@odata.deltaLink": link("deltatoken", self.revision)}),
        }
    }

    /// That a token is none any more: half of the time as 410, else as 400 with a code.
    fn forgotten(&self, url: &Url) -> Option<Vec<u8>> {
        let token = parameter(url, "$skiptoken").or(parameter(url, "$deltatoken"))?;
        let age = token.split('-').next().unwrap().parse::<u64>().unwrap();
        if age == self.age {
            return None;
        }
        Some(match self.age % 2 {
            0 => refusal("410 Gone", "resyncRequired"),
            _ => refusal("400 Bad Request", "SyncStateNotFound"),
        })
    }
}

fn told_entry(id: &str, entry: &Entry, is_marks_only: bool) -> Value {
    let Some(object) = &entry.object else {
        return json!({"id": id, "@removed": {"reason": "deleted"}});
    };
    let marks = ["id", "@odata.etag", "isRead", "flag"];
    let told = object.iter();
    let told = told.filter(|(name, _)| !is_marks_only || marks.contains(&name.as_str()));
    Value::Object(
        told.map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
    )
}

fn parameter(url: &Url, name: &str) -> Option<String> {
    let mut pairs = url.query_pairs();
    let found = pairs.find(|(own, _)| own == name)?;
    Some(found.1.into_owned())
}

fn unescaped(path: &str) -> String {
    let mut query = Url::parse("https://x.test/").unwrap();
    query.set_query(Some(&format!("p={}", path.replace('+', "%2B"))));
    parameter(&query, "p").unwrap()
}

pub fn answer(head: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {head}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
        .into_bytes()
}

/// An error as Graph tells it, with a sentence that nobody may repeat.
fn refusal(head: &str, code: &str) -> Vec<u8> {
    let body = json!({"error": {
        "code": code, "message": "private words",
        "innerError": {"date": "2026-01-01T00:00:00", "request-id": "r-1", "client-request-id": "r-1"},
    }});
    answer(head, &body.to_string())
}
