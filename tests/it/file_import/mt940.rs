//! Statements of MT940, and MT942: real files of eleven banks and programs.

use rust_decimal::Decimal;
use serde_json::json;

use super::camt::{bookings_of, sum};
use super::{fixture, read, read_bytes, read_fixture};
use sextant_formats::FileSource;

/// File, account, its bookings, what there was before them and after, and the currency; each as it stands in the file.
const ACCOUNTS: [(&str, &str, usize, &str, &str, &str); 13] = [
    (
        "betterplace-sepa-de.txt",
        "50880050/0194774600888",
        7,
        "-1234718.36",
        "-1237628.23",
        "EUR",
    ),
    (
        "betterplace-sepa-de.txt",
        "50880050/0194779500888",
        3,
        "3192675.04",
        "4242675.04",
        "EUR",
    ),
    (
        "betterplace-sepa-de.txt",
        "50880050/0194784900888",
        9,
        "-5777585.57",
        "-8844425.38",
        "EUR",
    ),
    ("citi-us.txt", "123456789", 5, "17376.67", "16233.92", "USD"),
    (
        "danskebank-dk.sta",
        "DABADKKK/1234567890",
        89,
        "2478926.70",
        "3851379.47",
        "DKK",
    ),
    (
        "february-30.sta",
        "12345678/1020304050",
        1,
        "1200.00",
        "1194.00",
        "EUR",
    ),
    (
        "ing-nl-iban.txt",
        "NL68INGB0000012345",
        21,
        "436.90",
        "246.45",
        "EUR",
    ),
    (
        "mbank-pl.sta",
        "PL29114010810000267002001002",
        3,
        "0.40",
        "0.43",
        "PLN",
    ),
    // Four pages of two statements; the second begins with 0.2 more than the first ends with.
    ("postfinance-ch.txt", "123456789", 4, "0.2", "159.6", "CHF"),
    (
        "rabobank-nl-two-accounts.txt",
        "1325.76.155",
        1,
        "-12.00",
        "238.00",
        "EUR",
    ),
    (
        "rabobank-nl-two-accounts.txt",
        "1567.50.961",
        2,
        "9265.12",
        "2666.37",
        "EUR",
    ),
    (
        "sns-nl.txt",
        "NL16SNSB1234567809",
        4,
        "534.03",
        "45546.48",
        "EUR",
    ),
    (
        "volksbank-de.940",
        "66642399/93387",
        12,
        "3085.00",
        "3830.00",
        "EUR",
    ),
];

#[test]
fn what_was_there_and_all_bookings_make_what_is_there() {
    for (file, account, count, before, after, currency) in ACCOUNTS {
        let read = read_fixture(&format!("statements/mt940/{file}"));
        assert!(read.refused.is_empty(), "{file}: {:?}", read.refused);
        let bookings = bookings_of(&read, account);
        assert_eq!(bookings.len(), count, "{file} {account}");
        let [before, after]: [Decimal; 2] = [before, after].map(|text| text.parse().unwrap());
        assert_eq!(before + sum(&bookings), after, "{file} {account}");
        for booking in bookings {
            let told = booking["account"]["balance_current"].to_string();
            assert_eq!(told.parse::<Decimal>().unwrap(), after, "{file}");
            assert_eq!(booking["currency"], currency, "{file}");
        }
    }
}

#[test]
fn a_booking_says_which_way_when_whom_and_what_for() {
    let german = read_fixture("statements/mt940/volksbank-de.940");
    let credit = &german.records[0].2;
    assert_eq!(credit["amount"].to_string(), "65.00");
    assert_eq!(
        (&credit["booked_on"], &credit["status"], &credit["currency"]),
        (&json!("2020-02-19"), &json!("posted"), &json!("EUR"))
    );
    assert_eq!(credit["counterparty_name"], "Olivia Dorn");
    assert_eq!(credit["counterparty_account"], "DE40500105174675974588");
    assert_eq!(credit["account"]["balance_as_of"], "2020-03-10T23:59:59");
    let danish = read_fixture("statements/mt940/danskebank-dk.sta");
    let debit = &danish.records[1].2;
    assert_eq!(debit["amount"].to_string(), "-2214.00");
    assert_eq!(
        (&debit["booked_on"], &debit["value_on"], &debit["category"]),
        (&json!("2009-09-30"), &json!("2009-10-01"), &json!("fee"))
    );
    let interest = read_fixture("statements/mt940/february-30.sta");
    let days = &interest.records[0].2;
    assert_eq!(
        (&days["value_on"], &days["booked_on"]),
        (&json!("2016-02-29"), &json!("2016-03-01")),
        "a month of thirty days"
    );
}

#[test]
fn a_statement_without_bookings_is_its_account_and_an_interim_one_needs_no_balance() {
    let dutch = read_fixture("statements/mt940/rabobank-nl-two-accounts.txt");
    let alone = dutch.by_id("3462.483.153");
    assert_eq!(alone["balance_current"].to_string(), "5000.00");
    let daily = read_fixture("statements/mt940/sns-nl.txt");
    assert_eq!(
        daily.records.len(),
        4,
        "an account with bookings is told with them alone"
    );
    let interim = read_fixture("statements/mt940/mt942-mbank-pl.sta");
    assert_eq!((interim.records.len(), interim.refused.len()), (3, 0));
    assert_eq!(interim.records[0].2["currency"], "PLN");
    let final_ids = read_fixture("statements/mt940/mbank-pl.sta");
    assert_eq!(
        interim.ids(),
        final_ids.ids(),
        "the statement repeats the report"
    );
}

#[test]
fn a_file_is_known_by_its_beginning_whatever_it_is_called() {
    for file in [
        "sns-nl.txt",
        "danskebank-dk.sta",
        "knab-nl.mt940",
        "mbank-pl.sta",
    ] {
        let bytes = std::fs::read(fixture(&format!("statements/mt940/{file}"))).unwrap();
        let named = read_bytes("a.940", bytes.clone());
        assert!(named.records.len() >= 3, "{file}");
        for name in ["a.STA", "a.txt", "a", "statement 2026.dat"] {
            assert_eq!(
                read_bytes(name, bytes.clone()).ids(),
                named.ids(),
                "{file} as {name}"
            );
        }
        let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
        let wide: Vec<u8> = format!("\u{FEFF}{text}")
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(
            read_bytes("a.txt", wide).records.len(),
            named.records.len(),
            "{file}"
        );
    }
    let text = ":20: pens\n:21: paper\n";
    let source = FileSource::Bytes {
        name: "list.txt".to_owned(),
        bytes: text.as_bytes().into(),
    };
    let unknown = read(&source).err().unwrap().to_string();
    assert!(
        unknown.starts_with("files ending in `txt` are not read"),
        "{unknown}"
    );
}

#[test]
fn statements_that_overlap_do_not_double() {
    let statement = |bookings: &str| {
        format!(
            ":20:A\n:25:12345678/1\n:28C:1\n:60F:C260101EUR1,\n{bookings}:62F:C260102EUR1,\n-\n"
        )
    };
    let coffee = ":61:260102D3,20NMSCNONREF\n:86:Coffee\n";
    let tea = ":61:260103D2,NMSCNONREF\n:86:Tea\n";
    let january = read_bytes("a.sta", statement(&coffee.repeat(2)));
    let later = read_bytes("b.sta", statement(&format!("{}{tea}", coffee.repeat(2))));
    assert_eq!(january.ids(), later.ids()[..2]);
    assert_ne!(
        january.ids()[0],
        january.ids()[1],
        "two equal coffees stay two"
    );
}
