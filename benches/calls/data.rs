//! What the questions name of the rows that `data.sql` makes: the same in each run.

use uuid::Uuid;

/// Each is in a ninth of all mails.
const WORDS: [&str; 9] = [
    "invoice", "meeting", "holiday", "dentist", "garden", "concert", "train", "recipe", "library",
];

/// The id of an existing account.
pub fn account(number: usize) -> Uuid {
    id('a', number + 1)
}

/// The id of an existing transaction.
pub fn transaction(number: usize) -> Uuid {
    id('d', (number + 1) * 1000)
}

/// A word that is in many mails.
pub fn word(number: usize) -> &'static str {
    WORDS.get(number).copied().unwrap()
}

/// The id that `data.sql` gives it.
fn id(kind: char, number: usize) -> Uuid {
    format!("{kind}0000000-0000-4000-8000-{number:012}")
        .parse()
        .unwrap()
}
