//! `STMTTRN` and the pending `STMTTRNP` as records of `finance.transactions`.
//!
//! The amount keeps its sign: negative is money out in OFX too. The id is the account and the bank's `FITID`.

use serde_json::Value;

use super::amount::amount;
use super::node::OfxNode;
use super::outline::OfxStatement;
use super::record::{OfxRecord, add_currency, identify};
use super::stamp::stamp;
use crate::entry::identity::Identities;
use crate::entry::{RecordFields, put};

/// `TRNTYPE` as the channel the money took.
const CHANNELS: [(&str, &str); 10] = [
    ("ATM", "atm"),
    ("POS", "pos"),
    ("CHECK", "check"),
    ("CASH", "cash"),
    ("XFER", "transfer"),
    ("PAYMENT", "electronic"),
    ("DIRECTDEP", "direct_deposit"),
    ("DIRECTDEBIT", "direct_debit"),
    ("REPEATPMT", "standing_order"),
    ("DEP", "deposit"),
];

/// `TRNTYPE` as a category, where it is one.
const CATEGORIES: [(&str, &str); 4] = [
    ("INT", "interest"),
    ("DIV", "dividend"),
    ("FEE", "fee"),
    ("SRVCHG", "fee"),
];

/// The record of a transaction.
///
/// # Errors
/// Why it is refused, as a sentence.
pub(super) fn map(
    node: &OfxNode,
    statement: &OfxStatement,
    identities: &mut Identities,
) -> Result<OfxRecord, String> {
    if node.name == "LOANSTMTTRN" {
        return Err("transactions of loans are not read".to_owned());
    }
    let account = statement.account.as_ref().map_err(Clone::clone)?;
    let mut fields = RecordFields::new();
    add_money(&mut fields, node, statement)?;
    add_dates(&mut fields, node)?;
    add_description(&mut fields, node);
    identify(&mut fields, node, account, identities);
    fields.insert("account".to_owned(), Value::Object(account.fields.clone()));
    Ok(("finance.transactions", fields))
}

fn add_money(
    fields: &mut RecordFields,
    node: &OfxNode,
    statement: &OfxStatement,
) -> Result<(), String> {
    let text = node.text("TRNAMT").ok_or("it has no TRNAMT")?;
    fields.insert("amount".to_owned(), Value::Number(amount("TRNAMT", text)?));
    add_currency(fields, node, statement)
}

fn add_dates(fields: &mut RecordFields, node: &OfxNode) -> Result<(), String> {
    let is_pending = node.name == "STMTTRNP";
    let name = if is_pending { "DTTRAN" } else { "DTPOSTED" };
    let booked = node.text(name).ok_or_else(|| format!("it has no {name}"))?;
    let booked = stamp(name, booked)?;
    let optional = |name: &str| node.text(name).map(|text| stamp(name, text)).transpose();
    let made = optional("DTUSER")?;
    put(
        fields,
        "status",
        Some(if is_pending { "pending" } else { "posted" }),
    );
    put(fields, "booked_on", Some(booked.day()));
    put(
        fields,
        "value_on",
        optional("DTAVAIL")?.map(|stamp| stamp.day()),
    );
    put(
        fields,
        "transacted_at",
        made.as_ref().unwrap_or(&booked).instant(),
    );
    Ok(())
}

fn add_description(fields: &mut RecordFields, node: &OfxNode) {
    let kind = node
        .text("TRNTYPE")
        .unwrap_or_default()
        .to_ascii_uppercase();
    let name = node
        .text("NAME")
        .or_else(|| node.child("PAYEE")?.text("NAME"));
    put(
        fields,
        "description",
        description(name.or_else(|| node.text("EXTDNAME")), node.text("MEMO")),
    );
    let other = node.child("BANKACCTTO").or_else(|| node.child("CCACCTTO"));
    put(fields, "counterparty_name", name);
    put(
        fields,
        "counterparty_account",
        other.and_then(|node| node.text("ACCTID")),
    );
    put(fields, "payment_channel", find(&CHANNELS, &kind));
    put(fields, "category", find(&CATEGORIES, &kind));
    put(fields, "mcc", node.text("SIC"));
    let check = node
        .text("CHECKNUM")
        .filter(|number| number.bytes().any(|byte| byte != b'0'));
    put(fields, "reference", check.or_else(|| node.text("REFNUM")));
    put(
        fields,
        "transaction_type",
        Some(kind.to_ascii_lowercase()).filter(|kind| !kind.is_empty()),
    );
}

fn find(table: &[(&str, &'static str)], kind: &str) -> Option<&'static str> {
    table
        .iter()
        .find(|(name, _)| *name == kind)
        .map(|(_, meaning)| *meaning)
}

/// `NAME` is cut at 32 characters and often begins the `MEMO`; what is in both is written once.
fn description(name: Option<&str>, memo: Option<&str>) -> Option<String> {
    match (name, memo) {
        (Some(name), Some(memo)) if memo.contains(name) => Some(memo.to_owned()),
        (Some(name), Some(memo)) if name.contains(memo) => Some(name.to_owned()),
        (Some(name), Some(memo)) => Some(format!("{name} / {memo}")),
        (name, memo) => name.or(memo).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cut_short_and_its_memo_are_said_once() {
        let table = [
            (
                Some("DIVIDEND FOR 03"),
                Some("DIVIDEND FOR 03/01/2011"),
                Some("DIVIDEND FOR 03/01/2011"),
            ),
            (Some("Baker"), Some("card 12"), Some("Baker / card 12")),
            (Some("Baker"), None, Some("Baker")),
            (None, Some("memo"), Some("memo")),
            (None, None, None),
        ];
        for (name, memo, expected) in table {
            assert_eq!(description(name, memo).as_deref(), expected);
        }
    }
}
