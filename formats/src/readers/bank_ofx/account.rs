//! The account a statement is about, as a record of `finance.accounts`.
//!
//! It travels nested in each transaction and position, and alone if the statement holds none. Its id is made of
//! bank, account number and, for a bank account, its type: some banks number two accounts alike.

use super::amount::amount;
use super::node::OfxNode;
use super::stamp::stamp;
use crate::entry::{RecordFields, put};
use crate::readers::account_number::mask_of;
use crate::readers::stated_balance::end_of;

/// The account of a statement.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OfxAccount {
    /// The source id, and the prefix of the ids of all that happens in it.
    pub id: String,
    pub fields: RecordFields,
}

/// What the aggregate that names the account says of its kind.
struct AccountKind {
    aggregate: &'static str,
    kind: &'static str,
    title: &'static str,
}

const KINDS: [AccountKind; 4] = [
    AccountKind {
        aggregate: "BANKACCTFROM",
        kind: "depository",
        title: "Account",
    },
    AccountKind {
        aggregate: "CCACCTFROM",
        kind: "credit",
        title: "Credit card",
    },
    AccountKind {
        aggregate: "INVACCTFROM",
        kind: "investment",
        title: "Investment account",
    },
    AccountKind {
        aggregate: "LOANACCTFROM",
        kind: "loan",
        title: "Loan",
    },
];

/// `ACCTTYPE`, with the kind, subtype and title it stands for.
const BANK_ACCOUNT_TYPES: [(&str, &str, &str, &str); 5] = [
    ("CHECKING", "depository", "checking", "Checking account"),
    ("SAVINGS", "depository", "savings", "Savings account"),
    (
        "MONEYMRKT",
        "depository",
        "money_market",
        "Money market account",
    ),
    ("CD", "depository", "cd", "Certificate of deposit"),
    ("CREDITLINE", "credit", "line_of_credit", "Line of credit"),
];

/// The account of a statement, or of one that names none the account that the person names; `institution` is `FI` of the
/// sign-on, if there was one.
pub(super) fn of_statement(
    statement: &OfxNode,
    institution: Option<&OfxNode>,
    name: Option<&str>,
) -> Result<OfxAccount, String> {
    match (account_of_statement(statement, institution), name) {
        (Err(_), Some(name)) => Ok(account_from_option(name, statement)),
        (Err(reason), None) => Err(format!("{reason}; name it with --account NAME")),
        (Ok(account), _) => Ok(account),
    }
}

fn account_from_option(name: &str, statement: &OfxNode) -> OfxAccount {
    let mut fields = RecordFields::new();
    put(&mut fields, "id", Some(name));
    put(&mut fields, "name", Some(name));
    add_currency(&mut fields, statement);
    add_balances(&mut fields, statement);
    OfxAccount {
        id: name.to_owned(),
        fields,
    }
}

fn add_currency(fields: &mut RecordFields, statement: &OfxNode) {
    let currency = statement.text("CURDEF").map(str::to_uppercase);
    put(fields, "currency", currency);
}

fn account_of_statement(
    statement: &OfxNode,
    institution: Option<&OfxNode>,
) -> Result<OfxAccount, String> {
    let (kind, from) = KINDS
        .iter()
        .find_map(|kind| Some((kind, statement.child(kind.aggregate)?)))
        .ok_or("the statement does not say which account it is about")?;
    let number = from.text("ACCTID").or_else(|| from.text("LOANACCTID"));
    let number = number.ok_or_else(|| format!("{} has no account number", kind.aggregate))?;
    let bank = from.text("BANKID").or_else(|| from.text("BROKERID"));
    let parts = [
        bank,
        from.text("BRANCHID"),
        Some(number),
        from.text("ACCTTYPE"),
    ];
    let id = parts.into_iter().flatten().collect::<Vec<_>>().join("/");
    let mut fields = RecordFields::new();
    put(&mut fields, "id", Some(id.clone()));
    describe(&mut fields, kind, from, number);
    put(
        &mut fields,
        "institution_name",
        institution.and_then(|node| node.text("ORG")),
    );
    put(
        &mut fields,
        "institution_id",
        institution.and_then(|node| node.text("FID")).or(bank),
    );
    add_currency(&mut fields, statement);
    add_balances(&mut fields, statement);
    Ok(OfxAccount { id, fields })
}

fn describe(fields: &mut RecordFields, kind: &AccountKind, from: &OfxNode, number: &str) {
    let written = from.text("ACCTTYPE").unwrap_or_default();
    let bank_type = BANK_ACCOUNT_TYPES
        .iter()
        .find(|(name, ..)| *name == written);
    let (kind_name, title) = bank_type.map_or((kind.kind, kind.title), |(_, kind, _, title)| {
        (*kind, *title)
    });
    let mask = mask_of(number);
    put(fields, "name", Some(format!("{title} {mask}")));
    put(fields, "type", Some(kind_name));
    put(
        fields,
        "subtype",
        bank_type.map(|(_, _, subtype, _)| *subtype),
    );
    put(fields, "mask", Some(mask));
}

/// A balance that cannot be read is left out: it is no entry, and the account is stored without it.
fn add_balances(fields: &mut RecordFields, statement: &OfxNode) {
    let ledger = statement.child("LEDGERBAL");
    let available = statement
        .child("AVAILBAL")
        .and_then(|node| node.text("BALAMT"));
    let available = available.or_else(|| statement.find_text("AVAILCASH"));
    let current = ledger.and_then(|node| node.text("BALAMT"));
    for (name, text) in [
        ("balance_current", current),
        ("balance_available", available),
    ] {
        put(fields, name, text.and_then(|text| amount(name, text).ok()));
    }
    let as_of = ledger
        .or_else(|| statement.child("AVAILBAL"))
        .unwrap_or(statement)
        .text("DTASOF");
    let as_of = as_of.and_then(|text| stamp("DTASOF", text).ok());
    put(
        fields,
        "balance_as_of",
        as_of.map(|stamp| stamp.instant().unwrap_or_else(|| end_of(stamp.date))),
    );
}
