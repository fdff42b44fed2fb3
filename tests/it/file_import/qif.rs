//! Files of Quicken and its followers: real ones of twelve banks and programs, and days that may be two.

use serde_json::{Map, Value, json};

use super::camt::{bookings_of, sum};
use super::{Read, fixture, read_bytes_with, read_with};
use sextant_formats::{DateOrder, FileError, FileSource, OpenQuestion, Options};

fn options(date_order: Option<DateOrder>) -> Options {
    Options {
        currency: Some("EUR".to_owned()),
        account: Some("Mine".to_owned()),
        date_order,
        ..Options::default()
    }
}

fn file(name: &str, order: Option<DateOrder>) -> Result<Read, FileError> {
    let path = fixture(&format!("statements/qif/{name}.qif"));
    read_with(&FileSource::File(path), &options(order))
}

fn asked(read: Result<Read, FileError>) -> (Option<OpenQuestion>, String) {
    let error = read.err().unwrap();
    (error.question(), error.to_string())
}

/// File, account, its transactions, and their sum.
const ACCOUNTS: [(&str, &str, usize, &str); 12] = [
    ("amex-uk", "Mine", 7, "-58.40"),
    ("bank-formats-us", "Mine", 7, "3208.72"),
    ("cic-fr", "Mine", 12, "441.58"),
    ("csv2ofx-ubs-ch-iso", "0123 45678901.23A", 3, "30.00"),
    ("csv2ofx-xero", "Cash", 3, "-173000.00"),
    ("csv2ofx-xero", "Checking", 1, "-209000.00"),
    ("finanzmanager-de-mdy-latin1", "KD-Bank Berlin", 2, "200.00"),
    ("monzo-uk", "Mine", 13, "558.45"),
    ("qif2json-windows1252", "Mine", 1, "-379.00"),
    ("qifgem-thousands", "Mine", 3, "-31000.00"),
    ("qifutil-us", "Checking Account", 35, "21751.78"),
    ("qifutil-us", "CreditCard Account", 20, "-2768.98"),
];

#[test]
fn each_account_has_its_transactions_and_each_its_sign() {
    for (name, account, count, total) in ACCOUNTS {
        let read = file(name, None).unwrap();
        assert!(read.refused.is_empty(), "{name}: {:?}", read.refused);
        let moves = bookings_of(&read, account);
        assert_eq!(
            (moves.len(), sum(&moves).to_string().as_str()),
            (count, total),
            "{name} {account}"
        );
    }
}

fn told<'a>(read: &'a Read, index: usize, names: [&str; 4]) -> [&'a Value; 4] {
    let fields: &Map<String, Value> = &read.records[index].2;
    names.map(|name| fields.get(name).unwrap_or(&Value::Null))
}

#[test]
fn a_transaction_says_when_who_and_what_it_was_spent_on() {
    let names = ["booked_on", "counterparty_name", "category", "reference"];
    let british = file("monzo-uk", None).unwrap();
    assert_eq!(
        told(&british, 1, names),
        [
            &json!("2018-08-27"),
            &json!("My Name Tags"),
            &json!("Shopping"),
            &Value::Null
        ]
    );
    assert_eq!(british.records[1].2["amount"].to_string(), "-12.95");
    let french = file("cic-fr", None).unwrap();
    assert_eq!(
        told(&french, 2, names)[0],
        "2020-06-02",
        "the whole file says that the day is first"
    );
    let swiss = file("csv2ofx-ubs-ch-iso", None).unwrap();
    assert_eq!(told(&swiss, 0, names)[0], "2019-03-31");
    let symbols = file("qif2json-windows1252", None).unwrap();
    assert_eq!(told(&symbols, 0, names)[1], "SOME £$™€ CHARACTERS");
    let split = file("csv2ofx-xero", None).unwrap();
    assert_eq!(
        split.records[0].2["splits"].to_string(),
        r#"[{"amount":113000.00,"category":"Cash","memo":"Bicycle Office"},{"amount":36000.00,"category":"Cash","memo":"Charger Office"}]"#
    );
    let kind = |index: usize| split.records[index].2["account"]["type"].clone();
    assert_eq!((kind(0), kind(1)), (json!("depository"), json!("cash")));
}

