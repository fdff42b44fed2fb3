//! The answer to an import: what was imported, what was not, and what is to be done next. Pure.

use std::collections::BTreeMap;

use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::Serialize;

use crate::export::manifest::Manifest;
use crate::import::Imported;

/// The table of the audit log in a bundle.
const AUDIT_TABLE: &str = "audit_log";

/// What was imported.
#[derive(Serialize, JsonSchema)]
pub(super) struct ImportReport {
    /// Rows.
    imported: u64,
    /// Rows by table.
    tables: BTreeMap<String, u64>,
    connections: u64,
    agents: usize,
    /// Sentences: what was not imported, and what is to be done next.
    notes: Vec<String>,
}

impl ImportReport {
    pub(super) fn of(imported: &Imported, manifest: &Manifest, zone: Tz) -> Self {
        Self {
            imported: imported.tables.values().sum(),
            tables: imported.tables.clone(),
            connections: imported.connections,
            agents: imported.agents.len(),
            notes: notes(imported, manifest, zone),
        }
    }
}

fn notes(restored: &Imported, manifest: &Manifest, zone: Tz) -> Vec<String> {
    let mut notes = Vec::new();
    if restored.connections > 0 {
        notes.push(
            "the connections came without secrets: POST /api/connections/<id>/rotate-secret gives one a new secret, for its device"
                .to_owned(),
        );
    }
    if !restored.sign_ins.is_empty() {
        let accounts = restored.sign_ins.join(", ");
        notes.push(format!(
            "sources wait for their credentials, which no export holds: POST /api/signins/<id>/credentials takes each again ({accounts})"
        ));
    }
    if !restored.connections_kept.is_empty() {
        let labels = restored.connections_kept.join(", ");
        notes.push(format!(
            "connections were here already, stay as they are and have taken their rows; their devices go on with the secrets they have: {labels}"
        ));
    }
    if !restored.agents.is_empty() {
        let names = restored.agents.join(", ");
        notes.push(format!(
            "agents came revoked, and no key opens them: POST /api/agents/<name>/rotate gives one a new key ({names})"
        ));
    }
    if !restored.agents_kept.is_empty() {
        let names = restored.agents_kept.join(", ");
        notes.push(format!(
            "agents of these names were here already, and were left as they are: {names}"
        ));
    }
    let audit_rows = manifest
        .tables
        .get(AUDIT_TABLE)
        .map_or(0, |table| table.rows);
    if audit_rows > 0 {
        notes.push(format!(
            "the record is never imported and stays in the file (rows: {audit_rows})"
        ));
    }
    if manifest.timezone != zone.name() {
        let exported_in =
            Some(manifest.timezone.as_str()).filter(|zone| zone.parse::<Tz>().is_ok());
        let exported_in = exported_in.unwrap_or("a zone that this program does not know");
        notes.push(format!(
            "it was exported in {exported_in}: days and balances were made anew in {}",
            zone.name()
        ));
    }
    notes
}
