//! `.csv` of banks: what each of their rows becomes.

use serde_json::{Map, Value};

use sextant_formats::{DateOrder, MoneyFlow, Options};

use super::layouts::LAYOUTS;
use super::{Read, read_bytes_with};

pub fn options() -> Options {
    Options {
        currency: Some("USD".to_owned()),
        ..Options::default()
    }
}

fn file(bytes: impl Into<Vec<u8>>) -> Read {
    read_bytes_with("statement.csv", bytes, &options()).unwrap()
}

fn text<'a>(fields: &'a Map<String, Value>, name: &str) -> &'a str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}

#[test]
fn each_known_layout_gives_its_bookings() {
    for (bank, content, expected) in LAYOUTS {
        let read = file(content);
        let seen: Vec<_> = read
            .records
            .iter()
            .map(|(_, _, fields)| {
                let name = ["counterparty_name", "description"]
                    .into_iter()
                    .map(|name| text(fields, name))
                    .find(|text| !text.is_empty());
                (
                    text(fields, "booked_on"),
                    fields["amount"].to_string(),
                    text(fields, "currency"),
                    name.unwrap_or_default(),
                )
            })
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|(day, amount, currency, name)| (*day, (*amount).to_owned(), *currency, *name))
            .collect();
        assert_eq!(seen, expected, "{bank}: {:?}", read.refused);
    }
}

fn layout(name: &str) -> &'static str {
    LAYOUTS.iter().find(|(bank, ..)| *bank == name).unwrap().1
}

#[test]
fn what_is_no_booking_is_refused_by_line_and_column() {
    let refused = |bank: &str| file(layout(bank)).refused;
    assert_eq!(
        refused("comdirect"),
        [(
            "line 6".to_owned(),
            "Buchungstag `offen` is not a date that exists".to_owned()
        )]
    );
    assert_eq!(
        refused("revolut"),
        [(
            "line 3".to_owned(),
            "the bank did not carry it out: State is `DECLINED`".to_owned()
        )]
    );
    let bad = "Date,Amount (EUR),Note\n2026-01-32,-1.00,a\n2026-01-31,1x0.00,b\n2026-01-31,-2.50,c\n,,\n2026-01-31,-3.00,d,e\n";
    let read = file(bad);
    assert_eq!(read.records.len(), 1);
    assert_eq!(
        read.refused,
        [
            ("line 2", "Date `2026-01-32` is not a date that exists"),
            ("line 3", "Amount (EUR) `1x0.00` is not an amount"),
            (
                "line 6",
                "it has 4 cells under 3 titles: a separator stands within a text without quotes"
            ),
        ]
        .map(|(place, reason)| (place.to_owned(), reason.to_owned()))
    );
}

#[test]
fn an_account_is_nested_where_the_file_names_it() {
    for (bank, iban) in [
        ("dkb_old", "DE89370400440532013000"),
        ("sparkasse", "DE89370400440532013000"),
        ("ing_diba", "DE89370400440532013000"),
        ("ing_nl", "NL91ABNA0417164300"),
        ("ubs", "CH9300762011623852957"),
    ] {
        let read = file(layout(bank));
        let account = &read.records[0].2["account"];
        assert_eq!(
            (
                text(account.as_object().unwrap(), "iban"),
                text(account.as_object().unwrap(), "id")
            ),
            (iban, iban),
            "{bank}"
        );
    }
    assert!(!file(layout("n26")).records[0].2.contains_key("account"));
}

