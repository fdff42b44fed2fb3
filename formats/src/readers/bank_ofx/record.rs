//! What the records of transactions, trades and holdings have in common: a table, a currency, an id.

use serde_json::{Value, json};

use super::account::OfxAccount;
use super::amount::amount;
use super::node::OfxNode;
use super::outline::OfxStatement;
use crate::entry::identity::Identities;
use crate::entry::{RecordFields, put};

/// A record before it has its place: the table and the fields.
pub(super) type OfxRecord = (&'static str, RecordFields);

/// The currency of the amount: `CURRENCY` replaces the statement's own, `ORIGCURRENCY` says what the amount,
/// converted by the bank already, has been before (OFX 2.3 §5.2).
pub(super) fn add_currency(
    fields: &mut RecordFields,
    node: &OfxNode,
    statement: &OfxStatement,
) -> Result<(), String> {
    let foreign = node.find("CURRENCY").and_then(|node| node.text("CURSYM"));
    let currency = foreign
        .map(str::to_uppercase)
        .or_else(|| statement.currency.clone());
    let currency = currency.ok_or("neither it nor its statement names a currency")?;
    let fx = [
        ("CURRENCY", "currency"),
        ("ORIGCURRENCY", "original_currency"),
    ]
    .into_iter()
    .find_map(|(name, key)| {
        let node = node.find(name)?;
        let rate = amount("CURRATE", node.text("CURRATE")?).ok()?;
        (node.text("CURSYM")? != statement.currency.as_deref()?)
            .then(|| json!({key: node.text("CURSYM"), "rate": rate}))
    });
    put(fields, "fx", fx);
    fields.insert("currency".to_owned(), Value::from(currency));
    Ok(())
}

/// Gives the record its id. A correction (`CORRECTFITID`) takes the place of what it corrects, or removes it.
pub(super) fn identify(
    fields: &mut RecordFields,
    node: &OfxNode,
    account: &OfxAccount,
    identities: &mut Identities,
) {
    let corrected = node.find_text("CORRECTFITID");
    let own = node
        .find_text("FITID")
        .filter(|key| key.bytes().any(|byte| byte != b'0'));
    let id = match corrected.or(own) {
        Some(key) => identities.id_from_key(&format!("{}/{key}", account.id), fields),
        None => identities.id_from_content(&format!("{}/", account.id), fields),
    };
    let is_synthetic = corrected.or(own).is_none().then_some(true);
    put(fields, "source_id_is_synthetic", is_synthetic);
    fields.insert("id".to_owned(), Value::from(id));
    if corrected.is_some() && node.find_text("CORRECTACTION") == Some("DELETE") {
        fields.insert("_deleted".to_owned(), Value::Bool(true));
    }
}
