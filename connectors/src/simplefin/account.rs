//! One account of an answer.

use chrono::{DateTime, Utc};
use reqwest::Url;
use serde_json::{Map, Value};

use super::banks::SentBank;

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

/// The bank of an account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Institution {
    /// The link of this bank at the bridge (version 2).
    pub(super) link: Option<String>,
    pub(super) name: Option<String>,
    pub(super) id: Option<String>,
    /// Its domain, in lower case and without `www.`.
    pub(super) domain: Option<String>,
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

impl Institution {
    fn of(account: &Map<String, Value>, links: &[SentBank]) -> Self {
        let link = text(account, "conn_id");
        let mut known = links.iter();
        let known = known.find(|known| link.is_some() && known.conn_id == link);
        let org = account.get("org").and_then(Value::as_object);
        let of_org = |name: &str| org.and_then(|org| text(org, name));
        let of_link =
            |pick: fn(&SentBank) -> &Option<String>| known.and_then(|own| pick(own).clone());
        let named = of_org("domain").map(|domain| domain.to_lowercase());
        let address = of_org("url").or_else(|| of_link(|own| &own.org_url));
        Self {
            name: of_org("name")
                .or_else(|| of_link(|own| &own.org_name))
                .or_else(|| of_link(|own| &own.name)),
            id: of_org("id").or_else(|| of_link(|own| &own.org_id)),
            domain: named.or_else(|| host(&address?)).map(|own| bare(&own)),
            link,
        }
    }
}

fn host(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    url.host_str().map(str::to_owned)
}

fn bare(domain: &str) -> String {
    domain.strip_prefix("www.").unwrap_or(domain).to_owned()
}

fn list(sent: Option<Value>) -> Vec<Value> {
    match sent {
        Some(Value::Array(all)) => all,
        _ => Vec::new(),
    }
}

/// A text that is not empty; an id may be a number too.
pub(super) fn text(of: &Map<String, Value>, name: &str) -> Option<String> {
    match of.get(name)? {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
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
    fn a_bank_is_named_by_either_version() {
        let one = read(
            json!({"id": "a", "org": {"domain": "My.Bank.test", "name": "My Bank", "id": "7"}}),
            json!([]),
        );
        let expected = Institution {
            link: None,
            name: Some("My Bank".to_owned()),
            id: Some("7".to_owned()),
            domain: Some("my.bank.test".to_owned()),
        };
        assert_eq!(one.bank, expected);
        let links = json!([
            {"conn_id": "c1", "name": "Mine", "org_id": "7", "org_url": "https://www.bank.test/login"},
            {"conn_id": "c2", "name": "Other"}
        ]);
        let two = read(json!({"id": "a", "conn_id": "c1"}), links.clone());
        assert_eq!(two.bank.name.as_deref(), Some("Mine"));
        assert_eq!(two.bank.domain.as_deref(), Some("bank.test"));
        assert_eq!(two.bank.link.as_deref(), Some("c1"));
        let three = read(json!({"id": "a", "conn_id": "c2"}), links);
        assert_eq!(
            (three.bank.name.as_deref(), three.bank.domain),
            (Some("Other"), None)
        );
    }

    #[test]
    fn r124_the_last_four_digits_are_those_in_the_name() {
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
