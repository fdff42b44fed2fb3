//! The bank of an account, which the two versions of the protocol name in different places.

use reqwest::Url;
use serde::Deserialize;
use serde_json::{Map, Value};

/// A bank that is linked at the bridge (version 2).
#[derive(Clone, Debug, Deserialize)]
pub(super) struct SentBank {
    pub(super) conn_id: Option<String>,
    pub(super) name: Option<String>,
    pub(super) org_id: Option<String>,
    pub(super) org_name: Option<String>,
    pub(super) org_url: Option<String>,
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

impl Institution {
    pub(super) fn of(account: &Map<String, Value>, links: &[SentBank]) -> Self {
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

/// A text that is not empty; an id may be a number too.
pub(super) fn text(of: &Map<String, Value>, name: &str) -> Option<String> {
    match of.get(name)? {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_bank_is_named_by_either_version() {
        let read = |account: Value, links: Value| {
            let links: Vec<SentBank> = serde_json::from_value(links).unwrap();
            Institution::of(account.as_object().unwrap(), &links)
        };
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
        assert_eq!(one, expected);
        let links = json!([
            {"conn_id": "c1", "name": "Mine", "org_id": "7", "org_url": "https://www.bank.test/login"},
            {"conn_id": "c2", "name": "Other"}
        ]);
        let two = read(json!({"id": "a", "conn_id": "c1"}), links.clone());
        assert_eq!(two.name.as_deref(), Some("Mine"));
        assert_eq!(two.domain.as_deref(), Some("bank.test"));
        assert_eq!(two.link.as_deref(), Some("c1"));
        let three = read(json!({"id": "a", "conn_id": "c2"}), links);
        assert_eq!((three.name.as_deref(), three.domain), (Some("Other"), None));
    }
}
