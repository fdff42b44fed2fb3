//! Importing an export: the store equals the exported one, and every damaged file is refused with nothing changed.

mod again;
mod damaged;
mod during;
mod faults;
mod kept;
mod program;
mod statistics;
mod unfit;
mod version_one;

use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};

use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;

use crate::support::TestApp;
use crate::support::app::Answer;

/// A bundle's entries, in order.
#[derive(Clone)]
pub struct Entries(pub Vec<(String, Vec<u8>)>);

impl Entries {
    pub fn of(bundle: &[u8]) -> Self {
        let mut zip = zip::ZipArchive::new(Cursor::new(bundle)).unwrap();
        let mut entries = Vec::new();
        for index in 0..zip.len() {
            let mut entry = zip.by_index(index).unwrap();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            entries.push((entry.name().unwrap().into_owned(), bytes));
        }
        Self(entries)
    }

    pub fn named(&self) -> BTreeMap<&str, &[u8]> {
        self.0
            .iter()
            .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
            .collect()
    }

    pub fn entry(&mut self, name: &str) -> &mut Vec<u8> {
        &mut self
            .0
            .iter_mut()
            .find(|(there, _)| there == name)
            .unwrap()
            .1
    }

    pub fn manifest(&self) -> Value {
        serde_json::from_slice(self.named()["manifest.json"]).unwrap()
    }

    pub fn set_manifest(&mut self, manifest: &Value) {
        *self.entry("manifest.json") = manifest.to_string().into_bytes();
    }

    /// Changes the lines of a table, and the manifest accordingly.
    pub fn edit(&mut self, table: &str, change: impl FnOnce(&mut Vec<String>)) {
        let entry = self.entry(&format!("{table}.jsonl"));
        let mut lines: Vec<String> = std::str::from_utf8(entry)
            .unwrap()
            .lines()
            .map(str::to_owned)
            .collect();
        change(&mut lines);
        *entry = lines
            .iter()
            .flat_map(|line| format!("{line}\n").into_bytes())
            .collect();
        let digest: String = Sha256::digest(&*entry)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let told = json!({ "rows": lines.len(), "bytes": entry.len(), "sha256": digest });
        let mut manifest = self.manifest();
        manifest["tables"][table] = told;
        self.set_manifest(&manifest);
    }

    pub fn packed(&self) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in &self.0 {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }
}

pub async fn export(app: &TestApp) -> Vec<u8> {
    export_of(app, "").await
}

/// The bytes of an export with this query.
async fn export_of(app: &TestApp, query: &str) -> Vec<u8> {
    let request = app.request(Method::GET, &format!("/api/export{query}"));
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status().as_u16(), 200);
    answer.bytes().await.unwrap().to_vec()
}

pub async fn import(app: &TestApp, bundle: Vec<u8>) -> Answer {
    let request = app
        .request(Method::POST, "/api/import")
        .header("content-type", "application/zip");
    app.send(request.body(bundle)).await
}

/// The message with which the service refused a file; asserts that nothing has changed.
async fn refused(app: &TestApp, bundle: Vec<u8>, status: u16) -> String {
    let body = import(app, bundle).await.expect(status);
    assert_nothing_came(app).await;
    body["message"].as_str().unwrap().to_owned()
}

async fn assert_nothing_came(app: &TestApp) {
    let client = app.database.connect().await;
    let mut tables: Vec<String> = sextant::catalog::tables()
        .map(sextant::catalog::Table::target)
        .collect();
    tables.extend(
        [
            "connections",
            "agents",
            "evidence.days",
            "evidence.balances",
            "pending_references",
            "sync_cursors",
            "sign_ins",
            "source_items",
        ]
        .map(str::to_owned),
    );
    let counts: Vec<String> = tables
        .iter()
        .map(|table| format!("(SELECT count(*) FROM {table})"))
        .collect();
    let sql = format!("SELECT {}", counts.join(" + "));
    assert_eq!(
        client.query_one(&sql, &[]).await.unwrap().get::<_, i64>(0),
        0
    );
}
