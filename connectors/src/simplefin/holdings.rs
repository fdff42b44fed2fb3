//! What an account holds, by the day: one page with an item for each security, in a scope that goes with the account.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use serde_json::{Map, Value, json};
use sextant_formats::RecordFields;

use super::account::{SentAccount, is_amount};
use super::changes::{change, skipped_item};
use super::institution::text;
use super::items::{day_text, item};
use crate::digest_key::within_limit;
use crate::failure::SourceFailure;
use crate::record_fields::put;
use crate::round::{KnownItems, Page, RoundRequest, ScopeCoverage, SourceItem};

/// The key of what holds them; no payment has it, since theirs begin otherwise.
pub(super) const HOLDINGS_KEY: &str = "holdings";

/// What holds the holdings of an account, so that they go with it. It has no row.
pub(super) fn holder(account: &str) -> SourceItem {
    SourceItem {
        key: HOLDINGS_KEY.to_owned(),
        version: String::new(),
        at: None,
        holds: Some(scope(account)),
        records: Vec::new(),
    }
}

/// What the account holds today; `None` where it holds nothing.
///
/// # Errors
/// When it is not known what is stored.
pub(super) async fn page(
    (key, request, known): (&str, &RoundRequest, &dyn KnownItems),
    account: &mut SentAccount,
) -> Result<Option<Page>, SourceFailure> {
    let sent = std::mem::take(&mut account.holdings);
    if sent.is_empty() {
        return Ok(None);
    }
    let mut page = Page::new(scope(key), json!({}));
    page.coverage = ScopeCoverage::Everything;
    let (mut items, mut seen) = (Vec::new(), BTreeSet::new());
    let at = account.balance_at.unwrap_or(request.now);
    let day = at.with_timezone(&request.zone).date_naive();
    for sent in sent {
        match holding(sent, (key, account), day) {
            Ok(item) if seen.insert(item.key.clone()) => items.push(item),
            Ok(_) => {}
            Err(reason) => page.skipped.push(skipped_item(None, reason)),
        }
    }
    let keys: Vec<_> = items.iter().map(|item| item.key.clone()).collect();
    let versions = known.versions(&page.scope, &keys).await?;
    let changed = items.into_iter().filter_map(|item| {
        let stored = versions.get(&item.key);
        change(item, stored, false)
    });
    page.changes = changed.collect();
    Ok(Some(page))
}

/// The scope in which the holdings of an account lie, a day each.
fn scope(account: &str) -> String {
    within_limit(format!("holdings:{account}"))
}

/// What an account holds of something on a day.
///
/// # Errors
/// Why it is left out.
fn holding(
    sent: Value,
    (account, of): (&str, &SentAccount),
    day: NaiveDate,
) -> Result<SourceItem, &'static str> {
    let Value::Object(sent) = sent else {
        return Err("it is no holding");
    };
    let id = text(&sent, "id").or_else(|| text(&sent, "symbol"));
    let id = id.ok_or("it has no id")?;
    let name = text(&sent, "description");
    let symbol = text(&sent, "symbol");
    let mut fields = RecordFields::new();
    put(&mut fields, "account_id", Some(account));
    put(&mut fields, "day", Some(day_text(day)));
    let named = name.or_else(|| symbol.is_none().then(|| id.clone()));
    put(&mut fields, "name", named);
    put(&mut fields, "symbol", symbol);
    put(&mut fields, "quantity", amount_of(&sent, "shares"));
    // Some bridges write these with a dash.
    for (name, dashed) in [
        ("market_value", "market-value"),
        ("cost_basis", "cost-basis"),
    ] {
        let amount = amount_of(&sent, name).or_else(|| amount_of(&sent, dashed));
        put(&mut fields, name, amount);
    }
    let currency = text(&sent, "currency").or_else(|| of.currency.clone());
    put(&mut fields, "currency", currency);
    put(&mut fields, "raw", Some(Value::Object(sent)));
    let key = within_limit(format!("{id}/{day}"));
    let row = within_limit(format!("{account}/{id}/{day}"));
    Ok(item("finance.holdings", key, row, None, fields))
}

fn amount_of(sent: &Map<String, Value>, name: &str) -> Option<Value> {
    sent.get(name).filter(|own| is_amount(own)).cloned()
}

#[cfg(test)]
mod tests;
