//! Different mails under one Message-ID: the name that each gets. Pure.
//!
//! A mail that is called by its Message-ID keeps that name as long as what is stored under it is the same mail: of the same
//! subject, sender, recipients and time. Another one is `name~2`, `name~3`, … Its text and what is attached to it decide
//! nothing, since they change with whoever passes a mail on; and a draft changes in everything.

use serde_json::Value;

use crate::catalog::{self, Namesakes, Table, row_id};

use super::destination::Destination;
use super::limits::NAMESAKES_MAX;
use super::row::{Root, Row};

/// What is stored under a name, beside a record that would have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// Nothing any more: it was deleted.
    Gone,
    /// The same record, as it was.
    Same,
    /// Another record that is to be told apart from it.
    Another,
    /// One that is not told apart: it gives way, as to any record of its name.
    Yielding,
}

/// The name that a record gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    Own,
    Other(String),
    /// All that it might have are taken.
    None,
}

/// Whether the record is told apart from others of its name.
pub fn is_told_apart(table: &Table, row: &Row) -> bool {
    apart(table, row).is_some()
}

fn apart(table: &Table, row: &Row) -> Option<&'static Namesakes> {
    let namesakes = table.namesakes?;
    let natural = row.columns.get(table.natural?).and_then(Value::as_str);
    let changes = row.columns.get(namesakes.unless) == Some(&Value::Bool(true));
    (natural == Some(row.source_id.as_str()) && !changes).then_some(namesakes)
}

/// Whether two rows of one name in one push may be two records, so that one cannot stand for both.
pub fn are_two(table: &Table, one: &Row, other: &Row) -> bool {
    match (apart(table, one), apart(table, other)) {
        (Some(namesakes), Some(_)) => {
            let mut fields = namesakes.told_apart_by.iter();
            fields.any(|field| one.columns.get(*field) != other.columns.get(*field))
        }
        (one, other) => one.is_some() != other.is_some(),
    }
}

/// The names beside its own that a record may get, in order.
pub fn others(own: &str) -> impl Iterator<Item = String> {
    (2..=NAMESAKES_MAX).map(move |ordinal| format!("{own}~{ordinal}"))
}

/// Whether the holder of a record's own name leaves it to the record, whatever the other names hold.
pub fn is_own(holder: Option<Holder>) -> bool {
    matches!(holder, None | Some(Holder::Same | Holder::Yielding))
}

/// The name of a record: where it is stored already, else its own if that is free, else the first that is.
pub fn name(own: &str, held: impl Fn(&str) -> Option<Holder>) -> Name {
    let holder = held(own);
    if is_own(holder) {
        return Name::Own;
    }
    if let Some(there) = others(own).find(|name| held(name) == Some(Holder::Same)) {
        return Name::Other(there);
    }
    if holder == Some(Holder::Gone) {
        return Name::Own;
    }
    let mut free = others(own).filter(|name| matches!(held(name), None | Some(Holder::Gone)));
    free.next().map_or(Name::None, Name::Other)
}

/// Calls a record by another name, and hangs its parts on it.
pub fn rename(root: &mut Root, to: &Destination, name: String) {
    let before = std::mem::replace(&mut root.row.source_id, name);
    root.row.id = row_id(to.connection, &to.table.target(), &root.row.source_id);
    for (list, rows) in &mut root.parts {
        let part = to.table.parts.iter().find(|part| part.name == list);
        let table = part.and_then(|part| catalog::table(to.table.sector, part.table));
        let (Some(part), Some(table)) = (part, table) else {
            continue;
        };
        for row in rows {
            let own = row.source_id.strip_prefix(&before).unwrap_or_default();
            row.source_id = format!("{}{own}", root.row.source_id);
            row.id = row_id(to.connection, &table.target(), &row.source_id);
            if let Some(link) = table.field(part.link) {
                row.hang_on(&root.row, link);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(held: &[(&str, Holder)]) -> Name {
        name("m", |name| {
            let mut held = held.iter();
            held.find(|(known, _)| *known == name).map(|(_, is)| *is)
        })
    }

    fn other(name: &str) -> Name {
        Name::Other(name.to_owned())
    }

    #[test]
    fn a_name_is_kept_until_another_has_it() {
        use Holder::{Another, Gone, Same, Yielding};
        for (held, expected) in [
            (vec![], Name::Own),
            (vec![("m", Same), ("m~2", Same)], Name::Own),
            (vec![("m", Yielding), ("m~2", Another)], Name::Own),
            (vec![("m", Another)], other("m~2")),
            (vec![("m", Another), ("m~2", Another)], other("m~3")),
            (vec![("m", Another), ("m~2", Gone)], other("m~2")),
            (vec![("m", Another), ("m~2", Yielding)], other("m~3")),
            (vec![("m", Gone)], Name::Own),
            // What is stored stays where it is.
            (vec![("m", Gone), ("m~2", Same)], other("m~2")),
            (vec![("m", Another), ("m~3", Same)], other("m~3")),
        ] {
            assert_eq!(named(&held), expected, "{held:?}");
        }
        let all: Vec<String> = others("m").collect();
        assert_eq!(all.len() + 1, NAMESAKES_MAX);
        let taken = all.iter().map(|name| (name.as_str(), Another));
        let taken: Vec<_> = taken.chain([("m", Another)]).collect();
        assert_eq!(named(&taken), Name::None);
    }
}
