//! Positions (`POSSTOCK` …) as records of `finance.holdings`: what was held on the day of the statement.
//!
//! A holding is a snapshot, so the day is part of its id: the statement of another day adds to it.

use serde_json::Value;

use super::amount::amount;
use super::node::OfxNode;
use super::outline::{OfxStatement, Securities};
use super::record::{OfxRecord, add_currency};
use super::stamp::stamp;
use crate::entry::identity::Identities;
use crate::entry::{RecordFields, put};

/// Fields that must be readable if they are there, with the tags they come from.
const AMOUNTS: [(&str, &str); 4] = [
    ("quantity", "UNITS"),
    ("price", "UNITPRICE"),
    ("market_value", "MKTVAL"),
    ("average_cost", "AVGCOSTBASIS"),
];

/// The record of a position.
///
/// # Errors
/// Why it is refused, as a sentence.
pub(super) fn map(
    node: &OfxNode,
    statement: &OfxStatement,
    securities: &Securities,
    identities: &mut Identities,
) -> Result<OfxRecord, String> {
    let account = statement.account.as_ref().map_err(Clone::clone)?;
    let key = node
        .find_text("UNIQUEID")
        .ok_or("it does not say which security is held (no UNIQUEID)")?;
    let as_of = statement
        .as_of
        .as_deref()
        .or_else(|| node.find_text("DTPRICEASOF"));
    let as_of = stamp(
        "DTASOF",
        as_of.ok_or("neither it nor its statement names a day")?,
    )?;
    let mut fields = RecordFields::new();
    put(&mut fields, "day", Some(as_of.day()));
    add_security(&mut fields, node, key, securities);
    for (name, tag) in AMOUNTS {
        let amount = node
            .find_text(tag)
            .map(|text| amount(tag, text))
            .transpose()?;
        put(&mut fields, name, amount.map(Value::Number));
    }
    add_currency(&mut fields, node, statement)?;
    put(&mut fields, "memo", node.find_text("MEMO"));
    let parts = [
        Some(account.id.as_str()),
        Some(key),
        node.find_text("HELDINACCT"),
        node.find_text("POSTYPE"),
    ];
    let id = parts.into_iter().flatten().collect::<Vec<_>>().join("/");
    let id = identities.id_from_key(&format!("{id}/{}", as_of.day()), &fields);
    fields.insert("id".to_owned(), Value::from(id));
    fields.insert("account".to_owned(), Value::Object(account.fields.clone()));
    Ok(("finance.holdings", fields))
}

fn add_security(fields: &mut RecordFields, node: &OfxNode, key: &str, securities: &Securities) {
    let security = securities.get(key).cloned().unwrap_or_default();
    let kind = match node.find_text("UNIQUEIDTYPE") {
        Some("ISIN") => "isin",
        Some("CUSIP") => "cusip",
        _ => "security_id",
    };
    put(fields, "symbol", security.symbol);
    put(fields, "name", security.name.as_deref().or(Some(key)));
    put(fields, kind, Some(key));
}
