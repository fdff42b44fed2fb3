//! Finds the field that was probably meant by a name that a table does not have.
//!
//! Edit distance alone misleads: `from` is closer to `to` than to `from_name`. So a typing error is tried first, then a name that
//! contains the whole word, then a synonym, and the smallest edit distance last.

use crate::catalog::Table;
use crate::query::column;
use crate::query::nearest::{distance, nearest};

/// A name may have one wrong letter in so many for a typing error.
const LETTERS_PER_SLIP: usize = 4;
/// Other names for the time that a table is ordered by.
const TIMES: [&str; 8] = [
    "date",
    "time",
    "datetime",
    "timestamp",
    "when",
    "day",
    "at",
    "created_at",
];
/// Synonyms, and the fields that they mean, the likeliest first.
const SAME: [(&str, &[&str]); 16] = [
    ("sender", &["from_name"]),
    ("recipient", &["to"]),
    ("title", &["subject", "name"]),
    ("subject", &["title"]),
    ("name", &["title", "subject"]),
    ("summary", &["title", "subject"]),
    ("text", &["body_text", "description", "notes"]),
    ("content", &["body_text", "description", "notes"]),
    ("message", &["body_text"]),
    ("place", &["location"]),
    ("company", &["organization", "merchant_name"]),
    ("payee", &["counterparty_name"]),
    ("shop", &["merchant_name"]),
    ("price", &["amount", "value"]),
    ("total", &["amount", "value"]),
    ("read", &["is_read"]),
];

/// The one of `fields`, all of them `table`'s, that was probably meant by `wrong`; `None` only without fields.
pub(crate) fn nearest_field<'a>(
    table: &Table,
    wrong: &str,
    fields: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let fields: Vec<&str> = fields.collect();
    let wrong = wrong.to_lowercase().replace([' ', '-'], "_");
    let named = |name: &str| fields.iter().copied().find(|field| *field == name);
    if let Some(present) = table.renamed(&wrong).and_then(named) {
        return Some(present);
    }
    let time = column::main_time(table).filter(|_| TIMES.contains(&wrong.as_str()));
    time.and_then(|time| named(time.name))
        .or_else(|| slip(&wrong, &fields))
        .or_else(|| {
            let holding = fields.iter().copied().filter(|field| holds(field, &wrong));
            holding.min_by_key(|field| words(field).count())
        })
        .or_else(|| {
            let same = SAME.iter().find(|(word, _)| *word == wrong);
            same.and_then(|(_, same)| same.iter().find_map(|name| named(name)))
        })
        .or_else(|| nearest(&wrong, fields.iter().copied()))
}

/// The nearest field, if few letters are wrong.
fn slip<'a>(wrong: &str, fields: &[&'a str]) -> Option<&'a str> {
    let near = nearest(wrong, fields.iter().copied())?;
    let slips = distance(wrong, near);
    (slips * LETTERS_PER_SLIP <= wrong.chars().count()).then_some(near)
}

/// Whether all words of `wrong` are words of `field`.
fn holds(field: &str, wrong: &str) -> bool {
    !wrong.is_empty() && words(wrong).all(|word| words(field).any(|own| own == word))
}

fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split('_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;

    #[test]
    fn common_words_mean_the_field_that_a_person_would_name() {
        for (target, wrong, right) in [
            ("mail.messages", "from", "from_name"),
            ("mail.messages", "sender_email", "from_email"),
            ("mail.messages", "to_", "to"),
            ("mail.messages", "recipient", "to"),
            ("mail.messages", "source_updated_at", "updated_at"),
            ("finance.holdings", "date", "day"),
            ("mail.messages", "date", "received_at"),
            ("mail.messages", "title", "subject"),
            ("mail.messages", "body", "body_text"),
            ("mail.messages", "Subject", "subject"),
            ("contacts.people", "name", "full_name"),
            ("contacts.people", "email", "emails"),
            // A typing error is preferred to the whole word of another field.
            ("contacts.groups", "uids", "uid"),
            ("contacts.people", "phone", "phones"),
            ("contacts.people", "company", "organization"),
            ("contacts.people", "birthday", "birthday_month"),
            ("finance.accounts", "balance", "balance_current"),
            ("finance.transactions", "date", "booked_on"),
            ("finance.transactions", "merchant", "merchant_name"),
            ("finance.transactions", "shop", "merchant_name"),
            ("finance.transactions", "ammount", "amount"),
            ("finance.transactions", "account", "account_id"),
            ("calendar.events", "date", "start_at"),
            ("calendar.events", "name", "title"),
            ("calendar.events", "summary", "title"),
            ("health.days", "date", "day"),
            ("health.days", "weight", "weight_kg"),
            ("health.days", "heart rate", "resting_heart_rate"),
        ] {
            let table = catalog::by_target(target).unwrap();
            let fields = column::all(table).map(|column| column.name);
            assert_eq!(
                nearest_field(table, wrong, fields),
                Some(right),
                "{target}.{wrong}"
            );
        }
        let table = catalog::by_target("mail.messages").unwrap();
        assert_eq!(nearest_field(table, "", ["size"].into_iter()), Some("size"));
    }
}
