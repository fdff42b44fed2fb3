//! Statements that are broken, hostile or something else: each says what is wrong with it, and nothing is left out in silence.

use proptest::prelude::*;

use super::camt::{entry, message};
use super::{Read, fixture, fixtures, read, read_bytes_with};
use sextant_formats::{FileError, FileSource, Options};

fn options() -> Options {
    Options {
        currency: Some("EUR".to_owned()),
        account: Some("Mine".to_owned()),
        ..Options::default()
    }
}

fn file(name: &str, bytes: impl Into<Vec<u8>>) -> Result<Read, FileError> {
    read_bytes_with(name, bytes, &options())
}

fn failure(name: &str, bytes: impl Into<Vec<u8>>) -> String {
    file(name, bytes).err().unwrap().to_string()
}

const MADE: &str = "2026-03-02T12:00:00Z";

fn camt(entries: &str) -> Read {
    file("a.xml", message("053", MADE, entries)).unwrap()
}

#[test]
fn a_file_that_was_cut_off_says_so() {
    let whole = message(
        "053",
        MADE,
        &entry("BOOK", "<AcctSvcrRef>B</AcctSvcrRef>").repeat(3),
    );
    let root = whole.find("<Acct>").unwrap();
    for cut in (root..whole.trim_end().len()).step_by(7) {
        let told = failure("a.xml", &whole[..cut]);
        let is_told = told.contains("the file ends") || told.contains("ends before its root");
        assert!(is_told, "{told}: {}", &whole[..cut]);
    }
    let statement = ":20:A\n:25:12345678/1\n:60F:C260101EUR1,\n:61:260102D3,20NMSCNONREF\n:61:2601";
    let read = file("a.sta", statement).unwrap();
    assert_eq!((read.records.len(), read.refused.len()), (1, 1));
    let read = file("a.qif", "!Type:Bank\nD13/2/26\nT1.00\n^\nD14/2/26\nT").unwrap();
    assert_eq!((read.records.len(), read.refused.len()), (1, 1));
}

