//! Balances: `C` or `D`, a day, a currency and an amount, as `C260131EUR1234,56`.

use chrono::NaiveDate;
use serde_json::Number;

use super::booking::{amount, day, take};

/// A balance at the end of a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mt940Balance {
    pub day: NaiveDate,
    pub currency: String,
    pub amount: Number,
}

/// Reads one; a balance that cannot be read is none.
pub(super) fn balance(text: &str) -> Option<Mt940Balance> {
    let (mark, rest) = take(text.trim(), 1)?;
    let is_debit = match mark {
        "C" => false,
        "D" => true,
        _ => return None,
    };
    let (day_text, rest) = take(rest, 6)?;
    let (currency, rest) = take(rest, 3)?;
    let is_currency = currency.bytes().all(|byte| byte.is_ascii_uppercase());
    Some(Mt940Balance {
        day: day(day_text)?,
        currency: is_currency.then(|| currency.to_owned())?,
        amount: amount(rest.trim(), is_debit)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_balance_is_signed_by_its_mark() {
        let read = |text| balance(text).map(|own| (own.day.to_string(), own.amount.to_string()));
        let told = |day: &str, amount: &str| Some((day.to_owned(), amount.to_owned()));
        assert_eq!(read("C260131EUR1234,56"), told("2026-01-31", "1234.56"));
        assert_eq!(read("D991231CHF0,5"), told("1999-12-31", "-0.5"));
        assert_eq!(read("C260131EUR0,"), told("2026-01-31", "0"));
        for none in [
            "",
            "X260131EUR1,",
            "C261331EUR1,",
            "C260131EU1,",
            "C260131EURx",
        ] {
            assert_eq!(balance(none), None, "{none}");
        }
    }
}
