//! Malformed address books: a clear message with the place, and the rest is read.

use std::io::Write as _;

use serde_json::json;

use super::{read, read_bytes};
use sextant_formats::{FileEntry, FileReader, FileSource};

fn card(uid: &str, more: &str) -> String {
    format!("BEGIN:VCARD\nVERSION:3.0\nUID:{uid}\nFN:Person {uid}\n{more}END:VCARD\n")
}

#[test]
fn a_file_cut_off_in_the_middle_loses_its_last_card_alone() {
    let whole = card("1", "") + &card("2", "");
    let read = read_bytes("a.vcf", &whole.as_bytes()[..whole.len() - 8]);
    assert_eq!(read.ids(), ["1"]);
    assert_eq!(
        read.refused,
        [(
            "line 6, VCARD Person 2".to_owned(),
            "it has no END:VCARD".to_owned()
        )]
    );
}

#[test]
fn cards_without_an_end_or_a_beginning_cost_only_themselves() {
    let unclosed = card("1", "").replace("END:VCARD\n", "");
    let unopened = card("3", "").replace("BEGIN:VCARD\n", "");
    let read = read_bytes(
        "a.vcf",
        unclosed + &card("2", "") + &unopened + &card("4", ""),
    );
    assert_eq!(read.ids(), ["2", "4"]);
    let expected = [
        ("line 1, VCARD Person 1", "it has no END:VCARD"),
        (
            "line 13, END:VCARD",
            "the card that ends here has no BEGIN:VCARD",
        ),
    ];
    assert_eq!(
        read.refused,
        expected.map(|(place, reason)| (place.to_owned(), reason.to_owned()))
    );
}

#[test]
fn a_calendar_within_an_address_book_is_refused_where_it_stands() {
    let event = "BEGIN:VEVENT\nUID:e\nSUMMARY:x\nBEGIN:VALARM\nEND:VALARM\nEND:VEVENT\n";
    let read = read_bytes("a.vcf", card("1", event) + event + &card("2", ""));
    assert_eq!(read.ids(), ["1", "2"]);
    let reason = "this is part of a calendar; calendars are read from .ics files";
    let expected =
        ["line 5, VEVENT", "line 12, VEVENT"].map(|place| (place.to_owned(), reason.to_owned()));
    assert_eq!(read.refused, expected);
    assert_eq!(
        read.records[0].2["uid"], "1",
        "what the event says is not the person's"
    );
}

#[test]
fn of_a_birthday_is_kept_what_is_known() {
    let parts = |written: &str| {
        let read = read_bytes("a.vcf", card("1", &format!("BDAY:{written}\n")));
        let fields = &read.records[0].2;
        assert!(!fields.contains_key("import_problems"), "{written}");
        ["year", "month", "day"].map(|part| {
            fields
                .get(&format!("birthday_{part}"))
                .and_then(|part| part.as_u64())
        })
    };
    assert_eq!(parts("1955"), [Some(1955), None, None]);
    assert_eq!(parts("1955-07"), [Some(1955), Some(7), None]);
    assert_eq!(parts("--07"), [None, Some(7), None]);
    assert_eq!(parts("---14"), [None, None, Some(14)]);
}

#[test]
fn a_date_that_does_not_exist_is_told_and_costs_no_person() {
    let read = read_bytes("a.vcf", card("1", "BDAY:1990-02-30\nANNIVERSARY:soon\n"));
    let fields = &read.records[0].2;
    assert!(!fields.contains_key("birthday_month") && !fields.contains_key("anniversary"));
    assert_eq!(
        (
            &fields["birthday_as_written"],
            &fields["anniversary_as_written"]
        ),
        (&json!("1990-02-30"), &json!("soon"))
    );
    assert_eq!(
        fields["import_problems"],
        json!([
            "BDAY `1990-02-30` is no date that can be stored",
            "ANNIVERSARY `soon` is no date that can be stored"
        ])
    );
}

#[test]
fn a_line_without_a_colon_is_told_and_costs_no_person() {
    let read = read_bytes("a.vcf", card("1", "76543 Schaffhausen\n"));
    assert_eq!(
        read.records[0].2["import_problems"],
        json!(["line 5, `76543 Schaffhausen`, is no property: it has no colon"])
    );
}

#[test]
fn a_line_of_100_megabytes_is_left_out_and_a_picture_silently() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.vcf");
    let mut file = std::io::BufWriter::new(std::fs::File::create(&path).unwrap());
    let chunk = vec![b'x'; 1024 * 1024];
    for name in ["NOTE", "PHOTO"] {
        write!(file, "BEGIN:VCARD\nFN:{name}\n{name}:").unwrap();
        (0..100).for_each(|_| file.write_all(&chunk).unwrap());
        write!(file, "\nTEL:1\nEND:VCARD\n").unwrap();
    }
    drop(file);
    let read = read(&FileSource::File(path)).unwrap();
    assert_eq!(
        read.records[0].2["import_problems"],
        json!(["`NOTE` on line 3 is longer than 1048576 bytes and was left out"])
    );
    assert!(!read.records[1].2.contains_key("import_problems"));
    assert!(
        read.records
            .iter()
            .all(|(.., fields)| fields["phones"] == json!([{"number": "1"}]))
    );
}

#[test]
fn a_broken_charset_is_read_as_what_it_most_likely_is() {
    let bytes = card("1", "ORG:Caf_\n").into_bytes();
    let bytes: Vec<_> = bytes
        .into_iter()
        .map(|byte| if byte == b'_' { 0xE9 } else { byte })
        .collect();
    assert_eq!(
        read_bytes("a.vcf", bytes).records[0].2["organization"],
        "Café"
    );
}

#[test]
fn what_holds_no_card_is_no_address_book() {
    for bytes in [
        &b"\xEF\xBB\xBF"[..],
        b"PK\x03\x04 \xFF\xFE nothing",
        b"name,phone\nAnn,1\n",
    ] {
        let source = FileSource::Bytes {
            name: "a.vcf".to_owned(),
            bytes: bytes.into(),
        };
        assert_eq!(
            read(&source).err().unwrap().to_string(),
            "this is no address book: it holds no BEGIN:VCARD"
        );
    }
}

#[test]
fn a_hundred_thousand_cards_stream() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.vcf");
    let mut file = std::io::BufWriter::new(std::fs::File::create(&path).unwrap());
    (0..100_000).for_each(|number| {
        file.write_all(card(&number.to_string(), "TEL:1\n").as_bytes())
            .unwrap()
    });
    drop(file);
    let all = FileReader::default()
        .entries(&FileSource::File(path))
        .unwrap();
    let stored = all
        .filter(|entry| matches!(entry, Ok(FileEntry::Record { .. })))
        .count();
    assert_eq!(stored, 100_000);
}
