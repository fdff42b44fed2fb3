//! Microsoft Graph: the account of one person in collections that keep count of their changes, pages, and tokens that can be
//! forgotten.

pub mod answers;
mod window;

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value, json};

use super::bearers::Bearers;
use super::contracts::Contract;
use super::faults::Faults;
use super::{Account, wire};

/// Where the links of answers lead: absolute addresses.
pub const ROOT: &str = "https://graph.microsoft.com/v1.0/me";

/// What one account has.
pub struct Graph {
    revision: u64,
    /// How often it forgot its tokens: those of before are none any more.
    pub age: u64,
    pub page_items: usize,
    pub bearers: Bearers,
    /// Whether who asks must ask as this service does: with a token, and for ids that stay.
    pub is_strict: bool,
    /// Scopes that were granted.
    pub scopes: Vec<&'static str>,
    /// The last page of a delta query over items leads to its first.
    pub is_endless: bool,
    /// Where the links of answers lead.
    pub links_to: String,
    pub faults: Faults,
    collections: BTreeMap<String, BTreeMap<String, Entry>>,
    /// Objects that are asked for one by one, by their path.
    pub singles: HashMap<String, Value>,
    /// Paths and queries that came.
    pub requests: Vec<String>,
}

#[derive(Default)]
struct Entry {
    revision: u64,
    /// The last revision that changed more than the marks.
    whole_revision: u64,
    /// None: it was there once.
    object: Option<Map<String, Value>>,
    /// All that it was before: a view that has shown it tells that it shows it no more.
    before: Vec<Map<String, Value>>,
}

impl Entry {
    fn turn_into(&mut self, object: Option<Map<String, Value>>, revision: u64) {
        self.before.extend(self.object.take());
        (self.revision, self.whole_revision, self.object) = (revision, revision, object);
    }
}

impl Default for Graph {
    fn default() -> Self {
        Self {
            revision: 0,
            age: 0,
            page_items: 3,
            bearers: Bearers::default(),
            is_strict: true,
            scopes: vec!["Mail.Read", "Calendars.Read", "Contacts.Read"],
            is_endless: false,
            links_to: ROOT.to_owned(),
            faults: Faults::default(),
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
        let revision = self.revision;
        let entry = self.entries(collection).entry(id).or_default();
        entry.turn_into(Some(object), revision);
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
            entry.turn_into(None, revision);
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
}

impl Account for Graph {
    fn contract(&self, _target: &str) -> Contract {
        Contract::Graph
    }

    fn faults(&mut self) -> &mut Faults {
        &mut self.faults
    }

    fn answer(&mut self, request: &str) -> Vec<u8> {
        self.route(request)
    }

    fn note(&mut self, request: &str, _answer: &[u8]) {
        self.requests.push(wire::target(request).to_owned());
    }
}
