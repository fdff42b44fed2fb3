//! The first pass: what only all rows together can say. It keeps a digest of each row, not the row.

use std::collections::HashSet;
use std::io::BufRead;

use chrono_tz::Tz;
use sha2::{Digest as _, Sha256};

use super::account::CsvAccount;
use super::amounts::{self, Decimals};
use super::currency::currency_sign_in;
use super::dates;
use super::dialect::Dialect;
use super::role::Role;
use super::rows::{CsvRow, CsvRows};
use super::signs::{self, Signs};
use crate::error::{FileError, OpenQuestion};
use crate::readers::{DateOrder, Options};

const DATES: [Role; 2] = [Role::Booked, Role::Valued];
const MOVED: [Role; 3] = [Role::Amount, Role::Debit, Role::Credit];
const BALANCE: [Role; 1] = [Role::Balance];
const FEE: [Role; 1] = [Role::Fee];

/// What holds of all rows of a file.
#[derive(Debug)]
pub(super) struct CsvOutline {
    pub order: DateOrder,
    pub decimals: Decimals,
    /// Some banks write balances with another mark than amounts.
    pub balance_decimals: Decimals,
    pub fee_decimals: Decimals,
    pub signs: Signs,
    /// The currency of rows that name none.
    pub currency: Option<String>,
    /// The zone of times that bear none, if the person names one.
    pub zone: Option<Tz>,
    account: Option<CsvAccount>,
    has_keys: bool,
}

impl CsvOutline {
    /// Reads all rows.
    ///
    /// # Errors
    /// The file cannot be read, or leaves open what only the person can say.
    pub(super) fn read<R: BufRead>(
        dialect: &Dialect,
        rows: &mut CsvRows<R>,
        options: &Options,
    ) -> Result<Self, FileError> {
        let mut dates = dates::DateEvidence::default();
        let mut amounts = amounts::AmountEvidence::default();
        let mut balances = amounts::AmountEvidence::default();
        let mut fees = amounts::AmountEvidence::default();
        let mut signs = signs::SignEvidence::default();
        let mut keys = HashSet::new();
        let mut has_keys = dialect.header.column(Role::Key).is_some();
        let mut names_currency = true;
        for row in rows {
            let row = row?;
            if !dialect.is_entry(&row) {
                continue;
            }
            let cells =
                |roles: &'static [Role]| roles.iter().filter_map(|role| dialect.cell(&row, *role));
            cells(&DATES).for_each(|text| dates.add(text));
            cells(&MOVED).for_each(|text| amounts.add(text));
            cells(&BALANCE).for_each(|text| balances.add(text));
            cells(&FEE).for_each(|text| fees.add(text));
            if let Some(amount) = dialect.cell(&row, Role::Amount) {
                signs.add(&row.cells, amount);
            }
            names_currency &= dialect.cell(&row, Role::Currency).is_some()
                || cells(&MOVED)
                    .chain(cells(&BALANCE))
                    .any(|text| currency_sign_in(text).is_some());
            if let Some(key) = dialect.cell(&row, Role::Key) {
                let digest: [u8; 32] = Sha256::digest(key).into();
                has_keys &= keys.insert(digest);
            }
        }
        let currency = dialect
            .header
            .currency
            .clone()
            .or_else(|| options.currency.clone());
        if currency.is_none() && !names_currency {
            return Err(FileError::Open {
                question: OpenQuestion::Currency,
                why: "it does not say the currency of its amounts, neither in a column nor in a title; say it with --currency, such as --currency EUR",
            });
        }
        let decimals = amounts.decimals().map_err(FileError::Undecided)?;
        let balance_decimals = balances.decimals().map_err(FileError::Undecided)?;
        // Fees that contradict each other decide nothing; a fee that is then not certain is a problem of its row.
        let fee_decimals = fees.decimals().unwrap_or(Decimals::Undecided);
        Ok(Self {
            order: dates
                .order(options.date_order)
                .map_err(|why| FileError::Open {
                    question: OpenQuestion::DateOrder,
                    why,
                })?,
            decimals: decimals.or(balance_decimals),
            balance_decimals: balance_decimals.or(decimals),
            fee_decimals: fee_decimals.or(decimals).or(balance_decimals),
            signs: signs.decide(&dialect.header, options.positive)?,
            currency,
            zone: options.zone,
            account: CsvAccount::in_preamble(&dialect.preamble)
                .or_else(|| options.account.as_deref().map(CsvAccount::named)),
            has_keys,
        })
    }

    /// The account that a row is of.
    pub(super) fn account_of(&self, dialect: &Dialect, row: &CsvRow) -> Option<CsvAccount> {
        let own = dialect.cell(row, Role::Own).and_then(CsvAccount::from_cell);
        own.or_else(|| self.account.clone())
    }

    /// The bank's own key of a row, if keys are unique in the file.
    pub(super) fn key_of<'a>(&self, dialect: &Dialect, row: &'a CsvRow) -> Option<&'a str> {
        dialect.cell(row, Role::Key).filter(|_| self.has_keys)
    }
}
