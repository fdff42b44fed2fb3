//! The entries of a bundle in their order: connections and agents, the tables of the sectors, other state that cannot be derived
//! again, the audit log unless the export is of one sector, and the files in common formats.

use std::borrow::Cow;

use sextant_actors::domain::Sector;

use super::document::Document;
use super::manifest::{ACCOUNT_PAIRS, SOURCES};
use super::{calendar, contacts, mail, transactions};
use crate::statements::export::{evidence, parents_first, rows};

/// One entry.
pub(crate) struct BundleEntry {
    /// The name of the entry; a table's without `.jsonl`.
    pub name: Cow<'static, str>,
    pub source: EntrySource,
}

/// Of what an entry is made.
pub(crate) enum EntrySource {
    /// The statement of its rows.
    Table(Cow<'static, str>),
    Document(&'static Document),
}

/// The service's own tables, before the sectors'.
const SERVICE_TABLES: [(&str, &str); 3] = [
    (
        "connections",
        include_str!("../../sql/statements/export/connections.sql"),
    ),
    (
        "agents",
        include_str!("../../sql/statements/export/agents.sql"),
    ),
    (
        "sign_ins",
        include_str!("../../sql/statements/export/sign_ins.sql"),
    ),
];

/// Tables that came with a version, and that earlier bundles do not have.
const LATER_TABLES: [(&str, u32); 3] = [
    ("sign_ins", SOURCES),
    ("source_items", SOURCES),
    ("evidence.account_pairs", ACCOUNT_PAIRS),
];

/// Further tables, after the sectors'; each with the one sector it belongs to, if it does.
const FURTHER_TABLES: [(&str, Option<Sector>, &str); 5] = [
    (
        "evidence.balances",
        Some(Sector::Finance),
        include_str!("../../sql/statements/export/balances.sql"),
    ),
    (
        "evidence.account_pairs",
        Some(Sector::Finance),
        include_str!("../../sql/statements/export/account_pairs.sql"),
    ),
    (
        "pending_references",
        None,
        include_str!("../../sql/statements/export/pending_references.sql"),
    ),
    (
        "sync_cursors",
        None,
        include_str!("../../sql/statements/export/sync_cursors.sql"),
    ),
    (
        "source_items",
        None,
        include_str!("../../sql/statements/export/source_items.sql"),
    ),
];

const AUDIT_LOG: (&str, &str) = (
    "audit_log",
    include_str!("../../sql/statements/export/audit_log.sql"),
);

/// The files in other formats.
const DOCUMENTS: &[Document] = &[
    calendar::DOCUMENT,
    contacts::DOCUMENT,
    mail::DOCUMENT,
    transactions::DOCUMENT,
];

/// The entries of everything, or of one sector.
pub(crate) fn entries(sector: Option<Sector>) -> Vec<BundleEntry> {
    let belongs = |of: Sector| sector.is_none_or(|sector| sector == of);
    let service = SERVICE_TABLES.map(|(name, sql)| fixed(name, sql));
    let sectors = Sector::ALL.into_iter().filter(|of| belongs(*of));
    let tables = sectors.flat_map(tables);
    let further = FURTHER_TABLES
        .into_iter()
        .filter(|(_, of, _)| of.is_none_or(belongs))
        .map(|(name, _, sql)| fixed(name, sql));
    let audit_log = Some(fixed(AUDIT_LOG.0, AUDIT_LOG.1)).filter(|_| sector.is_none());
    let documents = DOCUMENTS
        .iter()
        .filter(|document| belongs(document.sector))
        .map(|document| BundleEntry {
            name: document.name.into(),
            source: EntrySource::Document(document),
        });
    let all = service.into_iter().chain(tables).chain(further);
    all.chain(audit_log).chain(documents).collect()
}

/// The names of all entries but the manifest's, in a bundle of this version.
pub(crate) fn names(sector: Option<Sector>, version: u32) -> impl Iterator<Item = String> {
    let entries = entries(sector).into_iter();
    let entries = entries.filter(move |entry| is_of_version(&entry.name, version));
    entries.map(|entry| match entry.source {
        EntrySource::Table(_) => format!("{}.jsonl", entry.name),
        EntrySource::Document(_) => entry.name.into_owned(),
    })
}

/// Whether bundles of this version have the table or file.
pub(crate) fn is_of_version(name: &str, version: u32) -> bool {
    let mut later = LATER_TABLES.iter();
    later.all(|(table, since)| *table != name || version >= *since)
}

fn fixed(name: &'static str, sql: &'static str) -> BundleEntry {
    BundleEntry {
        name: name.into(),
        source: EntrySource::Table(sql.into()),
    }
}

/// A sector's tables, and after them the pushed rows of its merged tables.
fn tables(sector: Sector) -> Vec<BundleEntry> {
    let tables = parents_first(sector);
    let kept = tables.iter().map(|table| (table.target(), rows(table)));
    let pushed = tables
        .iter()
        .filter(|table| table.is_merged)
        .map(|table| (format!("evidence.{}", table.name), evidence(table)));
    let all = kept.chain(pushed).map(|(name, sql)| BundleEntry {
        name: name.into(),
        source: EntrySource::Table(sql.into()),
    });
    all.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(sector: Option<Sector>) -> Vec<String> {
        let entries = entries(sector);
        entries.iter().map(|entry| entry.name.to_string()).collect()
    }

    #[test]
    fn r040_a_sector_narrows_all_of_it_and_leaves_the_record_out() {
        assert_eq!(
            names(Some(Sector::Mail)),
            [
                "connections",
                "agents",
                "sign_ins",
                "mail.mailboxes",
                "mail.messages",
                "mail.attachments",
                "pending_references",
                "sync_cursors",
                "source_items",
                "mail.mbox",
            ]
        );
        assert!(names(Some(Sector::Health)).contains(&"evidence.days".to_owned()));
        assert!(!names(Some(Sector::Health)).contains(&"evidence.balances".to_owned()));
    }

    #[test]
    fn r110_everything_is_in_it() {
        let names = names(None);
        for table in crate::catalog::tables().filter(|table| table.is_stored()) {
            assert!(names.contains(&table.target()), "{}", table.target());
        }
        for name in [
            "evidence.days",
            "evidence.balances",
            "audit_log",
            "calendar.ics",
            "contacts.vcf",
            "transactions.csv",
        ] {
            assert!(names.contains(&name.to_owned()), "{name}");
        }
    }
}
