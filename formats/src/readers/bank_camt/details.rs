//! `TxDtls`: who, what for, and under which reference.

use serde_json::{Value, json};

use super::money::{CamtDirection, decimal};
use super::node::CamtNode;

/// What stands where a reference would, if there is none.
const NO_REFERENCE: &str = "NOTPROVIDED";

/// What is said of a payment.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct CamtDetails {
    pub description: Option<String>,
    pub name: Option<String>,
    pub account: Option<String>,
    pub reference: Option<String>,
    /// The amount in another currency, and its rate.
    pub fx: Option<Value>,
}

impl CamtDetails {
    /// The same with what the other says besides.
    pub(super) fn or(self, other: &Self) -> Self {
        let other = other.clone();
        Self {
            description: self.description.or(other.description),
            name: self.name.or(other.name),
            account: self.account.or(other.account),
            reference: self.reference.or(other.reference),
            fx: self.fx.or(other.fx),
        }
    }
}

/// What a payment says, of which the money came or went. The other side is who paid or was paid.
pub(super) fn details(payment: &CamtNode, direction: CamtDirection) -> CamtDetails {
    let parties = payment.child("RltdPties");
    let (party, account) = match direction {
        CamtDirection::In => ("Dbtr", "DbtrAcct"),
        CamtDirection::Out => ("Cdtr", "CdtrAcct"),
    };
    let name = parties.and_then(|parties| {
        let (plain, nested) = (format!("{party}/Nm"), format!("{party}/Pty/Nm"));
        parties.text_of(&[&plain, &nested])
    });
    let account = parties.and_then(|parties| {
        let (iban, other) = (
            format!("{account}/Id/IBAN"),
            format!("{account}/Id/Othr/Id"),
        );
        parties.text_of(&[&iban, &other])
    });
    let reference = payment.text_of(&["Refs/EndToEndId", "RmtInf/Strd/CdtrRefInf/Ref"]);
    CamtDetails {
        description: purpose(payment),
        name: name.map(str::to_owned),
        account: account.map(str::to_owned),
        reference: reference
            .filter(|reference| *reference != NO_REFERENCE)
            .map(str::to_owned),
        fx: exchange(payment, direction),
    }
}

/// The words of the payer, else the reference of the payee's, else the words of the bank.
fn purpose(payment: &CamtNode) -> Option<String> {
    let words = payment.child("RmtInf").map(|info| {
        let lines = info.children("Ustrd").filter_map(CamtNode::own_text);
        lines.collect::<Vec<_>>().join(" ")
    });
    let words = words.filter(|words| !words.is_empty());
    let further = payment.text_of(&[
        "RmtInf/Strd/AddtlRmtInf",
        "RmtInf/Strd/CdtrRefInf/Ref",
        "AddtlTxInf",
    ]);
    words.or_else(|| further.map(str::to_owned))
}

/// What was paid in another currency.
fn exchange(payment: &CamtNode, direction: CamtDirection) -> Option<Value> {
    let amounts = payment.child("AmtDtls")?;
    let paid = amounts.child("InstdAmt")?;
    let amount = paid.child("Amt")?;
    let rate = amounts
        .text("TxAmt/CcyXchg/XchgRate")
        .or_else(|| paid.text("CcyXchg/XchgRate"))?;
    Some(json!({
        "original_currency": amount.currency.as_deref()?,
        "original_amount": decimal(amount.own_text()?, direction)?,
        "rate": decimal(rate, CamtDirection::In)?,
    }))
}
