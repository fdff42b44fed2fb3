//! `Ntry`, an entry of a statement, as the bookings that it stands for.

use chrono::NaiveDate;

use super::details::{CamtDetails, details};
use super::money::{CamtDirection, CamtMoney, day, direction, instant, money};
use super::node::CamtNode;
use crate::entry::quoted;

/// What stands where a reference would, if there is none.
const NO_REFERENCES: [&str; 2] = ["NONREF", "NOTPROVIDED"];

/// Where the bank's own reference of one payment stands.
const REFERENCE_OF_PAYMENT: &str = "Refs/AcctSvcrRef";

/// One booking.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CamtBooking {
    pub money: CamtMoney,
    pub is_pending: bool,
    pub booked_on: NaiveDate,
    pub value_on: Option<NaiveDate>,
    pub transacted_at: Option<String>,
    /// The bank's own reference.
    pub key: Option<String>,
    /// It takes another booking back.
    pub is_reversal: bool,
    /// As the bank names it: `PMNT/RCDT/ESCT`, or a word of its own.
    pub code: Option<String>,
    pub details: CamtDetails,
}

/// The bookings of an entry.
///
/// # Errors
/// Why it is refused, as a sentence.
pub(super) fn bookings(entry: &CamtNode) -> Result<Vec<CamtBooking>, String> {
    let whole = whole(entry)?;
    let payments: Vec<&CamtNode> = entry
        .children("NtryDtls")
        .flat_map(|details| details.children("TxDtls"))
        .collect();
    match payments.as_slice() {
        [] => Ok(vec![whole]),
        [one] => Ok(vec![CamtBooking {
            key: whole
                .key
                .or_else(|| reference(one.text(REFERENCE_OF_PAYMENT))),
            details: details(one, direction(entry)?).or(&whole.details),
            code: code_of(one).or(whole.code),
            ..whole
        }]),
        several => Ok(split(&whole, several).unwrap_or_else(|| vec![whole])),
    }
}

/// The entry by itself.
fn whole(entry: &CamtNode) -> Result<CamtBooking, String> {
    let is_pending = match entry.text_of(&["Sts/Cd", "Sts/Prtry", "Sts"]) {
        Some("BOOK") | None => false,
        Some("PDNG" | "FUTR") => true,
        Some("INFO") => return Err("it is told for information, and moved no money".to_owned()),
        Some(other) => return Err(format!("its status {} is not known", quoted(other))),
    };
    let direction = direction(entry)?;
    let money = money(entry.child("Amt").ok_or("it has no Amt")?, direction)?;
    let (booked, value) = (entry.child("BookgDt"), entry.child("ValDt"));
    let (booked_on, value_on) = (booked.and_then(day), value.and_then(day));
    Ok(CamtBooking {
        money,
        is_pending,
        booked_on: booked_on
            .or(value_on)
            .ok_or("it has neither a BookgDt nor a ValDt that exists")?,
        value_on,
        transacted_at: booked.and_then(instant),
        key: reference(entry.text("AcctSvcrRef")),
        is_reversal: matches!(entry.text("RvslInd"), Some("true" | "1")),
        code: code_of(entry),
        details: CamtDetails {
            description: entry.text("AddtlNtryInf").map(str::to_owned),
            ..CamtDetails::default()
        },
    })
}

/// The payments of an entry as bookings of their own, where each tells its amount in the entry's currency and they make up the whole.
fn split(whole: &CamtBooking, payments: &[&CamtNode]) -> Option<Vec<CamtBooking>> {
    let bookings: Option<Vec<_>> = payments
        .iter()
        .enumerate()
        .map(|(number, payment)| part(whole, number + 1, payment))
        .collect();
    let bookings = bookings?;
    let sum = |bookings: &[CamtBooking]| {
        let amounts = bookings.iter().map(|one| {
            let written = one.money.amount.to_string();
            written.parse::<rust_decimal::Decimal>().ok()
        });
        amounts.sum::<Option<rust_decimal::Decimal>>()
    };
    let is_whole = sum(&bookings)? == sum(std::slice::from_ref(whole))?;
    is_whole.then_some(bookings)
}

fn part(whole: &CamtBooking, number: usize, payment: &CamtNode) -> Option<CamtBooking> {
    let direction = direction(payment).unwrap_or(whole.direction());
    let amount = payment
        .child("AmtDtls/TxAmt/Amt")
        .or_else(|| payment.child("Amt"))?;
    let money = money(amount, direction).ok()?;
    if money.currency != whole.money.currency {
        return None;
    }
    let own = reference(payment.text(REFERENCE_OF_PAYMENT));
    let numbered = || Some(format!("{}/{number}", whole.key.as_deref()?));
    Some(CamtBooking {
        money,
        key: own
            .filter(|own| whole.key.as_ref() != Some(own))
            .or_else(numbered),
        code: code_of(payment).or(whole.code.clone()),
        details: details(payment, direction).or(&whole.details),
        ..whole.clone()
    })
}

