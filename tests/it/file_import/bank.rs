//! `.ofx` and `.qfx`: every fixture completely, and the fields of what is stored.

use serde_json::json;

use super::{fixtures, read, read_bytes, read_fixture};
use sextant_formats::FileSource;

/// Counts the entries of a file by its tags alone: transactions, trades, positions, and each statement or error that
/// holds none of them.
fn tagged_entries(text: &str) -> usize {
    let tags: Vec<_> = text
        .split('<')
        .skip(1)
        .filter_map(|tag| tag.split(['>', ' ']).next())
        .collect();
    let is_trade = |tag: &str| {
        let kinds = ["BUY", "SELL", "POS"]
            .iter()
            .any(|kind| tag.starts_with(kind));
        let things = ["STOCK", "MF", "DEBT", "OPT", "OTHER"]
            .iter()
            .any(|thing| tag.ends_with(thing));
        kinds && things || ["INCOME", "REINVEST", "TRANSFER", "SPLIT", "INVEXPENSE"].contains(&tag)
    };
    let is_entry = |tag: &str| tag == "STMTTRN" || tag == "STMTTRNP" || is_trade(tag);
    let answers = tags
        .split(|tag| tag.ends_with("STMTTRNRS") && !tag.starts_with('/'))
        .skip(1);
    answers
        .map(|answer| answer.iter().filter(|tag| is_entry(tag)).count().max(1))
        .sum()
}

#[test]
fn stored_plus_refused_are_all_entries_of_every_statement() {
    let mut refused = 0;
    for path in fixtures("bank", "ofx") {
        let text = std::fs::read_to_string(&path).unwrap();
        let read = read(&FileSource::File(path.clone())).unwrap();
        assert_eq!(
            read.len(),
            tagged_entries(&text),
            "{}: {:?}",
            path.display(),
            read.refused
        );
        refused += read.refused.len();
    }
    assert!(refused >= 2);
}

#[test]
fn a_transaction_keeps_its_digits_its_day_and_its_account() {
    let read = read_fixture("bank/bank_medium.ofx");
    let account = "160000100/00/12300 000012345678/CHECKING";
    let lunch = read.by_id(&format!("{account}/0000123456782009040100001"));
    assert_eq!(lunch["amount"].to_string(), "-6.60");
    assert_eq!(
        (&lunch["currency"], &lunch["status"]),
        (&json!("CAD"), &json!("posted"))
    );
    assert_eq!(
        (&lunch["booked_on"], &lunch["transacted_at"]),
        (&json!("2009-04-01"), &json!("2009-04-01T17:20:17Z"))
    );
    assert_eq!(lunch["description"], "POS MERCHANDISE;MCDONALD'S #112");
    assert_eq!(
        (&lunch["counterparty_name"], &lunch["payment_channel"]),
        (&json!("MCDONALD'S #112"), &json!("pos"))
    );
    let nested = &lunch["account"];
    assert_eq!(nested["id"], account);
    assert_eq!(
        (&nested["name"], &nested["mask"]),
        (&json!("Checking account 5678"), &json!("5678"))
    );
    assert_eq!(
        (&nested["type"], &nested["subtype"]),
        (&json!("depository"), &json!("checking"))
    );
    assert_eq!(nested["balance_current"].to_string(), "382.34");
    assert_eq!(nested["balance_available"].to_string(), "682.34");
    assert_eq!(nested["balance_as_of"], "2009-05-23T12:20:17Z");
}

#[test]
fn sgml_under_an_xml_header_is_read_all_the_same() {
    let read = read_fixture("bank/anzcc.ofx");
    let memo = read.by_id("1234123412341234/201705080001");
    assert_eq!(
        (memo["amount"].to_string().as_str(), &memo["currency"]),
        ("-5.50", &json!("AUD"))
    );
    assert_eq!(
        (&memo["booked_on"], &memo["description"]),
        (&json!("2017-05-08"), &json!("SOME MEMO"))
    );
    assert_eq!(memo["account"]["type"], "credit");
    assert!(
        !memo.contains_key("transacted_at"),
        "midnight is a mere day"
    );
}

#[test]
fn an_amount_with_a_sign_of_money_is_refused_by_place() {
    let read = read_fixture("bank/decimal_error.ofx");
    let expected = (
        "line 34, STMTTRN 2000957249".to_owned(),
        "TRNAMT `$120` is not an amount".to_owned(),
    );
    assert_eq!(read.refused, [expected]);
}

#[test]
fn an_error_of_the_bank_is_told_in_its_words() {
    let read = read_fixture("bank/error_message.ofx");
    assert_eq!(
        read.refused[0].1,
        "the bank answered with error 2000: General Server Error"
    );
}

#[test]
fn an_account_without_transactions_is_a_record_of_its_own() {
    let read = read_fixture("bank/multiple_accounts.ofx");
    assert!(
        read.records
            .iter()
            .all(|(table, ..)| table == "finance.accounts")
    );
    let savings = read.by_id("123/00/9200/SAVINGS");
    assert_eq!(
        (
            savings["balance_current"].to_string().as_str(),
            &savings["institution_name"]
        ),
        ("222", &json!("blah"))
    );
}

