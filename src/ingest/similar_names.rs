//! Notes on misspelt fields: an unknown field whose name is similar to one that the table has. Pure.

use std::collections::{HashMap, HashSet};

use crate::catalog::{self, Table};

use super::limits::{COMPARED_NAME_BYTES_MAX, NOTES_MAX, UNKNOWN_NAMES_COMPARED_MAX};
use super::row::{PushedRecord, SectorRow};

/// One typing error is allowed for this many letters of the known name, up to a maximum.
const LETTERS_PER_TYPO: usize = 4;
const TYPOS_MAX: usize = 2;

/// Whether `sent` was probably meant to be `known`: apart from case and separators, they differ by a few typing errors.
pub(super) fn is_similar(sent: &str, known: &str) -> bool {
    distance(sent, known).is_some()
}

/// The number of typing errors between the names; `None` if there are too many.
fn distance(sent: &str, known: &str) -> Option<usize> {
    if sent.len() > COMPARED_NAME_BYTES_MAX {
        return None;
    }
    let sent = sent.to_lowercase().replace(['-', ' '], "_");
    let typos = strsim::osa_distance(&sent, known);
    (typos <= (known.len() / LETTERS_PER_TYPO).min(TYPOS_MAX)).then_some(typos)
}

/// The known name of a field, parent or part of `table` that is the most similar to `sent`, if any is similar.
fn nearest(table: &Table, sent: &str) -> Option<&'static str> {
    let fields = table.fields.iter().map(|field| field.name);
    let references = table.fields.iter().filter_map(|field| field.reference);
    let nested = references.filter_map(|reference| reference.nested);
    let parts = table.parts.iter().map(|part| part.name);
    let known = fields.chain(nested).chain(parts);
    known
        .chain(["source_id", "updated_at"])
        .filter_map(|known| Some((distance(sent, known)?, known)))
        .min_by(|one, other| {
            // At equal distances the more similar name is taken: `acount` is `account`, not `amount`.
            let similarity = |known: &str| strsim::jaro_winkler(sent, known);
            let more_similar = similarity(other.1).total_cmp(&similarity(one.1));
            one.0.cmp(&other.0).then(more_similar)
        })
        .map(|(_, known)| known)
}

/// The notes on a push: one for each unknown field that is similar to a known one.
#[derive(Debug, Default)]
pub(super) struct FieldNotes {
    /// The names that have been compared, by their table. Bounded, since a device may send any number of names.
    compared: HashMap<&'static str, HashSet<String>>,
    sentences: Vec<String>,
}

impl FieldNotes {
    /// Compares the unknown fields of a record and of the rows nested in it.
    pub(super) fn inspect(&mut self, table: &'static Table, root: &PushedRecord) {
        self.inspect_row(table, &root.row);
        let sector = table.sector;
        let referred = |field: &str| table.field(field)?.reference.map(|to| to.table);
        let parents = root.parents.iter();
        let parents = parents.filter_map(|(field, row)| Some((referred(field)?, row)));
        let ancestors = root
            .ancestors
            .iter()
            .map(|(name, row)| (name.as_str(), row));
        let parts = table.parts.iter().flat_map(|part| {
            let lists = root.parts.iter().filter(|(name, _)| name == part.name);
            lists.flat_map(|(_, rows)| rows.iter().map(|row| (part.table, row)))
        });
        for (name, row) in parents.chain(ancestors).chain(parts) {
            if let Some(table) = catalog::table(sector, name) {
                self.inspect_row(table, row);
            }
        }
    }

    /// One sentence for each name, in the order of the push.
    pub(super) fn into_sentences(self) -> Vec<String> {
        self.sentences
    }

    fn inspect_row(&mut self, table: &'static Table, row: &SectorRow) {
        for sent in row.extra.iter().flat_map(|extra| extra.keys()) {
            if self.sentences.len() < NOTES_MAX && self.mark_compared(table, sent) {
                self.compare(table, sent);
            }
        }
    }

    /// Marks the name as compared. Returns whether it is still to be compared.
    fn mark_compared(&mut self, table: &'static Table, sent: &str) -> bool {
        let compared = self.compared.entry(table.name).or_default();
        let is_new = sent.len() <= COMPARED_NAME_BYTES_MAX
            && compared.len() < UNKNOWN_NAMES_COMPARED_MAX
            && !compared.contains(sent);
        is_new && compared.insert(sent.to_owned())
    }

    fn compare(&mut self, table: &Table, sent: &str) {
        let Some(known) = nearest(table, sent) else {
            return;
        };
        self.sentences.push(format!(
            "`{sent}` is no field of {} and was kept in `extra`; was `{known}` meant?",
            table.target()
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest_of(target: &str, sent: &str) -> Option<&'static str> {
        nearest(catalog::by_target(target).unwrap(), sent)
    }

    #[test]
    fn what_was_meant_is_found_and_what_is_something_else_is_not() {
        for (target, sent, meant) in [
            ("finance.transactions", "desciption", "description"),
            ("finance.transactions", "bookd_on", "booked_on"),
            ("finance.transactions", "Booked-On", "booked_on"),
            ("finance.transactions", "bookedOn", "booked_on"),
            ("finance.transactions", "ammount", "amount"),
            ("finance.transactions", "acount", "account"),
            ("finance.transactions", "updatedAt", "updated_at"),
            ("mail.messages", "attachment", "attachments"),
            ("mail.messages", "body_txet", "body_text"),
        ] {
            assert_eq!(nearest_of(target, sent), Some(meant), "{sent}");
        }
        for sent in [
            "mood",
            "date",
            "iban",
            "payee",
            "memo",
            "booking_date",
            "x",
            "made_on",
        ] {
            assert_eq!(nearest_of("finance.transactions", sent), None, "{sent}");
        }
        let long = format!("description{}", "n".repeat(COMPARED_NAME_BYTES_MAX));
        assert!(!is_similar(&long, "description"));
    }
}
