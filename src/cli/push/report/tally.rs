//! What became of the entries of one file, or of all.

use std::collections::BTreeMap;

use crate::intake::FileCounts;

/// How far a file was read, or the files were.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum ReadState {
    #[default]
    Whole,
    /// There is nothing in it.
    Empty,
    Unread,
    CutOff,
    /// Of several, one at least could not be read to its end.
    Partly,
}

impl ReadState {
    pub(super) fn is_broken(self) -> bool {
        matches!(self, Self::Unread | Self::CutOff | Self::Partly)
    }

    /// What stands behind the row.
    pub(super) fn mark(self) -> &'static str {
        match self {
            Self::Whole => "",
            Self::Empty => "  empty",
            Self::Unread => "  not read",
            Self::CutOff => "  not read to its end",
            Self::Partly => "  not all was read",
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub name: String,
    pub entries: u64,
    /// Those that were stored, or in a rehearsal would be sent.
    pub stored: u64,
    inserted: u64,
    updated: u64,
    unchanged: u64,
    deleted: u64,
    pub refused: u64,
    pub state: ReadState,
    /// Whether a part of an entry was left out.
    pub is_partial: bool,
    /// In a rehearsal: how many records would go to which table, and by what.
    planned: BTreeMap<(String, String), u64>,
    /// In a rehearsal: how many records no connection takes, by the reason.
    unrouted: BTreeMap<String, u64>,
}

impl Tally {
    pub(super) fn of(name: String) -> Self {
        Self {
            name,
            ..Self::default()
        }
    }

    pub(super) fn refuse(&mut self) {
        self.entries += 1;
        self.refused += 1;
    }

    /// Records were answered.
    pub(super) fn store(&mut self, stored: FileCounts) {
        self.entries += stored.taken();
        self.stored += stored.taken();
        self.inserted += stored.inserted;
        self.updated += stored.updated;
        self.unchanged += stored.unchanged;
        self.deleted += stored.deleted;
    }

    pub(super) fn plan(&mut self, table: &str, destination: &str) {
        self.entries += 1;
        self.stored += 1;
        let key = (table.to_owned(), destination.to_owned());
        *self.planned.entry(key).or_default() += 1;
    }

    pub(super) fn plan_none(&mut self, reason: &str) {
        self.refuse();
        *self.unrouted.entry(reason.to_owned()).or_default() += 1;
    }

    pub(super) fn sentence(&self) -> String {
        let Self {
            stored,
            inserted,
            updated,
            unchanged,
            deleted,
            refused,
            ..
        } = self;
        let removed = if *deleted > 0 {
            format!(", {deleted} removed")
        } else {
            String::new()
        };
        format!(
            "{}: {stored} stored ({inserted} new, {updated} changed, {unchanged} unchanged{removed}), {refused} refused",
            counted(self.entries)
        )
    }

    /// What would happen, a line each.
    pub(super) fn plans(&self) -> Vec<String> {
        let unrouted = self.unrouted.iter();
        let unrouted =
            unrouted.map(|(reason, count)| format!("refused: {}: {reason}", counted(*count)));
        let planned = self.planned.iter();
        let planned =
            planned.map(|((table, by), count)| format!("would send: {count} to {table}, {by}"));
        let all = format!(
            "{}: {} would be sent, {} refused",
            counted(self.entries),
            self.stored,
            self.refused
        );
        unrouted.chain(planned).chain([all]).collect()
    }

    pub(super) fn plus(mut self, other: &Self) -> Self {
        self.entries += other.entries;
        self.stored += other.stored;
        self.refused += other.refused;
        if other.state.is_broken() {
            self.state = ReadState::Partly;
        }
        self.is_partial |= other.is_partial;
        self
    }
}

fn counted(entries: u64) -> String {
    match entries {
        1 => "1 entry".to_owned(),
        _ => format!("{entries} entries"),
    }
}
