//! Accounts as rows: the columns that a push of the same thing has. What was sent stands beside them as `raw`.

use chrono::SecondsFormat;
use serde_json::{Map, Value};
use sextant_formats::RecordFields;

use super::balances::AccountBalances;
use super::link::{BankLink, LinkedAccount};
use super::object::{put, text, text_in};
use super::refusal::{BankRefusal, RefusalReach};
use crate::digest_key::{digest, within_limit};
use crate::round::{ItemChange, SourceItem, SourceRecord};

const TABLE: &str = "finance.accounts";

/// Kinds of account: the type and the subtype of each, and what it is called where the bank calls it nothing.
const KINDS: [(&str, &str, Option<&str>, &str); 6] = [
    ("CACC", "depository", Some("checking"), "Current account"),
    ("SVGS", "depository", Some("savings"), "Savings account"),
    ("CASH", "depository", None, "Cash account"),
    ("CARD", "credit", Some("credit card"), "Card"),
    ("LOAN", "loan", None, "Loan"),
    ("OTHR", "other", None, "Account"),
];

/// Said of an account that the last consent left out.
const LEFT_OUT: &str =
    "the last consent left this account out: link the bank again and tick it to read on";

/// The scope in which the payments of an account lie.
pub(super) fn payments_scope(account: &str) -> String {
    within_limit(format!("account:{account}"))
}

/// What a person knows an account by.
pub(super) fn name(account: &LinkedAccount, link: &BankLink) -> String {
    let sent = &account.sent;
    let given = text(sent, "details").or_else(|| text(sent, "product"));
    let kind = kind_of(sent).map_or("Account", |(_, _, _, title)| title);
    let ending = mask(sent).map_or(String::new(), |mask| format!(" {mask}"));
    given.map_or_else(
        || format!("{} {kind}{ending}", link.bank_name()),
        str::to_owned,
    )
}

/// The account under its `key`, as the bank tells it. Balances are left out that could not be had.
pub(super) fn item(
    (account, link): (&LinkedAccount, &BankLink),
    key: &str,
    balances: AccountBalances,
) -> SourceItem {
    let sent = &account.sent;
    let mut fields = RecordFields::new();
    put(&mut fields, "name", Some(name(account, link)));
    put(&mut fields, "official_name", text(sent, "product"));
    put(&mut fields, "institution_name", Some(link.bank_name()));
    let bic = text_in(sent, "account_servicer", "bic_fi");
    put(&mut fields, "institution_id", bic);
    let kind = kind_of(sent);
    put(&mut fields, "type", kind.map(|(_, kind, ..)| *kind));
    put(
        &mut fields,
        "subtype",
        kind.and_then(|(_, _, subtype, _)| *subtype),
    );
    put(&mut fields, "currency", currency(sent));
    put(&mut fields, "mask", mask(sent));
    put(&mut fields, "iban", iban(sent));
    put(&mut fields, "balance_current", balances.current);
    put(&mut fields, "balance_available", balances.available);
    put(&mut fields, "balance_as_of", balances.as_of);
    put(
        &mut fields,
        "balance_limit",
        text_in(sent, "credit_limit", "amount"),
    );
    put(&mut fields, "status", Some("ok"));
    let ends_at = link.ends_at().to_rfc3339_opts(SecondsFormat::Secs, true);
    put(&mut fields, "consent_expires_at", Some(ends_at));
    put(&mut fields, "raw", Some(sent.clone()));
    SourceItem {
        key: key.to_owned(),
        version: digest(Value::Object(fields.clone()).to_string()),
        at: None,
        holds: Some(payments_scope(key)),
        records: vec![record(key, fields)],
    }
}

/// What is wrong with an account that is stored, beside everything that is known of it.
pub(super) fn troubled(key: &str, refusal: &BankRefusal) -> ItemChange {
    let status = match refusal.reach {
        RefusalReach::Person => "needs_sign_in",
        _ => "stale",
    };
    amended(
        key,
        status,
        refusal.code.as_deref(),
        &refusal.failure.message,
    )
}

/// An account that is stored, and in no consent now.
pub(super) fn left_out(key: &str) -> ItemChange {
    amended(key, "needs_sign_in", None, LEFT_OUT)
}

fn amended(key: &str, status: &str, code: Option<&str>, words: &str) -> ItemChange {
    let fields = [
        ("status", Value::from(status)),
        ("bank_error_code", Value::from(code)),
        ("bank_error_message", Value::from(words)),
    ];
    let fields: RecordFields = fields
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    ItemChange::Amend {
        key: key.to_owned(),
        version: digest(format!("{status} {code:?} {words}")),
        records: vec![record(key, fields)],
    }
}

fn record(key: &str, fields: RecordFields) -> SourceRecord {
    SourceRecord {
        target: TABLE,
        source_id: key.to_owned(),
        fields,
    }
}

/// The account's currency; one of several has none.
pub(super) fn currency(sent: &Map<String, Value>) -> Option<&str> {
    text(sent, "currency").filter(|own| *own != "XXX")
}

fn kind_of(
    sent: &Map<String, Value>,
) -> Option<&'static (
    &'static str,
    &'static str,
    Option<&'static str>,
    &'static str,
)> {
    let code = text(sent, "cash_account_type")?;
    KINDS.iter().find(|(own, ..)| *own == code)
}

fn iban(sent: &Map<String, Value>) -> Option<&str> {
    text_in(sent, "account_id", "iban")
}

/// The last four letters of the account's number, or of a card's, whose middle is hidden.
fn mask(sent: &Map<String, Value>) -> Option<String> {
    let all = sent.get("all_account_ids").and_then(Value::as_array);
    let own = sent.get("account_id").and_then(|id| id.get("other"));
    let others = own.into_iter().chain(all.into_iter().flatten());
    let numbers = others.filter_map(|other| other.get("identification")?.as_str());
    iban(sent).into_iter().chain(numbers).find_map(|number| {
        let letters: Vec<char> = number.chars().filter(char::is_ascii_alphanumeric).collect();
        let last = letters.len().checked_sub(4)?;
        letters.get(last..).map(|last| last.iter().collect())
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn mask_of(sent: Value) -> Option<String> {
        mask(sent.as_object().unwrap())
    }

    #[test]
    fn the_last_four_are_of_the_iban_or_of_a_card() {
        let card = json!({"identification": "1234 56** **** 7890", "scheme_name": "CPAN"});
        for (sent, expected) in [
            (
                json!({"account_id": {"iban": "FI2112345600000785"}}),
                Some("0785"),
            ),
            (json!({"account_id": {"other": card.clone()}}), Some("7890")),
            (
                json!({"account_id": {}, "all_account_ids": [card]}),
                Some("7890"),
            ),
            (json!({"account_id": {"iban": ""}}), None),
            (
                json!({"account_id": {"other": {"identification": "12"}}}),
                None,
            ),
        ] {
            assert_eq!(mask_of(sent.clone()).as_deref(), expected, "{sent}");
        }
    }
}
