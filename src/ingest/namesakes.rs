//! Different mails with one Message-ID: the source id of each. Pure.
//!
//! The source id of a mail is its Message-ID, as long as what is stored under that id is the same mail: with the same subject,
//! sender, recipients and time. Another mail gets `id~2`, `id~3`, … Text and attachments are not compared, since mail
//! servers on the way change them; drafts are not compared at all, since everything in them changes.

use serde_json::Value;

use crate::catalog::{self, Namesakes, Table, row_id};

use super::destination::PushDestination;
use super::limits::NAMESAKES_MAX;
use super::row::{PushedRecord, SectorRow};

/// What is stored under a source id, compared with a record that was sent with that id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occupant {
    /// A tombstone.
    Deleted,
    /// The same record, perhaps in an older version.
    Same,
    /// A different record.
    Different,
    /// A record that is not distinguished from others of its id (a draft): the record replaces it.
    Replaceable,
}

/// The source id under which a record is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AssignedId {
    /// The one it was sent with.
    Own,
    /// The one it was sent with and an ordinal.
    Numbered(String),
    /// None: all [`NAMESAKES_MAX`] ids are occupied by other records.
    NoneFree,
}

/// Whether the record is to be distinguished from others with its source id.
pub(super) fn is_distinguished(table: &Table, row: &SectorRow) -> bool {
    rule_for(table, row).is_some()
}

fn rule_for(table: &Table, row: &SectorRow) -> Option<&'static Namesakes> {
    let namesakes = table.namesakes?;
    let natural = row.columns.get(table.natural?).and_then(Value::as_str);
    let is_excepted = row.columns.get(namesakes.unless) == Some(&Value::Bool(true));
    (natural == Some(row.source_id.as_str()) && !is_excepted).then_some(namesakes)
}

/// Whether two rows with one source id in one push may be two records, so that neither may replace the other.
pub(super) fn may_differ(table: &Table, one: &SectorRow, other: &SectorRow) -> bool {
    match (rule_for(table, one), rule_for(table, other)) {
        (Some(namesakes), Some(_)) => {
            let mut fields = namesakes.distinguished_by.iter();
            fields.any(|field| one.columns.get(*field) != other.columns.get(*field))
        }
        (one, other) => one.is_some() != other.is_some(),
    }
}

/// The numbered ids that a record may get, in order.
pub(super) fn numbered(own: &str) -> impl Iterator<Item = String> {
    (2..=NAMESAKES_MAX).map(move |ordinal| format!("{own}~{ordinal}"))
}

/// Whether a record is stored under its own id for certain, whatever occupies the numbered ones.
pub(super) fn keeps_own(occupant: Option<Occupant>) -> bool {
    matches!(
        occupant,
        None | Some(Occupant::Same | Occupant::Replaceable)
    )
}

/// The id of a record: the one under which it is stored already, else its own if that is free, else the first free one.
pub(super) fn assign(own: &str, occupant_of: impl Fn(&str) -> Option<Occupant>) -> AssignedId {
    let occupant = occupant_of(own);
    if keeps_own(occupant) {
        return AssignedId::Own;
    }
    let stored = numbered(own).find(|id| occupant_of(id) == Some(Occupant::Same));
    if let Some(stored) = stored {
        return AssignedId::Numbered(stored);
    }
    if occupant == Some(Occupant::Deleted) {
        return AssignedId::Own;
    }
    let is_free = |id: &String| matches!(occupant_of(id), None | Some(Occupant::Deleted));
    let free = numbered(own).find(is_free);
    free.map_or(AssignedId::NoneFree, AssignedId::Numbered)
}

/// Gives a record another source id, and with it its parts.
pub(super) fn rename(root: &mut PushedRecord, to: &PushDestination, name: String) {
    let before = std::mem::replace(&mut root.row.source_id, name);
    root.row.id = row_id(to.connection, &to.table.target(), &root.row.source_id);
    for (list, rows) in &mut root.parts {
        let part = to.table.parts.iter().find(|part| part.name == list);
        let table = part.and_then(|part| catalog::table(to.table.sector, part.table));
        let (Some(part), Some(table)) = (part, table) else {
            continue;
        };
        for row in rows {
            // The id of a part begins with that of its record (`record/nested.rs`).
            if let Some(own) = row.source_id.strip_prefix(&before) {
                row.source_id = format!("{}{own}", root.row.source_id);
            }
            row.id = row_id(to.connection, &table.target(), &row.source_id);
            if let Some(link) = table.field(part.link) {
                row.link_to(&root.row, link);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assigned(stored: &[(&str, Occupant)]) -> AssignedId {
        assign("m", |id| {
            let mut stored = stored.iter();
            stored.find(|(known, _)| *known == id).map(|(_, is)| *is)
        })
    }

    fn number(id: &str) -> AssignedId {
        AssignedId::Numbered(id.to_owned())
    }

    #[test]
    fn a_name_is_kept_until_another_has_it() {
        use AssignedId::Own;
        use Occupant::{Deleted, Different, Replaceable, Same};
        for (stored, expected) in [
            (vec![], Own),
            (vec![("m", Same), ("m~2", Same)], Own),
            (vec![("m", Replaceable), ("m~2", Different)], Own),
            (vec![("m", Different)], number("m~2")),
            (vec![("m", Different), ("m~2", Different)], number("m~3")),
            (vec![("m", Different), ("m~2", Deleted)], number("m~2")),
            (vec![("m", Different), ("m~2", Replaceable)], number("m~3")),
            (vec![("m", Deleted)], Own),
            // What is stored stays where it is.
            (vec![("m", Deleted), ("m~2", Same)], number("m~2")),
            (vec![("m", Different), ("m~3", Same)], number("m~3")),
        ] {
            assert_eq!(assigned(&stored), expected, "{stored:?}");
        }
        let all: Vec<String> = numbered("m").collect();
        assert_eq!(all.len() + 1, NAMESAKES_MAX);
        let occupied = all.iter().map(|id| (id.as_str(), Different));
        let occupied: Vec<_> = occupied.chain([("m", Different)]).collect();
        assert_eq!(assigned(&occupied), AssignedId::NoneFree);
    }
}