#[test]
fn what_a_file_leaves_open_is_asked_for_and_never_guessed() {
    let message = |content: &str, options: &Options| {
        read_bytes_with("a.csv", content, options)
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    let open = "Date,Amount\n01/02/2026,-5.00\n";
    let unsaid = Options::default();
    assert!(message(open, &unsaid).contains("--currency"));
    assert!(message(open, &options()).contains("--date-order dmy or --date-order mdy"));
    for (order, day) in [
        (DateOrder::Dmy, "2026-02-01"),
        (DateOrder::Mdy, "2026-01-02"),
    ] {
        let said = Options {
            date_order: Some(order),
            ..options()
        };
        let read = read_bytes_with("a.csv", open, &said).unwrap();
        assert_eq!(text(&read.records[0].2, "booked_on"), day);
    }
    assert!(
        message(
            "Date,Amount\n13/02/2026,1.50\n14/02/2026,\"1,50\"\n",
            &options()
        )
        .contains("decimal comma")
    );
    assert!(message("name,phone\nAnn,1\n", &options()).contains("no bank statement"));
    assert!(message("x", &options()).contains("no bank statement"));
}

/// The amounts of a statement, if their signs are certain.
fn amounts(content: &str, positive: Option<MoneyFlow>) -> Result<String, String> {
    let said = Options {
        positive,
        ..options()
    };
    let read = read_bytes_with("a.csv", content, &said).map_err(|error| error.to_string())?;
    let amounts = read
        .records
        .iter()
        .map(|(.., fields)| fields["amount"].to_string());
    Ok(amounts.collect::<Vec<_>>().join(" "))
}

#[test]
fn a_column_of_directions_gives_the_signs_whatever_else_says_them() {
    let titled = "Date,Amount,Dr/Cr,Balance\n2026-01-31,4.50,DR,1\n2026-01-30,9.00,CR,5\n";
    let by_words = "Date,Amount,Kind,Balance\n2026-01-31,4.50,debit,1\n2026-01-30,9.00,credit,5\n";
    let of_two = "Date,Amount,Card,Kind\n2026-01-31,4.50,credit,D\n2026-01-30,9.00,credit,C\n";
    let of_card = "Date,Amount,Card Member,Kind\n2026-01-31,4.50,A,D\n2026-01-30,9.00,A,C\n";
    let of_sides = "Date,Debit,Credit\n2026-01-31,4.50,\n2026-01-30,,9.00\n";
    for content in [titled, by_words, of_two, of_card, of_sides] {
        for said in [None, Some(MoneyFlow::In), Some(MoneyFlow::Out)] {
            assert_eq!(amounts(content, said).unwrap(), "-4.50 9.00", "{content}");
        }
    }
    let with_minus =
        "Date,Amount,Kind,Balance\n2026-01-31,-4.50,credit,1\n2026-01-30,9.00,debit,5\n";
    assert_eq!(
        amounts(with_minus, None).unwrap(),
        "-4.50 9.00",
        "it may be a kind of card"
    );
}

#[test]
fn whether_an_amount_was_spent_is_known_or_asked_for() {
    let charges = "01/30/2026,HOTEL,1.00\n".repeat(3);
    let open = [
        format!(
            "Date,Description,Amount\n01/31/2026,HOTEL,250.00\n01/15/2026,REFUND,-9.00\n{charges}"
        ),
        format!(
            "01/31/2026,250.00,*,,HOTEL\n01/15/2026,-9.00,*,,SHOP\n{}",
            "01/30/2026,1.00,*,,HOTEL\n".repeat(3)
        ),
    ];
    for content in &open {
        let asked = amounts(content, None).unwrap_err();
        assert!(asked.contains("--positive in or --positive out"), "{asked}");
        let read = |said| amounts(content, Some(said)).unwrap();
        assert_eq!(read(MoneyFlow::In), "250.00 -9.00 1.00 1.00 1.00");
        assert_eq!(read(MoneyFlow::Out), "-250.00 9.00 -1.00 -1.00 -1.00");
    }
    let contradicting = "Date,Type,Amount\n01/31/2026,Sale,250.00\n01/15/2026,Sale,-9.00\n";
    assert!(amounts(contradicting, None).is_err());
    let of_account = "Date,Description,Amount\n01/31/2026,PAY,250.00\n01/15/2026,SHOP,-9.00\n01/16/2026,GIFT,5.00\n";
    assert_eq!(amounts(of_account, None).unwrap(), "250.00 -9.00 5.00");
    assert_eq!(
        amounts(of_account, Some(MoneyFlow::Out)).unwrap(),
        "-250.00 9.00 -5.00"
    );
    for (bank, known) in [
        ("amex_plain", "-250.00 99.00"),
        ("barclays", "-4.50 100.00"),
    ] {
        for said in [None, Some(MoneyFlow::In), Some(MoneyFlow::Out)] {
            assert_eq!(
                amounts(layout(bank), said).unwrap(),
                known,
                "what a file says stands"
            );
        }
    }
    let table = [
        "2026-01-31,12.50,running\n2026-01-30,10.20,swimming\n",
        "2026-01-31,-12.5,cold\n2026-01-30,10.2,warm\n",
        "2026-01-31,-12.50,10.00,x\n",
    ];
    for content in table {
        assert!(
            amounts(content, Some(MoneyFlow::In))
                .unwrap_err()
                .contains("no bank statement")
        );
    }
}

#[test]
fn files_in_any_encoding_are_read() {
    let content = "Datum;Empfänger;Betrag (€)\n31.01.2026;Müller;-1,50\n";
    let latin: Vec<u8> = content
        .chars()
        .map(|char| {
            if char == '€' {
                0x80
            } else {
                u32::from(char) as u8
            }
        })
        .collect();
    let wide: Vec<u8> = format!("\u{FEFF}{content}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let marked = format!("\u{FEFF}{content}").into_bytes();
    for bytes in [content.as_bytes().to_vec(), latin, wide, marked] {
        let read = file(bytes);
        assert_eq!(
            (
                text(&read.records[0].2, "counterparty_name"),
                text(&read.records[0].2, "currency")
            ),
            ("Müller", "EUR")
        );
    }
}

#[test]
fn statements_that_overlap_do_not_double() {
    let head = "Date,Description,Amount (EUR)\n";
    let rows = [
        "2026-01-30,Coffee,-3.20\n",
        "2026-01-31,Coffee,-3.20\n",
        "2026-01-31,Coffee,-3.20\n",
        "2026-02-01,Tea,-2.00\n",
    ];
    let january = file(format!("{head}{}{}{}", rows[0], rows[1], rows[2]));
    let february = file(format!("{head}{}{}{}", rows[1], rows[2], rows[3]));
    assert_eq!(january.ids()[1..], february.ids()[..2]);
    let all: std::collections::HashSet<_> =
        january.ids().into_iter().chain(february.ids()).collect();
    assert_eq!(all.len(), 4, "two equal coffees of one day stay two");
    assert_eq!(file(layout("paypal")).ids(), ["9XX"]);
}
