//! Requests a bundle and unpacks it.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use reqwest::{Method, Response};
use serde_json::Value;
use sextant::export::bundle::check;
use sextant::export::manifest::Manifest;
use zip::ZipArchive;

use crate::support::TestApp;

pub struct Bundle {
    pub manifest: Manifest,
    pub entries: BTreeMap<String, Vec<u8>>,
    /// In the order of the file.
    pub order: Vec<String>,
}

/// The answer once its head has arrived, when its snapshot has been taken.
pub async fn begin_export(app: &TestApp, query: &str) -> Response {
    let request = app.request(Method::GET, &format!("/api/export{query}"));
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), 200);
    answer
}

impl Bundle {
    pub async fn of(app: &TestApp, query: &str) -> Self {
        Self::read(begin_export(app, query).await).await
    }

    /// Reads the rest and checks it against the bundle's own manifest, on another thread, so that the client's
    /// connections go on being served.
    pub async fn read(answer: Response) -> Self {
        let bytes = answer.bytes().await.unwrap();
        let taken_apart = tokio::task::spawn_blocking(move || Self::parse(&bytes));
        taken_apart.await.unwrap()
    }

    fn parse(bytes: &[u8]) -> Self {
        let manifest = check(Cursor::new(bytes)).unwrap();
        let mut zip = ZipArchive::new(Cursor::new(bytes)).unwrap();
        let (mut entries, mut order) = (BTreeMap::new(), Vec::new());
        for at in 0..zip.len() {
            let mut entry = zip.by_index(at).unwrap();
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            order.push(entry.name().unwrap().into_owned());
            entries.insert(entry.name().unwrap().into_owned(), content);
        }
        Self {
            manifest,
            entries,
            order,
        }
    }

    pub fn text(&self, name: &str) -> &str {
        std::str::from_utf8(&self.entries[name]).unwrap()
    }

    /// The rows of a table.
    pub fn rows(&self, table: &str) -> Vec<Value> {
        let lines = self.text(&format!("{table}.jsonl")).lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}