#[test]
fn foreign_money_keeps_its_own_currency() {
    let read = read_fixture("bank/investment_medium.ofx");
    let trade = read.by_id("404/ABC123/20091215.U489357.e.USD.1510480481");
    assert_eq!(
        (&trade["currency"], &trade["account"]["currency"]),
        (&json!("USD"), &json!("CAD"))
    );
    assert_eq!(trade["fx"].to_string(), r#"{"currency":"USD","rate":1.06}"#);
}

#[test]
fn trades_and_positions_go_where_they_belong() {
    let read = read_fixture("bank/fidelity.ofx");
    let bought = read.by_id("fidelity.com/01234567890/0123456789020201120120720");
    assert_eq!(bought["amount"].to_string(), "-2571.4500");
    assert_eq!(
        (&bought["category"], &bought["booked_on"]),
        (&json!("investment"), &json!("2012-07-20"))
    );
    assert!(
        bought["description"]
            .as_str()
            .unwrap()
            .starts_with("YOU BOUGHT")
    );
    let holdings: Vec<_> = read
        .records
        .iter()
        .filter(|(table, ..)| table == "finance.holdings")
        .collect();
    assert!(!holdings.is_empty());
    for (.., holding) in holdings {
        assert_eq!(
            (&holding["day"], &holding["currency"]),
            (&json!("2012-09-08"), &json!("USD"))
        );
        assert!(
            holding["quantity"].is_number() && holding["name"].is_string(),
            "{holding:?}"
        );
    }
}

#[test]
fn a_second_reading_gives_the_same_ids() {
    for path in fixtures("bank", "ofx") {
        let source = FileSource::File(path);
        assert_eq!(read(&source).unwrap().ids(), read(&source).unwrap().ids());
    }
}

fn statement(transactions: &str) -> String {
    format!(
        "OFXHEADER:100\nENCODING:USASCII\nCHARSET:1252\n\n<OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>EUR\
         <CCACCTFROM><ACCTID>4711</CCACCTFROM><BANKTRANLIST>{transactions}</BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></OFX>"
    )
}

#[test]
fn a_balance_of_which_the_day_alone_is_told_is_of_the_end_of_that_day() {
    let day = "<STMTTRN><DTPOSTED>20260102<TRNAMT>-3.20<FITID>7</STMTTRN></BANKTRANLIST><LEDGERBAL><BALAMT>5.00<DTASOF>20260103</LEDGERBAL><BANKTRANLIST>";
    let read = read_bytes("card.qfx", statement(day));
    let account = &read.by_id("4711/7")["account"];
    assert_eq!(account["balance_current"].to_string(), "5.00");
    assert_eq!(account["balance_as_of"], "2026-01-03T23:59:59");
}

#[test]
fn two_equal_purchases_without_a_key_stay_two() {
    let coffee = "<STMTTRN><DTPOSTED>20260102<TRNAMT>-3,20<FITID>0<NAME>Caf\u{e9}</STMTTRN>";
    let latin = |text: String| {
        text.chars()
            .map(|char| u32::from(char) as u8)
            .collect::<Vec<_>>()
    };
    let read = read_bytes("card.qfx", latin(statement(&coffee.repeat(2))));
    let ids = read.ids();
    assert_eq!(ids[1], format!("{}~2", ids[0]));
    assert_eq!(read.records[0].2["amount"].to_string(), "-3.20");
    assert_eq!(read.records[0].2["counterparty_name"], "Café");
}

#[test]
fn one_key_for_two_purchases_gives_two_ids() {
    let one = "<STMTTRN><DTPOSTED>20260102<TRNAMT>-3.20<FITID>77</STMTTRN>";
    let read = read_bytes(
        "card.qfx",
        statement(&format!("{one}{one}{}", one.replace("3.20", "9.00"))),
    );
    assert_eq!(read.ids(), ["4711/77", "4711/77", "4711/77~2"]);
}

#[test]
fn a_pending_purchase_and_a_correction_are_what_they_are() {
    let pending = "<STMTTRNP><TRNTYPE>DEBIT<DTTRAN>20260103<TRNAMT>-8.00<NAME>Fuel</STMTTRNP>";
    let replaced = "<STMTTRN><DTPOSTED>20260104<TRNAMT>-7.50<FITID>9<CORRECTFITID>8<CORRECTACTION>REPLACE</STMTTRN>";
    let removed = replaced.replace("REPLACE", "DELETE").replace(">8<", ">5<");
    let read = read_bytes(
        "card.qfx",
        statement(&format!("{pending}{replaced}{removed}")),
    );
    assert_eq!(read.records[0].2["status"], "pending");
    assert_eq!(read.by_id("4711/8")["amount"].to_string(), "-7.50");
    assert_eq!(read.by_id("4711/5")["_deleted"], true);
}
