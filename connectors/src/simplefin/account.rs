//! One account of an answer.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::institution::{Institution, SentBank, text};

/// As a bridge sends it, whatever the version.
#[derive(Debug)]
pub(super) struct SentAccount {
    /// Unique at the bridge, as long as the bank is not linked anew.
    pub(super) id: String,
    pub(super) name: String,
    /// Its code, or for points an address.
    pub(super) currency: Option<String>,
    pub(super) balance: Option<Value>,
    pub(super) available: Option<Value>,
    pub(super) balance_at: Option<DateTime<Utc>>,
    pub(super) bank: Institution,
    pub(super) payments: Vec<Value>,
    pub(super) holdings: Vec<Value>,
    /// Everything but payments and holdings, as it was sent.
    pub(super) raw: Value,
}

impl SentAccount {
    /// Reads an account; `None` without an id.
    pub(super) fn read(sent: Value, links: &[SentBank]) -> Option<Self> {
        let Value::Object(mut sent) = sent else {
            return None;
        };
        let id = text(&sent, "id")?;
        let payments = list(sent.remove("transactions"));
        let holdings = list(sent.remove("holdings"));
        Some(Self {
            name: text(&sent, "name").unwrap_or_else(|| id.clone()),
            id,
            currency: text(&sent, "currency"),
            balance: sent.get("balance").filter(|own| is_amount(own)).cloned(),
            available: sent
                .get("available-balance")
                .filter(|own| is_amount(own))
                .cloned(),
            balance_at: instant(sent.get("balance-date")),
            bank: Institution::of(&sent, links),
            payments,
            holdings,
            raw: Value::Object(sent),
        })
    }

    /// The last four digits that its name ends with, or has anywhere: those by which banks tell accounts apart (r124).
    pub(super) fn mask(&self) -> Option<String> {
        let mut runs = self.name.split(|letter: char| !letter.is_ascii_digit());
        let last = runs.rfind(|run| run.len() >= 4)?;
        last.get(last.len() - 4..).map(str::to_owned)
    }
}

fn list(sent: Option<Value>) -> Vec<Value> {
    match sent {
        Some(Value::Array(all)) => all,
        _ => Vec::new(),
    }
}

/// Seconds since 1970; 0 says that there is none.
pub(super) fn instant(sent: Option<&Value>) -> Option<DateTime<Utc>> {
    let seconds = match sent? {
        Value::Number(number) => number.as_i64().or_else(|| whole(number.as_f64()?)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    DateTime::from_timestamp(seconds.filter(|seconds| *seconds > 0)?, 0)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a number of seconds beyond the calendar is refused where it becomes an instant"
)]
fn whole(seconds: f64) -> Option<i64> {
    seconds.is_finite().then_some(seconds as i64)
}

pub(super) fn is_amount(sent: &Value) -> bool {
    match sent {
        Value::String(text) => !text.trim().is_empty(),
        other => other.is_number(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(sent: Value, links: Value) -> SentAccount {
        let links: Vec<SentBank> = serde_json::from_value(links).unwrap();
        SentAccount::read(sent, &links).unwrap()
    }

    #[test]
    fn the_last_four_digits_are_those_in_the_name() {
        for (name, expected) in [
            ("Checking 1234", Some("1234")),
            ("Visa (...9876)", Some("9876")),
            ("Savings xxxx0042 joint", Some("0042")),
            ("Konto 0012345678", Some("5678")),
            ("Checking", None),
            ("401k", None),
        ] {
            let account = read(json!({"id": "a", "name": name}), json!([]));
            assert_eq!(account.mask().as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn zero_is_no_instant() {
        assert_eq!(instant(Some(&json!(0))), None);
        assert_eq!(instant(Some(&json!("0"))), None);
        assert_eq!(instant(Some(&json!(null))), None);
        assert_eq!(instant(Some(&json!(1e300))), None);
        let at = DateTime::from_timestamp(1_700_000_000, 0);
        assert_eq!(instant(Some(&json!(1_700_000_000))), at);
        assert_eq!(instant(Some(&json!("1700000000"))), at);
        assert_eq!(instant(Some(&json!(1_700_000_000.5))), at);
    }
}
