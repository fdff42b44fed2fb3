//! Which of a bank's balances is the present one, and which can be spent. Pure.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::object::{text, text_in};

/// What is booked: at the end of the day, as far as the day has gone, or as it is expected.
const BOOKED: [&str; 6] = ["CLBD", "ITBD", "XPCD", "PRCD", "OPBD", "OTHR"];
/// What can be spent.
const AVAILABLE: [&str; 4] = ["ITAV", "CLAV", "FWAV", "OPAV"];

/// Answered for an account.
#[derive(Debug, Deserialize)]
pub(super) struct SentBalances {
    /// An answer without them is no empty one.
    balances: Vec<Map<String, Value>>,
}

/// The two that are kept.
#[derive(Debug, Default, PartialEq)]
pub(super) struct AccountBalances {
    pub(super) current: Option<String>,
    pub(super) available: Option<String>,
    /// When the first of them was true: an instant, or the middle of a day, so that it is the same day wherever the bank is.
    pub(super) as_of: Option<String>,
}

impl SentBalances {
    /// Those in the account's currency; an account of several may not have one.
    pub(super) fn of_account(&self, currency: Option<&str>) -> AccountBalances {
        let pick = |kinds: &[&str]| {
            let mut kinds = kinds.iter();
            kinds.find_map(|kind| {
                let mut all = self.balances.iter();
                all.find(|own| text(own, "balance_type") == Some(*kind) && is_in(own, currency))
            })
        };
        let (current, available) = (pick(&BOOKED), pick(&AVAILABLE));
        let amount =
            |own: &Map<String, Value>| text_in(own, "balance_amount", "amount").map(str::to_owned);
        AccountBalances {
            current: current.and_then(amount),
            available: available.and_then(amount),
            as_of: current.or(available).and_then(as_of),
        }
    }
}

fn is_in(balance: &Map<String, Value>, currency: Option<&str>) -> bool {
    let own = text_in(balance, "balance_amount", "currency");
    currency.is_none_or(|currency| own == Some(currency))
}

fn as_of(balance: &Map<String, Value>) -> Option<String> {
    let day = text(balance, "reference_date").map(|day| format!("{day}T12:00:00Z"));
    day.or_else(|| text(balance, "last_change_date_time").map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn picked(balances: &[(&str, &str, &str)]) -> AccountBalances {
        let balances = balances.iter().map(|(kind, amount, currency)| {
            let amount = json!({"amount": amount, "currency": currency});
            json!({"name": "", "balance_type": kind, "balance_amount": amount, "reference_date": "2026-11-02"})
        });
        let sent = json!({"balances": balances.collect::<Value>()});
        let sent: SentBalances = serde_json::from_value(sent).unwrap();
        sent.of_account(Some("EUR"))
    }

    #[test]
    fn the_booked_balance_comes_before_the_expected_one() {
        for (balances, current, available) in [
            (
                &[
                    ("XPCD", "1", "EUR"),
                    ("ITBD", "2", "EUR"),
                    ("CLBD", "3", "EUR"),
                ][..],
                Some("3"),
                None,
            ),
            (
                &[
                    ("XPCD", "1", "EUR"),
                    ("CLAV", "4", "EUR"),
                    ("ITAV", "-5.10", "EUR"),
                ],
                Some("1"),
                Some("-5.10"),
            ),
            (
                &[("CLBD", "1", "USD"), ("CLBD", "2", "EUR")],
                Some("2"),
                None,
            ),
            (&[("INFO", "1", "EUR")], None, None),
        ] {
            let told = picked(balances);
            assert_eq!(
                (told.current.as_deref(), told.available.as_deref()),
                (current, available)
            );
            assert_eq!(told.as_of.is_some(), current.is_some());
        }
    }
}
