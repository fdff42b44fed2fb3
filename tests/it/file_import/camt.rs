//! Statements of camt.052 and .053: real files of ten banks and programs, and what becomes of a booking from pending to posted.

use rust_decimal::Decimal;
use serde_json::{Map, Value, json};

use super::{Read, fixtures, read, read_bytes, read_fixture};
use sextant_formats::FileSource;

/// File, account, its entries in the file, what there was before them and after, and the currency; each as it stands in the file. Of an
/// entry of several payments each may be a booking.
const ACCOUNTS: [(&str, &str, usize, &str, &str, &str); 10] = [
    (
        "camt052-vrbank-de-v02",
        "DE58740618130100033626",
        2,
        "8.50",
        "13.50",
        "EUR",
    ),
    (
        "finland-ffi-v02",
        "FI7433010001222090",
        10,
        "10000.00",
        "23644.83",
        "EUR",
    ),
    (
        "goldman-us-2025-v02",
        "GSCRUS30/DD01100056869",
        19,
        "-843686.20",
        "-843610.73",
        "USD",
    ),
    (
        "ing-nl-v02",
        "NL08INGB0000001234",
        9,
        "1000.00",
        "1605.00",
        "EUR",
    ),
    (
        "nordea-fi-v02",
        "FI8529501800030574",
        6,
        "200.50",
        "8800.50",
        "EUR",
    ),
    (
        "postfinance-ch-2016-v04",
        "CH0309000000250090342",
        13,
        "322152.16",
        "322689.77",
        "CHF",
    ),
    (
        "sns-nl-a-v02",
        "NL14SNSB0012345678",
        7,
        "203.69",
        "661.69",
        "EUR",
    ),
    (
        "sns-nl-a-v02",
        "NL78SNSB0022446688",
        4,
        "1859.13",
        "1660.87",
        "EUR",
    ),
    (
        "ubs-ch-v08",
        "CH2801234000123456789",
        1,
        "9920",
        "9840",
        "CHF",
    ),
    (
        "vrbank-de-v02",
        "DE14740618130000033626",
        4,
        "33.06",
        "23.06",
        "EUR",
    ),
];

pub fn bookings_of<'a>(read: &'a Read, account: &str) -> Vec<&'a Map<String, Value>> {
    let fields = read.records.iter().map(|(.., fields)| fields);
    fields
        .filter(|fields| {
            fields
                .get("account")
                .is_some_and(|own| own["id"] == account)
        })
        .collect()
}

pub fn sum(bookings: &[&Map<String, Value>]) -> Decimal {
    let amounts = bookings.iter().map(|booking| booking["amount"].to_string());
    amounts.map(|text| text.parse::<Decimal>().unwrap()).sum()
}

#[test]
fn what_was_there_and_all_bookings_make_what_is_there() {
    for (file, account, entries, before, after, currency) in ACCOUNTS {
        let read = read_fixture(&format!("statements/camt/{file}.xml"));
        assert!(read.refused.is_empty(), "{file}: {:?}", read.refused);
        let bookings = bookings_of(&read, account);
        assert!(bookings.len() >= entries, "{file}: {}", bookings.len());
        let [before, after]: [Decimal; 2] = [before, after].map(|text| text.parse().unwrap());
        assert_eq!(before + sum(&bookings), after, "{file} {account}");
        for booking in bookings {
            let told = booking["account"]["balance_current"].to_string();
            assert_eq!(told.parse::<Decimal>().unwrap(), after, "{file}");
            assert_eq!(booking["account"]["currency"], currency, "{file}");
            assert_eq!(booking["status"], "posted", "{file}");
        }
    }
}

#[test]
fn a_booking_says_which_way_when_whom_and_what_for() {
    let german = read_fixture("statements/camt/vrbank-de-v02.xml");
    let debit = german.by_id("DE14740618130000033626/2013122710583600000");
    assert_eq!(debit["amount"].to_string(), "-3.00");
    assert_eq!(
        (&debit["booked_on"], &debit["value_on"], &debit["currency"]),
        (&json!("2013-12-27"), &json!("2013-12-27"), &json!("EUR"))
    );
    assert_eq!(debit["counterparty_name"], "Testkonto Nummer 2");
    assert_eq!(debit["counterparty_account"], "DE58740618130100033626");
    let account = &debit["account"];
    assert_eq!(account["institution_name"], "VR-Bank Rottal-Inn eG");
    assert_eq!(
        (
            &account["iban"],
            &account["mask"],
            &account["balance_as_of"]
        ),
        (
            &json!("DE14740618130000033626"),
            &json!("3626"),
            &json!("2013-12-27T23:59:59")
        )
    );
    let finnish = read_fixture("statements/camt/nordea-fi-v02.xml");
    let credit = finnish.by_id("FI8529501800030574/1905082588CEAA0001");
    assert_eq!(credit["amount"].to_string(), "10000.00");
    assert_eq!(
        (&credit["reference"], &credit["payment_channel"]),
        (&json!("20190501-E00005"), &json!("transfer"))
    );
    let swiss = read_fixture("statements/camt/ubs-ch-v08.xml");
    let order = swiss.by_id("CH2801234000123456789/ACSR230201095701");
    assert_eq!(
        (order["amount"].to_string().as_str(), &order["currency"]),
        ("-80", &json!("CHF"))
    );
}