#[test]
fn elements_within_one_another_have_an_end() {
    let deep = format!("{}{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
    let entries = format!("<Ntry>{deep}</Ntry>{}", entry("BOOK", ""));
    let read = camt(&entries);
    assert_eq!((read.records.len(), read.refused.len()), (1, 1));
    assert!(
        read.refused[0].1.contains("in one another"),
        "{:?}",
        read.refused
    );
    let told = failure("a.xml", message("053", MADE, &deep));
    assert!(told.contains("too deep"), "{told}");
    let wide = format!("<Ntry>{}</Ntry>", "<a/>".repeat(250_000));
    assert!(camt(&wide).refused[0].1.contains("more than"), "too many");
}

#[test]
fn no_entity_is_ever_expanded() {
    let bomb = "<!DOCTYPE Document [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c SYSTEM \"file:///etc/passwd\">]>";
    for word in ["&b;", "&c;", "&#xFFFFFFFF;", "&"] {
        let said = format!("<AddtlNtryInf>{word}</AddtlNtryInf>");
        let text = message("053", MADE, &(entry("BOOK", &said) + &entry("BOOK", "")));
        let text = text.replace("?>\n", &format!("?>\n{bomb}"));
        let read = file("a.xml", text).unwrap();
        assert_eq!((read.records.len(), read.refused.len()), (1, 1), "{word}");
        assert!(
            read.refused[0].1.contains("cannot be read"),
            "{:?}",
            read.refused
        );
    }
    let plain = camt(&entry(
        "BOOK",
        "<AddtlNtryInf><![CDATA[a < b & c]]> &amp; d&#101;</AddtlNtryInf>",
    ));
    assert_eq!(plain.records[0].2["description"], "a < b & c & de");
}

#[test]
fn a_text_that_is_too_long_refuses_its_entry_alone() {
    let said = format!("<AddtlNtryInf>{}</AddtlNtryInf>", "x".repeat(1_000_000));
    let read = camt(&(entry("BOOK", &said) + &entry("BOOK", "")));
    assert_eq!((read.records.len(), read.refused.len()), (1, 1));
    let booking = ":61:260102D3,20NMSCNONREF\n";
    let long = format!(
        ":20:A\n:25:1234\n:60F:C260101EUR1,\n{booking}:86:{}\n{booking}",
        "x".repeat(1_000_000)
    );
    let read = file("a.sta", long).unwrap();
    assert_eq!((read.records.len(), read.refused.len()), (1, 1));
    let record = "D13/2/26\nT1.00\n^\n";
    let long = format!("!Type:Bank\nM{}\n{record}{record}", "x".repeat(1_000_000));
    let read = file("a.qif", long).unwrap();
    assert_eq!((read.records.len(), read.refused.len()), (1, 1));
}

#[test]
fn days_and_amounts_that_do_not_exist_are_refused_with_what_stands_there() {
    let good = entry("BOOK", "");
    for (written, broken) in [
        ("2026-03-02", "2026-02-30"),
        ("2026-03-02", "12026-03-02"),
        ("2026-03-02", "+12026-3-2"),
        ("2026-03-02", "2026-03-021"),
        ("10.00<", "1.000,00<"),
        ("10.00<", "1,000.00<"),
        ("10.00<", "<"),
        ("DBIT", "BOTH"),
        (" Ccy=\"EUR\"", ""),
        ("BOOK", "GONE"),
    ] {
        let read = camt(&good.replace(written, broken));
        assert_eq!((read.records.len(), read.refused.len()), (0, 1), "{broken}");
    }
    for booking in [
        "12026-01-02D1,",
        "260102D1.000,00",
        "260102D1,000.00",
        "260102D,",
        "261302D1,",
        "260102",
        "",
    ] {
        let text = format!(":20:A\n:25:1234\n:60F:C260101EUR1,\n:61:{booking}\n");
        let read = file("a.sta", text).unwrap();
        assert_eq!(
            (read.records.len(), read.refused.len()),
            (0, 1),
            "{booking}"
        );
    }
    for record in [
        "D13/2/12026\nT1.00",
        "D30/13/26\nT1.00",
        "D13/2/26\nT1x2",
        "D13/2/26\nTmuch",
        "D13/2/26",
        "T1.00",
    ] {
        let text = format!("!Type:Bank\n{record}\n^\nD13/2/26\nT1.00\n^\n");
        let read = file("a.qif", text).unwrap();
        assert_eq!((read.records.len(), read.refused.len()), (1, 1), "{record}");
    }
    let both = failure(
        "a.qif",
        "!Type:Bank\nD13/2/26\nT1,000.50\n^\nD13/2/26\nT1.000,50\n^\n",
    );
    assert!(both.contains("decimal comma"), "{both}");
}

#[test]
fn statements_in_other_encodings_are_read() {
    let said = "<AddtlNtryInf>Müller</AddtlNtryInf>";
    let text = message("053", MADE, &entry("BOOK", said));
    let latin: Vec<u8> = text.chars().map(|sign| u32::from(sign) as u8).collect();
    let wide = |text: &str| {
        let marked = format!("\u{FEFF}{text}");
        marked
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect::<Vec<u8>>()
    };
    let marked = format!("\u{FEFF}{text}").into_bytes();
    for bytes in [latin, wide(&text), marked] {
        let read = file("a.xml", bytes).unwrap();
        assert_eq!(read.records[0].2["description"], "Müller");
    }
    let record = "!Type:Bank\r\nD13/2/26\r\nT1.00\r\nPMüller\r\n^\r\n";
    let read = file("a.qif", wide(record)).unwrap();
    assert_eq!(read.records[0].2["counterparty_name"], "Müller");
}

#[test]
fn what_is_none_of_them_is_said_to_be_none() {
    for (name, told) in [
        ("a.sta", "this is no MT940 file: it holds no :20:"),
        (
            "a.qif",
            "this is no QIF file: no line says what its records are, as !Type:Bank does",
        ),
    ] {
        assert_eq!(failure(name, "hello\n^\n-\n"), told);
    }
    let untitled = file(
        "a.qif",
        "D13/2/26\nT1.00\n^\n!Type:Bank\nD13/2/26\nT1.00\n^\n",
    )
    .unwrap();
    assert_eq!((untitled.records.len(), untitled.refused.len()), (1, 1));
    let other = failure("a.xml", "<Document><CstmrCdtTrfInitn/></Document>");
    assert!(
        other.contains("Apple Health") && other.contains("camt"),
        "{other}"
    );
    let nobody = ":20:A\n:60F:C260101EUR1,\n:61:260102D3,20NMSC\n";
    let source = FileSource::Bytes {
        name: "a.sta".to_owned(),
        bytes: nobody.as_bytes().into(),
    };
    let read = read(&source).unwrap();
    assert!(
        read.refused[0].1.contains("--account NAME"),
        "{:?}",
        read.refused
    );
}

/// A real file with some bytes of it taken out and others put in.
fn damaged(folder: &'static str, ending: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let files: Vec<Vec<u8>> = fixtures(folder, ending)
        .into_iter()
        .map(|path| std::fs::read(path).unwrap())
        .filter(|bytes| bytes.len() < 12_000)
        .collect();
    let file = prop::sample::select(files);
    let put_in = prop::collection::vec(any::<u8>(), 0..8);
    let damage = (any::<prop::sample::Index>(), 0_usize..64, put_in);
    (file, prop::collection::vec(damage, 1..6)).prop_map(|(mut bytes, damages)| {
        for (at, taken, put_in) in damages {
            let at = at.index(bytes.len().max(1)).min(bytes.len());
            let end = (at + taken).min(bytes.len());
            bytes.splice(at..end, put_in);
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_damaged_file_is_read_or_refused(
        camt in damaged("statements/camt", "xml"), swift in damaged("statements/mt940", "sta"), qif in damaged("statements/qif", "qif"),
    ) {
        for (name, bytes) in [("a.xml", camt), ("a.sta", swift), ("a.qif", qif)] {
            let _ = file(name, bytes);
        }
    }
}

#[test]
fn a_whole_file_without_its_last_line_still_gives_its_bookings() {
    let bytes = std::fs::read(fixture("statements/mt940/sns-nl.txt")).unwrap();
    let whole = file("a.sta", bytes.clone()).unwrap();
    let cut = file("a.sta", &bytes[..bytes.len() - 40]).unwrap();
    assert_eq!(whole.ids()[..3], cut.ids()[..3]);
}
