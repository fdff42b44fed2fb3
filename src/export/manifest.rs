//! The last entry of a bundle: its version and origin, and the length and digest of each other entry.

use std::collections::BTreeMap;
use std::io;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use sextant_actors::domain::Sector;

use super::ExportRequest;

/// Its name in the bundle.
pub const NAME: &str = "manifest.json";
/// The value of `format`.
pub(crate) const FORMAT: &str = "sextant-export";
/// The version of bundles that are written now. Version 1 had other names of some fields ([`FORMER_NAMES`]); what is fetched from sources
/// came with version 3 ([`SOURCES`]), and which accounts are one with version 4 ([`ACCOUNT_PAIRS`]).
pub const VERSION: u32 = 4;
/// The version in which fields have their former names (`Field::formerly` in the catalogue).
pub(crate) const FORMER_NAMES: u32 = 1;
/// The first version with sign-ins and the items of sources.
pub(crate) const SOURCES: u32 = 3;
/// The first version with the pairs of accounts that are, or may be, one.
pub(crate) const ACCOUNT_PAIRS: u32 = 4;
/// The versions that are read.
pub(crate) const READ: std::ops::RangeInclusive<u32> = FORMER_NAMES..=VERSION;

/// What a bundle says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub format: String,
    pub version: u32,
    /// RFC 3339, in UTC.
    pub exported_at: String,
    /// The program that wrote it, with its version.
    pub program: String,
    /// The person's zone.
    pub timezone: String,
    /// What it is narrowed to; null is everything.
    pub sector: Option<Sector>,
    /// By table: what its `.jsonl` holds.
    pub tables: BTreeMap<String, ManifestTable>,
    /// By name: the files in common formats.
    pub files: BTreeMap<String, ManifestFile>,
}

/// A table's entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestTable {
    pub rows: u64,
    pub bytes: u64,
    /// In hexadecimal, lower case.
    pub sha256: String,
}

/// A file's entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestFile {
    pub bytes: u64,
    /// In hexadecimal, lower case.
    pub sha256: String,
}

impl Manifest {
    /// The manifest of an empty bundle.
    pub fn of(request: &ExportRequest) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            exported_at: stamp(request.now),
            program: concat!("sextant ", env!("CARGO_PKG_VERSION")).to_owned(),
            timezone: request.zone.name().to_owned(),
            sector: request.sector,
            tables: BTreeMap::new(),
            files: BTreeMap::new(),
        }
    }

    /// The rows of all tables, the service's own included.
    pub fn rows(&self) -> u64 {
        self.tables.values().map(|table| table.rows).sum()
    }

    /// Every entry of the bundle but this one: name, length in bytes, digest.
    pub fn entries(&self) -> impl Iterator<Item = (String, u64, &str)> {
        let tables = self.tables.iter();
        let tables = tables
            .map(|(name, table)| (format!("{name}.jsonl"), table.bytes, table.sha256.as_str()));
        let files = self.files.iter();
        let files = files.map(|(name, file)| (name.clone(), file.bytes, file.sha256.as_str()));
        tables.chain(files)
    }

    /// The JSON text that is written.
    pub fn text(&self) -> io::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

fn stamp(moment: DateTime<Utc>) -> String {
    moment.to_rfc3339_opts(SecondsFormat::Millis, true)
}
