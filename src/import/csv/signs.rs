//! What an amount without a minus means: money that came in, or, as on some cards, money that was spent.
//!
//! Known by a column of words (debit, credit), by titles that only an account or only such a card has, or by rows whose
//! own words say it (`PAYMENT - THANK YOU` came in, a `Sale` went out). A file in which nothing is without a minus needs
//! no answer. Any other one is a question to the person.

use super::amounts;
use super::header::{Header, Role};
use crate::import::{Flow, ImportError};

/// Columns that cards on which charges are positive do not have: their statement is of an account.
const OF_ACCOUNTS: [Role; 8] = [
    Role::Balance,
    Role::Valued,
    Role::Account,
    Role::Own,
    Role::Direction,
    Role::Debit,
    Role::Credit,
    Role::Status,
];
/// What a cell says that tells what the row is, besides the words of a direction.
const SPENT: [&str; 4] = ["sale", "purchase", "withdrawal", "kauf"];
const CAME: [&str; 1] = ["deposit"];
/// What cards call the payment that they received. An account calls its payments to a card otherwise: they name the card.
const THANKS: [&str; 7] = [
    "payment - thank you",
    "payment thank you",
    "payment received",
    "payment-thank you",
    "zahlung erhalten",
    "paiement enregistr",
    "gracias por su pago",
];
/// A shorter word may be a mark of anything.
const WORD_BYTES_MIN: usize = 4;
/// Columns that are looked at for words.
const COLUMNS_MAX: usize = 64;
const OPEN: &str = "it does not say whether its amounts without a minus came in or were spent, as cards have it; say it with --positive in or --positive out";

/// How the sign of an amount is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signs {
    /// It is as written.
    Plain,
    /// What has no minus was spent.
    Turned,
    /// No amount has a minus; this column says of each whether it came or went.
    Told(usize),
}

/// What the rows say of it.
#[derive(Debug, Default)]
pub struct Evidence {
    has_minus: bool,
    has_plus: bool,
    plain: u64,
    turned: u64,
    /// The columns that have had nothing but words of a direction.
    words: Option<Vec<bool>>,
}

impl Evidence {
    pub fn take(&mut self, cells: &[String], amount: &str) {
        let Some(is_minus) = amounts::has_minus(amount) else {
            return;
        };
        self.has_minus |= is_minus;
        self.has_plus |= !is_minus;
        for cell in cells.iter().take(COLUMNS_MAX) {
            match is_spent(cell) {
                Some(is_spent) if is_spent == is_minus => self.plain += 1,
                Some(_) => self.turned += 1,
                None => {}
            }
        }
        let now = cells.iter().take(COLUMNS_MAX).map(|cell| word(cell));
        let now = now.map(|word| word.is_some());
        self.words = Some(match self.words.take() {
            Some(before) => before.into_iter().zip(now).map(|(a, b)| a && b).collect(),
            None => now.collect(),
        });
    }

    pub fn decide(self, header: &Header, said: Option<Flow>) -> Result<Signs, ImportError> {
        if header.is_card_of_charges {
            return Ok(Signs::Turned);
        }
        let words = self.words.unwrap_or_default();
        let told = words.iter().position(|is_word| *is_word);
        if let Some(at) = told.filter(|_| !self.has_minus) {
            return Ok(Signs::Told(at));
        }
        let is_of_account = header.names_account
            || OF_ACCOUNTS
                .into_iter()
                .any(|role| header.at(role).is_some());
        match (self.plain, self.turned, said) {
            _ if is_of_account || !self.has_plus => Ok(Signs::Plain),
            (1.., 0, _) => Ok(Signs::Plain),
            (0, 1.., _) => Ok(Signs::Turned),
            (_, _, Some(Flow::In)) => Ok(Signs::Plain),
            (_, _, Some(Flow::Out)) => Ok(Signs::Turned),
            (_, _, None) => Err(ImportError::Undecided(OPEN)),
        }
    }
}

/// Whether a cell says that its row's money went out (`true`) or came in.
fn is_spent(cell: &str) -> Option<bool> {
    let cell = cell.trim().to_lowercase();
    let is = |words: &[&str]| words.contains(&cell.as_str());
    match () {
        () if is(&SPENT) => Some(true),
        () if is(&CAME) || THANKS.iter().any(|thanks| cell.contains(thanks)) => Some(false),
        () => word(&cell),
    }
}

/// A word of a direction that is long enough to be one.
fn word(cell: &str) -> Option<bool> {
    amounts::is_out(cell).filter(|_| cell.trim().len() >= WORD_BYTES_MIN)
}
