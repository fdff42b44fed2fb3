//! Whose account a statement is of, where it says so: an IBAN before the header, or a column of its own.

use serde_json::{Map, Value};

use super::rows::CsvRow;

/// How much of the number is shown as the mask.
const MASK_CHARACTERS: usize = 4;
const IBAN_CHARACTERS_MIN: usize = 15;
const IBAN_CHARACTERS_MAX: usize = 34;

/// The account of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CsvAccount {
    pub id: String,
    is_iban: bool,
    /// What the person calls it, where no file says whose account it is.
    name: Option<String>,
}

impl CsvAccount {
    /// The account that a cell names.
    pub(super) fn from_cell(cell: &str) -> Option<Self> {
        let bare: String = cell
            .chars()
            .filter(|character| !character.is_whitespace())
            .collect();
        let has_digits = bare.bytes().filter(u8::is_ascii_digit).count() >= MASK_CHARACTERS;
        has_digits.then(|| Self {
            is_iban: is_iban(&bare),
            id: bare,
            name: None,
        })
    }

    /// The account that the person names.
    pub(super) fn named(name: &str) -> Self {
        let account = Self::from_cell(name).filter(|account| account.is_iban);
        account.unwrap_or_else(|| Self {
            id: name.to_owned(),
            is_iban: false,
            name: Some(name.to_owned()),
        })
    }

    /// The only IBAN that stands before the header.
    pub(super) fn in_preamble(rows: &[CsvRow]) -> Option<Self> {
        let mut found: Vec<Self> = Vec::new();
        for cell in rows.iter().flat_map(|row| &row.cells) {
            let whole = Self::from_cell(cell).filter(|account| account.is_iban);
            let any_word = || {
                cell.split([' ', ':', '/'])
                    .find_map(|word| Self::from_cell(word).filter(|account| account.is_iban))
            };
            if let Some(account) = whole
                .or_else(any_word)
                .filter(|account| !found.contains(account))
            {
                found.push(account);
            }
        }
        if found.len() == 1 { found.pop() } else { None }
    }

    /// The record of `finance.accounts`, to be nested in a transaction.
    pub(super) fn fields(&self, currency: Option<Value>) -> Map<String, Value> {
        let mut fields = Map::new();
        let mut set = |name: &str, value: Value| fields.insert(name.to_owned(), value);
        set("id", Value::from(self.id.as_str()));
        match &self.name {
            Some(name) => set("name", Value::from(name.as_str())),
            None => {
                let mask = self.mask();
                set("name", Value::from(format!("Account {mask}")));
                set("mask", Value::from(mask))
            }
        };
        if self.is_iban {
            set("iban", Value::from(self.id.as_str()));
        }
        if let Some(currency) = currency {
            set("currency", currency);
        }
        fields
    }

    fn mask(&self) -> String {
        let hidden = self.id.chars().count().saturating_sub(MASK_CHARACTERS);
        self.id.chars().skip(hidden).collect()
    }
}

/// Whether the check digits hold (ISO 13616).
fn is_iban(text: &str) -> bool {
    let is_formed = (IBAN_CHARACTERS_MIN..=IBAN_CHARACTERS_MAX).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        && text.bytes().take(2).all(|byte| byte.is_ascii_uppercase())
        && text
            .bytes()
            .skip(2)
            .take(2)
            .all(|byte| byte.is_ascii_digit());
    let rotated = text.chars().skip(4).chain(text.chars().take(4));
    let rest = rotated
        .filter_map(|character| character.to_digit(36))
        .fold(0, |rest, digit| match digit {
            0..=9 => (rest * 10 + digit) % 97,
            letter => (rest * 100 + letter) % 97,
        });
    is_formed && rest == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_number_that_checks_is_an_iban() {
        assert!(is_iban("DE89370400440532013000") && is_iban("GB82WEST12345698765432"));
        assert!(!is_iban("DE89370400440532013001") && !is_iban("12345678") && !is_iban(""));
    }
}