impl CamtBooking {
    /// Which way the money of the whole went.
    fn direction(&self) -> CamtDirection {
        match self.money.amount.to_string().starts_with('-') {
            true => CamtDirection::Out,
            false => CamtDirection::In,
        }
    }
}

/// The bank's own reference, unless it is the word for none.
fn reference(text: Option<&str>) -> Option<String> {
    text.filter(|text| !NO_REFERENCES.contains(text))
        .map(str::to_owned)
}

/// What the bank calls it: domain, family and kind, or a word of its own.
fn code_of(node: &CamtNode) -> Option<String> {
    let domain = node.child("BkTxCd/Domn").and_then(|domain| {
        let parts = ["Cd", "Fmly/Cd", "Fmly/SubFmlyCd"].map(|path| domain.text(path));
        let parts: Option<Vec<&str>> = parts.into_iter().collect();
        Some(parts?.join("/"))
    });
    domain.or_else(|| node.text("BkTxCd/Prtry/Cd").map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::super::nodes::{CamtItem, CamtItems};
    use super::*;

    fn entry(inner: &str) -> CamtNode {
        let text = format!(
            "<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.08\"><BkToCstmrStmt><Stmt><Ntry>{inner}</Ntry></Stmt></BkToCstmrStmt></Document>"
        );
        let mut items = CamtItems::new(text.as_bytes()).map(Result::unwrap);
        let entry = items.find_map(|item| match item {
            CamtItem::Entry { node, .. } => Some(node.unwrap()),
            _ => None,
        });
        entry.unwrap()
    }

    const OUT: &str = "<Amt Ccy=\"EUR\">30.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>\
        <BookgDt><Dt>2026-01-02</Dt></BookgDt><ValDt><Dt>2026-01-03</Dt></ValDt><AcctSvcrRef>B1</AcctSvcrRef>";

    fn amounts(bookings: &[CamtBooking]) -> Vec<(String, Option<&str>)> {
        let one = |booking: &CamtBooking| booking.money.amount.to_string();
        bookings
            .iter()
            .map(|booking| (one(booking), booking.key.as_deref()))
            .collect()
    }

    #[test]
    fn one_payment_says_who_and_what_for() {
        let told = bookings(&entry(&format!(
            "{OUT}<NtryDtls><TxDtls><Refs><EndToEndId>E7</EndToEndId></Refs><RltdPties><Cdtr><Pty><Nm>Ada &amp; Co</Nm></Pty></Cdtr>\
            <CdtrAcct><Id><IBAN>NL91ABNA0417164300</IBAN></Id></CdtrAcct></RltdPties><RmtInf><Ustrd>Rent</Ustrd><Ustrd>May</Ustrd></RmtInf>\
            </TxDtls></NtryDtls><AddtlNtryInf>TRANSFER</AddtlNtryInf>"
        )))
        .unwrap();
        assert_eq!(amounts(&told), [("-30.00".to_owned(), Some("B1"))]);
        let details = &told[0].details;
        assert_eq!(details.name.as_deref(), Some("Ada & Co"));
        assert_eq!(details.description.as_deref(), Some("Rent May"));
        assert_eq!(details.account.as_deref(), Some("NL91ABNA0417164300"));
        assert_eq!(details.reference.as_deref(), Some("E7"));
        assert_eq!(told[0].value_on.unwrap().to_string(), "2026-01-03");
    }

    #[test]
    fn a_batch_is_split_where_its_payments_make_up_the_whole() {
        let payment = |amount: &str| {
            format!(
                "<TxDtls><AmtDtls><TxAmt><Amt Ccy=\"EUR\">{amount}</Amt></TxAmt></AmtDtls></TxDtls>"
            )
        };
        let batch = |first: &str| {
            let payments = format!("{}{}", payment(first), payment("10.00"));
            bookings(&entry(&format!("{OUT}<NtryDtls>{payments}</NtryDtls>"))).unwrap()
        };
        let split = batch("20.00");
        let expected = [
            ("-20.00".to_owned(), Some("B1/1")),
            ("-10.00".to_owned(), Some("B1/2")),
        ];
        assert_eq!(amounts(&split), expected);
        assert_eq!(
            amounts(&batch("19.99")),
            [("-30.00".to_owned(), Some("B1"))]
        );
    }

    #[test]
    fn what_moved_no_money_is_refused_and_what_is_pending_says_so() {
        let told = |status: &str| bookings(&entry(&OUT.replace("<Cd>BOOK</Cd>", status)));
        assert!(told("<Cd>PDNG</Cd>").unwrap()[0].is_pending);
        assert!(told("PDNG").unwrap()[0].is_pending);
        let refused = told("<Cd>INFO</Cd>").unwrap_err();
        assert!(refused.contains("moved no money"), "{refused}");
        let none = bookings(&entry("<Amt Ccy=\"EUR\">1</Amt>")).unwrap_err();
        assert!(none.contains("CdtDbtInd"), "{none}");
    }
}
