//! How an amount gets its sign: the one place that decides it.
//!
//! 1. A column of directions says it, known by its title, or by its words where no amount has a minus.
//! 2. A file with a column for each direction needs no sign.
//! 3. Else it is what an amount without a minus means: money that came in, or, as on some cards, money that was spent.
//!    Titles that only an account or only such a card has say it, or rows whose own words do (`PAYMENT - THANK YOU` came
//!    in, a `Sale` went out). A file in which nothing is without a minus needs no answer.
//! 4. Any other one is a question to the person, unless many amounts have a minus: then that is what was spent.

use super::amounts;
use super::directions::{self, COLUMNS_MAX, is_surely_out};
use super::header::CsvHeader;
use super::role::Role;
use crate::error::{FileError, OpenQuestion};
use crate::readers::MoneyFlow;

/// Columns that cards on which charges are positive do not have: their statement is of an account.
const OF_ACCOUNTS: [Role; 7] = [
    Role::Balance,
    Role::Valued,
    Role::Account,
    Role::Own,
    Role::Debit,
    Role::Credit,
    Role::Status,
];
/// Words for money that was spent, besides the words of a direction.
const SPENT: [&str; 3] = ["sale", "purchase", "kauf"];
/// What the statement of a card calls a payment to it. That of an account names the card instead.
const THANKS: [&str; 7] = [
    "payment - thank you",
    "payment thank you",
    "payment received",
    "payment-thank you",
    "zahlung erhalten",
    "paiement enregistr",
    "gracias por su pago",
];
/// Of so many amounts at least one has a minus where a minus is what was spent. A card that writes its charges without one
/// has a payment or two among many.
const MINUSES_OF_ACCOUNTS: u64 = 4;
const OPEN: &str = "it does not say whether its amounts without a minus came in or were spent, as cards have it; say it with --positive in or --positive out";

/// How the sign of an amount is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signs {
    /// The column at this place says of each amount whether it came or went.
    ByColumn(usize),
    /// It is as written.
    AsWritten,
    /// What has no minus was spent.
    Inverted,
}

/// What the rows say of it.
#[derive(Debug, Default)]
pub(super) struct SignEvidence {
    minus: u64,
    plus: u64,
    /// Rows whose words say that an amount without a minus came in, or the same the other way round.
    as_written: u64,
    inverted: u64,
    directions: directions::DirectionEvidence,
}

impl SignEvidence {
    /// Counts what a row with this amount says.
    pub(super) fn add(&mut self, cells: &[String], amount: &str) {
        let Some(is_minus) = amounts::has_minus(amount) else {
            return;
        };
        match is_minus {
            true => self.minus += 1,
            false => self.plus += 1,
        }
        for cell in cells.iter().take(COLUMNS_MAX) {
            match is_spent(cell) {
                Some(is_spent) if is_spent == is_minus => self.as_written += 1,
                Some(_) => self.inverted += 1,
                None => {}
            }
        }
        self.directions.add(cells);
    }

    /// How the signs of the file are found; `option` is what the person says of it.
    pub(super) fn decide(
        &self,
        header: &CsvHeader,
        option: Option<MoneyFlow>,
    ) -> Result<Signs, FileError> {
        let by_words = || self.directions.column().filter(|_| self.minus == 0);
        if let Some(at) = header.column(Role::Direction).or_else(by_words) {
            return Ok(Signs::ByColumn(at));
        }
        match (self.as_written, self.inverted, option) {
            _ if header.is_card_of_charges => Ok(Signs::Inverted),
            _ if is_of_account(header) || self.plus == 0 => Ok(Signs::AsWritten),
            (1.., 0, _) => Ok(Signs::AsWritten),
            (0, 1.., _) => Ok(Signs::Inverted),
            (_, _, Some(MoneyFlow::In)) => Ok(Signs::AsWritten),
            (_, _, Some(MoneyFlow::Out)) => Ok(Signs::Inverted),
            (0, 0, None) if self.has_many_minuses() => Ok(Signs::AsWritten),
            (_, _, None) => Err(FileError::Open {
                question: OpenQuestion::Positive,
                why: OPEN,
            }),
        }
    }

    fn has_many_minuses(&self) -> bool {
        self.minus * MINUSES_OF_ACCOUNTS >= self.minus + self.plus
    }
}

/// A column that may be the currency is no sign of an account.
fn is_of_account(header: &CsvHeader) -> bool {
    let currency = header.column(Role::Currency);
    let mut places = OF_ACCOUNTS
        .into_iter()
        .filter_map(|role| header.column(role));
    header.names_account || places.any(|at| Some(at) != currency)
}

/// Whether a cell says that its row's money went out (`true`) or came in.
fn is_spent(cell: &str) -> Option<bool> {
    let cell = cell.trim().to_lowercase();
    match () {
        () if SPENT.contains(&cell.as_str()) => Some(true),
        () if THANKS.iter().any(|thanks| cell.contains(thanks)) => Some(false),
        () => is_surely_out(&cell),
    }
}
