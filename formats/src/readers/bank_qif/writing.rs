//! How a file writes its days and amounts, and in which currency they are: what only all of its records together say.

use chrono::NaiveDate;
use serde_json::{Number, Value};

use crate::entry::quoted;
use crate::readers::DateOrder;
use crate::readers::bank_csv::amounts::{Decimals, amount};
use crate::readers::bank_csv::dates::day;

/// What holds of all days and amounts of a file.
#[derive(Debug, Clone)]
pub(super) struct QifWriting {
    order: DateOrder,
    decimals: Decimals,
    pub currency: String,
}

impl QifWriting {
    pub(super) fn new(order: DateOrder, decimals: Decimals, currency: String) -> Self {
        Self {
            order,
            decimals,
            currency,
        }
    }

    /// A day as this file writes them.
    ///
    /// # Errors
    /// That it is none, as a sentence.
    pub(super) fn day(&self, text: &str) -> Result<NaiveDate, String> {
        day(&four_digits(text), self.order)
            .ok_or_else(|| format!("{} is not a date that exists", quoted(text)))
    }

    /// An amount as this file writes them.
    ///
    /// # Errors
    /// That it is none, or not certain, as a sentence.
    pub(super) fn amount(&self, text: &str) -> Result<Number, String> {
        amount(text, self.decimals)
    }

    /// A number that only explains a transaction: one that is not certain, such as a price of `50 1/2`, stays as it is written.
    pub(super) fn amount_or_text(&self, text: &str) -> Value {
        self.amount(text).map_or(Value::from(text), Value::from)
    }
}

/// Quicken writes the years from 2000 on as `' 4` and `'04`, those before as `/99`: the same with four digits.
pub(super) fn four_digits(text: &str) -> String {
    match text.split_once('\'') {
        Some((day, year)) => {
            let year = year.trim();
            let is_short = year.len() <= 2 && year.bytes().all(|byte| byte.is_ascii_digit());
            let century = if is_short { "20" } else { "" };
            format!("{}/{century}{year:0>2}", day.replace(' ', ""))
        }
        // `26 Jan 2026` is no day and month run together.
        None if text.contains(char::is_alphabetic) => text.to_owned(),
        // Between points too the month may come first: some programs write so.
        None => text.replace(' ', "").replace('.', "/"),
    }
}
