//! What an import is answered: what came, what did not, and what is to be done next. Pure.

use std::collections::BTreeMap;

use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::Serialize;

use super::Imported;
use crate::export::manifest::Manifest;

/// The table of the audit in a bundle.
const RECORD: &str = "audit_log";

/// What an import brought.
#[derive(Serialize, JsonSchema)]
pub(super) struct ImportAnswer {
    /// Rows.
    imported: u64,
    /// Rows by table.
    tables: BTreeMap<String, u64>,
    connections: u64,
    agents: usize,
    /// Sentences: what did not come, and what is to be done next.
    notes: Vec<String>,
}

impl ImportAnswer {
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
    let recorded = manifest.tables.get(RECORD).map_or(0, |record| record.rows);
    if recorded > 0 {
        notes.push(format!(
            "the record is never imported and stays in the file (rows: {recorded})"
        ));
    }
    if manifest.timezone != zone.name() {
        let was = Some(manifest.timezone.as_str()).filter(|was| was.parse::<Tz>().is_ok());
        let was = was.unwrap_or("a zone that this program does not know");
        notes.push(format!(
            "it was exported in {was}: days and balances were made anew in {}",
            zone.name()
        ));
    }
    notes
}