#[test]
fn days_that_may_be_two_are_asked_for() {
    let (question, why) = asked(file("qifgem-bank-split", None));
    assert_eq!(question, Some(OpenQuestion::DateOrder));
    assert!(
        why.contains("--date-order dmy or --date-order mdy"),
        "{why}"
    );
    for (order, first) in [
        (DateOrder::Mdy, "1994-06-01"),
        (DateOrder::Dmy, "1994-01-06"),
    ] {
        let read = file("qifgem-bank-split", Some(order)).unwrap();
        assert_eq!(read.records[0].2["booked_on"], first);
    }
    let decided = file("crate-autoswitch", None).unwrap();
    let days = decided
        .records
        .iter()
        .filter_map(|(.., fields)| fields.get("booked_on"));
    let days: Vec<_> = days.collect();
    assert_eq!(
        days,
        ["2020-01-02", "2020-03-04", "2020-03-05", "2020-03-06"],
        "the day of a balance says which"
    );
}

#[test]
fn what_a_file_says_of_its_days_decides_whatever_its_case() {
    for (option, day) in [
        ("!Option:MDY", "2026-01-02"),
        ("!option:mdy", "2026-01-02"),
        ("!OPTION:DMY ", "2026-02-01"),
    ] {
        let text = format!("{option}\n!Type:Bank\nD1.2.26\nT-1.50\n^\n");
        for said in [None, Some(DateOrder::Dmy), Some(DateOrder::Mdy)] {
            let read = read_bytes_with("a.qif", text.as_str(), &options(said)).unwrap();
            assert_eq!(read.records[0].2["booked_on"], day, "{option}");
        }
    }
    let german = file("finanzmanager-de-mdy-latin1", None).unwrap();
    assert_eq!(german.records[0].2["booked_on"], "2023-10-18");
}

#[test]
fn a_currency_is_asked_for_and_a_file_of_lists_has_no_entries() {
    let unsaid = Options::default();
    let (question, why) = asked(read_bytes_with(
        "a.qif",
        "!Type:Bank\nD13/2/26\nT1.00\n^\n",
        &unsaid,
    ));
    assert_eq!(question, Some(OpenQuestion::Currency));
    assert!(why.contains("--currency EUR"), "{why}");
    let lists = read_bytes_with("a.qif", "!Type:Cat\nNFood\nE\n^\n", &options(None)).unwrap();
    assert_eq!(lists.len(), 0);
}

#[test]
fn shares_that_move_without_money_are_refused_and_trades_are_signed() {
    let read = file("crate-autoswitch", Some(DateOrder::Mdy)).unwrap();
    let trades = bookings_of(&read, "Brokerage");
    let amounts: Vec<_> = trades
        .iter()
        .map(|trade| trade["amount"].to_string())
        .collect();
    assert_eq!(amounts, ["-134.95", "50"]);
    let visa = read.by_id("Visa");
    assert_eq!(
        (visa["balance_current"].to_string().as_str(), &visa["type"]),
        ("-40.50", &json!("credit"))
    );
    assert_eq!(visa["balance_as_of"], "2020-01-15T23:59:59");
    let shares = "!Type:Invst\nD13/2/26\nNShrsIn\nYACME\nQ10\n^\nD13/2/26\nNBuy\nYACME\nI50 1/2\nQ2\nT101.00\n^\n";
    let read = read_bytes_with("a.qif", shares, &options(None)).unwrap();
    assert_eq!(read.refused[0].1, "`ShrsIn` moves shares and no money");
    assert_eq!(read.records[0].2["price"], "50 1/2", "as it is written");
}
