//! Malformed input: a clear message with the place, and the rest is read.

use super::{fixture, read, read_bytes};
use sextant_formats::FileSource;

fn event(uid: &str, more: &str) -> String {
    format!("BEGIN:VEVENT\nUID:{uid}\nDTSTART:20260101T100000Z\n{more}END:VEVENT\n")
}

#[test]
fn a_calendar_cut_off_in_the_middle_loses_its_last_event_alone() {
    let whole = format!("BEGIN:VCALENDAR\n{}{}", event("1", ""), event("2", ""));
    let read = read_bytes("a.ics", &whole.as_bytes()[..whole.len() - 8]);
    assert_eq!(read.ids(), ["1"]);
    assert_eq!(
        read.refused,
        [(
            "line 6, VEVENT 2".to_owned(),
            "it has no END:VEVENT".to_owned()
        )]
    );
}

#[test]
fn a_line_without_end_loses_its_event_alone() {
    let endless = format!("SUMMARY:{}\n", "x".repeat(3 * 1024 * 1024));
    let read = read_bytes("a.ics", event("1", &endless) + &event("2", ""));
    assert_eq!(read.ids(), ["2"]);
    assert_eq!(read.refused[0].1, "line 4 is longer than 1048576 bytes");
}

#[test]
fn a_broken_charset_is_read_as_what_it_most_likely_is() {
    let bytes = event("1", "SUMMARY:Caf_\n").into_bytes();
    let bytes: Vec<_> = bytes
        .into_iter()
        .map(|byte| if byte == b'_' { 0xE9 } else { byte })
        .collect();
    assert_eq!(read_bytes("a.ics", bytes).records[0].2["title"], "Café");
}

#[test]
fn a_contact_within_a_calendar_is_refused_where_it_stands() {
    let read = read_bytes(
        "a.ics",
        format!("{}BEGIN:VCARD\nFN:Ann\nEND:VCARD\n", event("1", "")),
    );
    assert_eq!(read.ids(), ["1"]);
    assert_eq!(
        read.refused,
        [(
            "line 5, VCARD".to_owned(),
            "this is a contact; contacts are read from .vcf files".to_owned()
        )]
    );
}

#[test]
fn an_event_on_a_day_that_does_not_exist_is_refused() {
    let read = read_bytes(
        "a.ics",
        event("1", "").replace("20260101", "20260230") + &event("2", ""),
    );
    assert_eq!(read.ids(), ["2"]);
    assert_eq!(read.refused[0].1, "DTSTART is a date that does not exist");
}

#[test]
fn a_statement_cut_off_in_the_middle_says_so() {
    let path = fixture("bank/checking.ofx");
    let whole = std::fs::read(path).unwrap();
    let cut = whole
        .windows(7)
        .position(|window| window == b"0000487")
        .unwrap();
    let read = read_bytes("a.ofx", &whole[..cut]);
    assert_eq!((read.records.len(), read.refused.len()), (1, 1));
    assert!(
        read.refused[0]
            .1
            .starts_with("the file ends within this STMTTRN")
    );
}

#[test]
fn what_is_no_calendar_and_no_statement_is_said_to_be_neither() {
    let table = [
        ("a.ics", "this is no calendar: it holds no BEGIN:VCALENDAR"),
        ("a.ofx", "this is no OFX file: it holds no <OFX>"),
        (
            "a.xls",
            "files ending in `xls` are not read; known are .ics, .vcf, .csv, .ofx, .qfx, .qif, .sta, .940, .mt940, .eml, .emlx, .mbox, .xml, .jsonl, .ndjson, .json, .gz of these, .zip, .tar, .tgz",
        ),
    ];
    for (name, message) in table {
        let bytes = b"PK\x03\x04 \xFF\xFE nothing".as_slice().into();
        let source = FileSource::Bytes {
            name: name.to_owned(),
            bytes,
        };
        assert_eq!(read(&source).err().unwrap().to_string(), message);
    }
}

#[test]
fn a_missing_file_is_an_error_and_no_panic() {
    let message = read(&FileSource::File("/nonexistent/a.ics".into()))
        .err()
        .unwrap()
        .to_string();
    assert!(
        message.starts_with("the file cannot be read: "),
        "{message}"
    );
}

#[test]
fn a_folder_is_called_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let calendars = folder.path().join("calendars.ics");
    std::fs::create_dir(&calendars).unwrap();
    for path in [folder.path(), &calendars] {
        let error = read(&FileSource::File(path.into())).err().unwrap();
        assert_eq!(error.to_string(), "it is a folder: name the files in it");
    }
}
