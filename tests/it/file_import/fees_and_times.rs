//! `.csv` of banks: how a fee relates to the amount beside it, and when the money moved.

use serde_json::Value;
use sextant_formats::Options;

use super::layouts::LAYOUTS;
use super::{Read, read_bytes_with};

const TITLES: &str =
    "Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance\n";
const TOP_UP: &str = "TOPUP,Current,2026-01-01 09:00:00,2026-01-01 09:00:05,Top-up,100.00,0.00,GBP,COMPLETED,100.00\n";
const CASH: &str =
    "ATM,Current,2026-01-02 10:00:00,2026-01-03 08:00:00,Cash,-20.00,1.50,GBP,COMPLETED,";

fn read(content: &str, options: &Options) -> Read {
    read_bytes_with("statement.csv", content, options).unwrap()
}

fn amounts(read: &Read) -> Vec<String> {
    let amounts = read.records.iter();
    amounts
        .map(|(.., fields)| fields["amount"].to_string())
        .collect()
}

fn told(read: &Read) -> Vec<&str> {
    let records = read.records.iter();
    let told = records.filter_map(|(.., fields)| fields.get("import_problems")?.as_array());
    told.flatten().filter_map(Value::as_str).collect()
}

#[test]
fn a_fee_that_balances_show_paid_besides_is_taken_off() {
    let upwards = format!("{TITLES}{TOP_UP}{CASH}78.50\n");
    let downwards = format!("{TITLES}{CASH}78.50\n{TOP_UP}");
    for (content, expected) in [
        (upwards, ["100.00", "-21.50"]),
        (downwards, ["-21.50", "100.00"]),
    ] {
        let read = read(&content, &Options::default());
        assert_eq!(amounts(&read), expected);
        assert_eq!(told(&read), [""; 0]);
        let cash = read
            .records
            .iter()
            .find(|(.., fields)| fields["description"] == "Cash");
        let (.., cash) = cash.unwrap();
        assert_eq!(cash["balance_after"].to_string(), "78.50");
        assert_eq!(cash["columns"]["Fee"], "1.50", "the fee itself is kept");
    }
}

#[test]
fn a_fee_within_the_amount_is_left_there() {
    let shown = format!("{TITLES}{TOP_UP}{CASH}80.00\n");
    let net = LAYOUTS
        .iter()
        .find(|(bank, ..)| *bank == "paypal")
        .unwrap()
        .1;
    for (content, expected) in [
        (shown.as_str(), vec!["100.00", "-20.00"]),
        (net, vec!["970.00"]),
    ] {
        let read = read(content, &Options::default());
        assert_eq!(amounts(&read), expected);
        assert_eq!(told(&read), [""; 0]);
    }
}

#[test]
fn a_fee_of_which_no_balance_says_anything_is_told_of() {
    let content = format!("{TITLES}{CASH}78.50\n{}x\n", CASH.replace("1.50", "0.00"));
    let content = content.replace(",x\n", ",\n");
    let read = read(&content, &Options::default());
    assert_eq!(amounts(&read), ["-20.00", "-20.00"]);
    let expected = "no balance of the file says whether Fee `1.50` is part of the amount or was paid besides: the amount \
         is stored as it is written";
    assert_eq!(
        told(&read),
        [expected],
        "one without a fee is as it should be"
    );
}

#[test]
fn what_a_fee_is_to_its_amount_is_no_part_of_what_a_row_is_called() {
    let proven = read(
        &format!("{TITLES}{TOP_UP}{CASH}78.50\n"),
        &Options::default(),
    );
    let alone = read(&format!("{TITLES}{CASH}78.50\n"), &Options::default());
    let said = Options {
        zone: Some(chrono_tz::Europe::London),
        ..Options::default()
    };
    let zoned = read(&format!("{TITLES}{CASH}78.50\n"), &said);
    assert_eq!(proven.ids()[1], alone.ids()[0]);
    assert_eq!(zoned.ids(), alone.ids());
    assert_ne!(amounts(&proven)[1], amounts(&alone)[0]);
}

/// The stored date or time of the first row.
fn moment(content: &str, zone: Option<chrono_tz::Tz>) -> Value {
    let options = Options {
        zone,
        currency: Some("USD".to_owned()),
        ..Options::default()
    };
    let read = read(content, &options);
    assert_eq!(told(&read), [""; 0], "{content}");
    let at = read.records[0].2.get("transacted_at");
    at.cloned().unwrap_or_default()
}

#[test]
fn times_of_day_are_read_in_the_zone_beside_them_or_the_one_that_is_named() {
    let layout = |name: &str| LAYOUTS.iter().find(|(bank, ..)| *bank == name).unwrap().1;
    let berlin = Some(chrono_tz::Europe::Berlin);
    for (bank, bare, in_berlin) in [
        ("revolut", "2026-01-02T10:00:00", "2026-01-02T09:00:00Z"),
        ("monzo", "2026-01-31T10:00:00", "2026-01-31T09:00:00Z"),
        ("paypal", "2026-01-31T18:00:00Z", "2026-01-31T18:00:00Z"),
        ("venmo", "2026-01-31T01:02:03", "2026-01-31T00:02:03Z"),
        ("ubs", "2026-01-30T10:00:00", "2026-01-30T09:00:00Z"),
    ] {
        assert_eq!(moment(layout(bank), None), bare, "{bank}");
        assert_eq!(moment(layout(bank), berlin), in_berlin, "{bank}");
    }
    assert_eq!(
        moment(layout("n26"), berlin),
        Value::Null,
        "a day is no moment"
    );
    let completed = format!("{TITLES}{TOP_UP}").replace("2026-01-01 09:00:00", "");
    assert_eq!(moment(&completed, None), "2026-01-01T09:00:05");
    let midnight = "Date,Amount,Balance\n2026-01-31 00:00:00,-1.00,5\n";
    assert_eq!(moment(midnight, berlin), Value::Null, "a mere day");
}

#[test]
fn a_time_that_cannot_be_used_is_told_of_and_the_row_is_stored() {
    let layout = LAYOUTS
        .iter()
        .find(|(bank, ..)| *bank == "paypal")
        .unwrap()
        .1;
    for (from, to, expected) in [
        (
            "PST",
            "IST",
            "`IST` is no time zone that is known, or none that is certain: the time `2026-01-31 10:00:00` is left out",
        ),
        ("10:00:00", "25:00:00", "Time `25:00:00` is no time of day"),
    ] {
        let read = read(&layout.replace(from, to), &Options::default());
        assert_eq!(told(&read), [expected]);
        assert_eq!(read.records[0].2.get("transacted_at"), None);
        assert_eq!(read.records[0].2["amount"].to_string(), "970.00");
    }
}

/// A pending row may lack a booking day; a booked row needs one.
#[test]
fn a_pending_row_without_a_day_is_read_and_a_booked_one_is_not() {
    let row =
        |state: &str| format!("CARD,Current,2026-01-04 10:00:00,,Lunch,-8.00,0.00,GBP,{state},\n");
    let content = format!("{TITLES}{TOP_UP}{}{}", row("PENDING"), row("COMPLETED"));
    let read = read(&content, &Options::default());
    assert_eq!(amounts(&read), ["100.00", "-8.00"]);
    let (.., lunch) = &read.records[1];
    assert_eq!(lunch["status"], "pending");
    assert_eq!(lunch["transacted_at"], "2026-01-04T10:00:00");
    assert!(lunch.get("booked_on").is_none(), "{lunch:?}");
    assert_eq!(read.refused.len(), 1, "{:?}", read.refused);
}
