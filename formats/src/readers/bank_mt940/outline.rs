//! The first pass over a file: what its bookings need to know that stands after them.
//!
//! Holds one small record a statement, whatever the number of bookings.

use std::collections::{HashMap, HashSet};
use std::io::BufRead;

use serde_json::Value;

use super::account::Mt940Account;
use super::balance::{Mt940Balance, balance};
use super::fields::{ACCOUNT, BOOKING, Mt940Field, Mt940Fields, REFERENCE};
use crate::entry::put;
use crate::error::FileError;
use crate::readers::Options;
use crate::readers::stated_balance::end_of;

/// All statements of a file in its order, and the accounts that they are of.
#[derive(Debug, Default)]
pub(super) struct Mt940Outline {
    pub statements: Vec<Mt940Statement>,
    /// How many balances cannot be read.
    pub unread_balances: u64,
    /// By their ids, with the newest balances.
    accounts: HashMap<String, Mt940Account>,
}

/// What a statement says for all of its bookings.
#[derive(Debug, Default)]
pub(super) struct Mt940Statement {
    /// The id of the account, if any is named.
    account: Option<String>,
    /// The currency of all amounts.
    pub currency: Option<String>,
    /// How many bookings it holds.
    bookings: u64,
    /// It is the first of an account of which the file has no booking.
    pub is_alone: bool,
}

/// A statement while it is read.
#[derive(Debug, Default)]
struct ReadStatement {
    account: Option<String>,
    first_balance: Option<Mt940Balance>,
    closing: Option<Mt940Balance>,
    available: Option<Mt940Balance>,
    floor_currency: Option<String>,
    bookings: u64,
    unread_balances: u64,
}

impl Mt940Outline {
    /// Reads the whole file; `options` name what statements leave open.
    pub(super) fn read<R: BufRead>(
        fields: Mt940Fields<R>,
        options: &Options,
    ) -> Result<Self, FileError> {
        let mut outline = Self::default();
        let mut open: Option<ReadStatement> = None;
        for field in fields {
            let field = field?;
            if field.tag == REFERENCE {
                let before = open.replace(ReadStatement::default());
                before
                    .into_iter()
                    .for_each(|read| outline.add(read, options));
            } else if let Some(read) = &mut open {
                read.take(&field);
            }
        }
        open.into_iter().for_each(|read| outline.add(read, options));
        outline.mark_alone();
        match outline.statements.is_empty() {
            true => Err(FileError::NotThisFormat(
                "this is no MT940 file: it holds no :20:",
            )),
            false => Ok(outline),
        }
    }

    fn mark_alone(&mut self) {
        let with_bookings = self.statements.iter().filter(|own| own.bookings > 0);
        let mut known: HashSet<_> = with_bookings.map(|own| own.account.clone()).collect();
        for statement in &mut self.statements {
            statement.is_alone = known.insert(statement.account.clone());
        }
    }

    fn add(&mut self, read: ReadStatement, options: &Options) {
        let currency = read.currency().or_else(|| options.currency.clone());
        let named = read
            .account
            .as_deref()
            .and_then(|text| Mt940Account::of_field(text, currency.as_deref()));
        let option = options.account.as_deref();
        let account = named.or_else(|| Some(Mt940Account::of_option(option?, currency.as_deref())));
        self.unread_balances += read.unread_balances;
        self.statements.push(Mt940Statement {
            account: account.as_ref().map(|account| account.id.clone()),
            currency,
            bookings: read.bookings,
            is_alone: false,
        });
        if let Some(account) = account {
            let known = self.accounts.entry(account.id.clone()).or_insert(account);
            add_balances(known, &read);
        }
    }

    /// The account of a statement.
    ///
    /// # Errors
    /// That none is named, as a sentence.
    pub(super) fn account_of(&self, statement: &Mt940Statement) -> Result<&Mt940Account, String> {
        let id = statement.account.as_ref();
        id.and_then(|id| self.accounts.get(id)).ok_or_else(|| {
            "the statement does not say which account it is about; name it with --account NAME"
                .to_owned()
        })
    }
}

impl ReadStatement {
    fn take(&mut self, field: &Mt940Field) {
        match field.tag.as_str() {
            tag if ACCOUNT.contains(&tag) => {
                let first = field.text.lines().next().unwrap_or_default();
                self.account = Some(first.to_owned());
            }
            "60F" | "60M" => self.first_balance = self.balance(&field.text),
            "62F" | "62M" => self.closing = self.balance(&field.text),
            "64" => self.available = self.balance(&field.text),
            // An interim report has no balances: its floor limit names the currency.
            "34F" => self.floor_currency = field.text.get(..3).map(str::to_owned),
            BOOKING => self.bookings += 1,
            _ => {}
        }
    }

    fn balance(&mut self, text: &str) -> Option<Mt940Balance> {
        let read = balance(text);
        self.unread_balances += u64::from(read.is_none());
        read
    }

    fn currency(&self) -> Option<String> {
        let balances = [&self.first_balance, &self.closing, &self.available];
        let named = balances.into_iter().flatten().next();
        named
            .map(|balance| balance.currency.clone())
            .or_else(|| self.floor_currency.clone())
    }
}

/// The newest balance of all statements of an account, of two from one day the later in the file.
fn add_balances(account: &mut Mt940Account, read: &ReadStatement) {
    let Some(closing) = &read.closing else { return };
    let as_of = end_of(closing.day);
    let known = account.fields.get("balance_as_of").and_then(Value::as_str);
    if known.is_some_and(|known| known > as_of.as_str()) {
        return;
    }
    let available = read.available.as_ref().map(|own| own.amount.clone());
    account.fields.remove("balance_available");
    put(
        &mut account.fields,
        "balance_current",
        Some(closing.amount.clone()),
    );
    put(&mut account.fields, "balance_available", available);
    put(&mut account.fields, "balance_as_of", Some(as_of));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(text: &str) -> Result<Mt940Outline, FileError> {
        Mt940Outline::read(Mt940Fields::new(text.as_bytes()), &Options::default())
    }

    #[test]
    fn the_newest_balance_of_an_account_is_told_with_all_of_its_statements() {
        let day = |day: u8, amount: u8| {
            format!(
                ":20:A\n:25:12345678\n:60F:C26010{day}EUR1,\n:61:260101C1,\n:62F:C26010{day}EUR{amount},\n-\n"
            )
        };
        let text = format!("{}{}{}", day(2, 20), day(3, 30), day(1, 10));
        let outline = outline(&text).unwrap();
        assert_eq!(outline.statements.len(), 3);
        for statement in &outline.statements {
            let account = outline.account_of(statement).unwrap();
            assert_eq!(account.fields["balance_current"].to_string(), "30");
            assert_eq!(account.fields["balance_as_of"], "2026-01-03T23:59:59");
            assert_eq!(
                (statement.bookings, statement.currency.as_deref()),
                (1, Some("EUR"))
            );
        }
    }

    #[test]
    fn a_file_without_statements_is_none_of_this_format() {
        assert!(outline("hello\n").is_err());
    }

    #[test]
    fn a_statement_of_nobody_says_what_to_do() {
        let outline = outline(":20:A\n:60F:C260101EUR1,\n").unwrap();
        let said = outline.account_of(&outline.statements[0]).unwrap_err();
        assert!(said.contains("--account"), "{said}");
    }
}
