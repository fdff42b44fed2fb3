//! Names that were probably meant: a field that a table does not have, close to one that it has. Pure.

use std::collections::{HashMap, HashSet};

use crate::catalog::{self, Table};

use super::limits::{NAME_JUDGED_BYTES_MAX, NAMES_JUDGED_MAX, NOTES_MAX};
use super::row::{Root, Row};

/// Letters of a known name for each that may be another, and how many of those at the most.
const LETTERS_A_SLIP: usize = 4;
const SLIPS_MAX: usize = 2;

/// Whether `sent` was probably meant to be `known`: but for case and separators, it is a few slips away.
pub fn is_near(sent: &str, known: &str) -> bool {
    distance(sent, known).is_some()
}

/// How many slips lie between them, if they are few.
fn distance(sent: &str, known: &str) -> Option<usize> {
    if sent.len() > NAME_JUDGED_BYTES_MAX {
        return None;
    }
    let sent = sent.to_lowercase().replace(['-', ' '], "_");
    let slips = strsim::osa_distance(&sent, known);
    (slips <= (known.len() / LETTERS_A_SLIP).min(SLIPS_MAX)).then_some(slips)
}

/// The name that records of `table` may have and that `sent` is the nearest to, if it is near.
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
            // Of equally near ones, the one that looks more like it: `acount` is `account`, not `amount`.
            let likeness = |known: &str| strsim::jaro_winkler(sent, known);
            let more_alike = likeness(other.1).total_cmp(&likeness(one.1));
            one.0.cmp(&other.0).then(more_alike)
        })
        .map(|(_, known)| known)
}

/// What is told of the unknown fields of a push, once a name.
#[derive(Debug, Default)]
pub struct Notes {
    /// By the table's name. A device may send endlessly many names.
    judged: HashMap<&'static str, HashSet<String>>,
    told: Vec<String>,
}

impl Notes {
    /// Looks at the unknown fields of a record and of what it nests.
    pub fn look_at(&mut self, table: &'static Table, root: &Root) {
        self.look_at_row(table, &root.row);
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
                self.look_at_row(table, row);
            }
        }
    }

    /// A sentence for each name, in the order of the push.
    pub fn into_sentences(self) -> Vec<String> {
        self.told
    }

    fn look_at_row(&mut self, table: &'static Table, row: &Row) {
        for sent in row.extra.iter().flat_map(|extra| extra.keys()) {
            if self.told.len() < NOTES_MAX && self.is_new(table, sent) {
                self.judge(table, sent);
            }
        }
    }

    /// Whether the name is to be judged.
    fn is_new(&mut self, table: &'static Table, sent: &str) -> bool {
        let judged = self.judged.entry(table.name).or_default();
        let is_new = sent.len() <= NAME_JUDGED_BYTES_MAX
            && judged.len() < NAMES_JUDGED_MAX
            && !judged.contains(sent);
        is_new && judged.insert(sent.to_owned())
    }

    fn judge(&mut self, table: &Table, sent: &str) {
        let Some(known) = nearest(table, sent) else {
            return;
        };
        self.told.push(format!(
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
        let long = format!("description{}", "n".repeat(NAME_JUDGED_BYTES_MAX));
        assert!(!is_near(&long, "description"));
    }
}