#[test]
fn what_takes_a_booking_back_stands_beside_it() {
    let read = read_fixture("statements/camt/ing-nl-v02.xml");
    let [done, undone] = ["", "/reversal"]
        .map(|ending| read.by_id(&format!("NL08INGB0000001234/3101963431841{ending}")));
    assert_eq!(
        (&done["booked_on"], &undone["booked_on"]),
        (&json!("2014-01-03"), &json!("2014-01-03"))
    );
    assert_eq!(done["amount"].to_string(), "-30.00");
    assert_eq!(
        undone["amount"], done["amount"],
        "the direction is that of the reversal itself"
    );
}

#[test]
fn an_entry_without_any_day_is_refused_by_its_reference() {
    let read = read_fixture("statements/camt/subite-lt-2024-04-11.xml");
    assert_eq!((read.records.len(), read.refused.len()), (1, 15));
    assert_eq!(read.records[0].0, "finance.accounts");
    let (place, reason) = &read.refused[0];
    assert_eq!(place, "line 2, entry REF000003643800");
    assert_eq!(reason, "it has neither a BookgDt nor a ValDt that exists");
}

#[test]
fn a_second_reading_gives_the_same_ids_and_no_two_bookings_share_one() {
    for path in fixtures("statements/camt", "xml") {
        let source = FileSource::File(path.clone());
        let (one, other) = (read(&source).unwrap(), read(&source).unwrap());
        assert_eq!(one.ids(), other.ids());
        let different: std::collections::HashSet<_> = one.ids().into_iter().collect();
        assert_eq!(different.len(), one.records.len(), "{}", path.display());
    }
}

/// A message of `kind` that was made at this time, with one entry.
pub fn message(kind: &str, made: &str, entry: &str) -> String {
    let (root, statement) = match kind {
        "052" => ("BkToCstmrAcctRpt", "Rpt"),
        _ => ("BkToCstmrStmt", "Stmt"),
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.{kind}.001.08\"><{root}>\
        <GrpHdr><MsgId>M</MsgId><CreDtTm>{made}</CreDtTm></GrpHdr><{statement}><Id>1</Id>\
        <Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>{entry}</{statement}></{root}></Document>\n"
    )
}

/// An entry of ten euros that went, under this reference of the bank's.
pub fn entry(status: &str, reference: &str) -> String {
    format!(
        "<Ntry><Amt Ccy=\"EUR\">10.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>{status}</Cd></Sts>\
        <BookgDt><Dt>2026-03-02</Dt></BookgDt>{reference}</Ntry>"
    )
}

#[test]
fn a_booking_is_one_record_from_pending_to_posted_and_says_how_new_it_is() {
    let reference = "<AcctSvcrRef>B7</AcctSvcrRef>";
    let within = "<NtryDtls><TxDtls><Refs><AcctSvcrRef>B7</AcctSvcrRef></Refs></TxDtls></NtryDtls>";
    for reference in [reference, within] {
        let read = |kind, made, status| {
            let text = message(kind, made, &entry(status, reference));
            let read = read_bytes("a.xml", text);
            let fields = read.by_id("DE89370400440532013000/B7");
            (fields["status"].clone(), fields["updated_at"].clone())
        };
        assert_eq!(
            read("052", "2026-03-02T12:00:00+01:00", "PDNG"),
            (json!("pending"), json!("2026-03-02T11:00:00Z"))
        );
        assert_eq!(
            read("053", "2026-03-03T01:00:00", "BOOK"),
            (json!("posted"), json!("2026-03-03T01:00:00Z"))
        );
    }
    let both = format!("{}{}", entry("PDNG", reference), entry("BOOK", reference));
    let read = read_bytes("a.xml", message("052", "2026-03-02T12:00:00Z", &both));
    assert_eq!(
        read.ids(),
        ["DE89370400440532013000/B7"; 2],
        "the later is stored"
    );
    let nameless = read_bytes(
        "a.xml",
        message("052", "2026-03-02T12:00:00Z", &entry("PDNG", "")),
    );
    assert!(!nameless.records[0].2.contains_key("updated_at"));
    assert_eq!(nameless.records[0].2["source_id_is_synthetic"], true);
}
