//! Trades (`BUYSTOCK`, `INCOME` …) as records of `finance.transactions`: the money they moved.
//!
//! A purchase or a sale moves cash, `TOTAL`, in the account; what was traded goes along in fields of its own. A
//! trade that moves securities alone (a transfer, a split, a reinvested dividend) has no table and is refused.

use serde_json::Value;

use super::amount::amount;
use super::node::OfxNode;
use super::outline::{OfxStatement, Securities};
use super::record::{OfxRecord, add_currency, identify};
use super::stamp::stamp;
use crate::entry::identity::Identities;
use crate::entry::{RecordFields, put};

/// The trades that move cash, with the words for them where the file has none.
const CASH_TRADES: [(&str, &str); 14] = [
    ("BUYDEBT", "Bought"),
    ("BUYMF", "Bought"),
    ("BUYOPT", "Bought"),
    ("BUYOTHER", "Bought"),
    ("BUYSTOCK", "Bought"),
    ("INCOME", "Income"),
    ("INVEXPENSE", "Expense"),
    ("MARGININTEREST", "Margin interest"),
    ("RETOFCAP", "Return of capital"),
    ("SELLDEBT", "Sold"),
    ("SELLMF", "Sold"),
    ("SELLOPT", "Sold"),
    ("SELLOTHER", "Sold"),
    ("SELLSTOCK", "Sold"),
];

/// The record of a trade.
///
/// # Errors
/// Why it is refused, as a sentence.
pub(super) fn map(
    node: &OfxNode,
    statement: &OfxStatement,
    securities: &Securities,
    identities: &mut Identities,
) -> Result<OfxRecord, String> {
    let (_, words) = CASH_TRADES
        .iter()
        .find(|(name, _)| *name == node.name)
        .ok_or_else(|| {
            format!(
                "a {} moves no money, and there is no table for the securities it moves",
                node.name
            )
        })?;
    let account = statement.account.as_ref().map_err(Clone::clone)?;
    let mut fields = RecordFields::new();
    let total = node.find_text("TOTAL").ok_or("it has no TOTAL")?;
    fields.insert("amount".to_owned(), Value::Number(amount("TOTAL", total)?));
    add_currency(&mut fields, node, statement)?;
    add_dates(&mut fields, node)?;
    add_trade(&mut fields, node, words, securities);
    identify(&mut fields, node, account, identities);
    fields.insert("account".to_owned(), Value::Object(account.fields.clone()));
    Ok(("finance.transactions", fields))
}

/// Booked when traded; the value day is the day of settlement.
fn add_dates(fields: &mut RecordFields, node: &OfxNode) -> Result<(), String> {
    let traded = stamp(
        "DTTRADE",
        node.find_text("DTTRADE").ok_or("it has no DTTRADE")?,
    )?;
    let settled = node
        .find_text("DTSETTLE")
        .map(|text| stamp("DTSETTLE", text))
        .transpose()?;
    put(fields, "status", Some("posted"));
    put(fields, "booked_on", Some(traded.day()));
    put(fields, "value_on", settled.map(|stamp| stamp.day()));
    put(fields, "transacted_at", traded.instant());
    Ok(())
}

fn add_trade(fields: &mut RecordFields, node: &OfxNode, words: &str, securities: &Securities) {
    let key = node.find_text("UNIQUEID");
    let security = key
        .and_then(|key| securities.get(key))
        .cloned()
        .unwrap_or_default();
    let what = node.find_text("MEMO").unwrap_or(words);
    let whose = security.name.as_deref().or(key).unwrap_or_default();
    put(
        fields,
        "description",
        Some(format!("{what} {whose}").trim().to_owned()),
    );
    put(fields, "category", Some("investment"));
    put(
        fields,
        "transaction_type",
        Some(node.name.to_ascii_lowercase()),
    );
    put(fields, "security_id", key);
    put(fields, "security_name", security.name);
    put(fields, "symbol", security.symbol);
    for (name, tag) in [
        ("quantity", "UNITS"),
        ("price", "UNITPRICE"),
        ("commission", "COMMISSION"),
        ("fees", "FEES"),
    ] {
        put(
            fields,
            name,
            node.find_text(tag).and_then(|text| amount(tag, text).ok()),
        );
    }
}
