//! Arrays are cut into their records whatever stands in these.

use super::*;
use crate::entry::FileEntry;

fn source(name: &str, text: &str) -> FileSource {
    FileSource::Bytes {
        name: name.to_owned(),
        bytes: text.as_bytes().into(),
    }
}

fn read(text: &str) -> Vec<Result<FileEntry, String>> {
    let entries = FileReader::default()
        .entries(&source("x.json", text))
        .unwrap();
    entries
        .map(|entry| entry.map_err(|error| error.to_string()))
        .collect()
}

#[test]
fn an_array_is_read_as_its_lines_would_be() {
    let records = [
        r#"{"target":"a.b","id":"1","text":"],[ \"},{ \\","list":[[1],{"x":{}}]}"#,
        r#"{"id":"2"}"#,
        r#"{"amount":-1.10}"#,
    ];
    let lines = records.join("\n");
    let expected: Vec<_> = FileReader::default()
        .entries(&source("x.jsonl", &lines))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let array = format!("\u{feff}[{}\n]\n", records.join(",\n"));
    let read: Vec<_> = read(&array).into_iter().map(Result::unwrap).collect();
    assert_eq!(read, expected);
    assert_eq!(self::read(" [ ] "), []);
}

#[test]
fn what_is_no_record_is_refused_where_it_begins_and_the_rest_goes_on() {
    let read = read("[\n{\"id\":\"1\"},\n7,\n{\"id\"\n:}, ,\n{\"id\":\"2\"}]");
    let lines: Vec<_> = read
        .iter()
        .map(|entry| match entry.as_ref().unwrap() {
            FileEntry::Record { place, .. } => (place.line, true),
            FileEntry::Refused { place, .. } => (place.line, false),
        })
        .collect();
    assert_eq!(lines[..3], [(2, true), (3, false), (4, false)]);
    assert_eq!(lines.last(), Some(&(6, true)));
}

#[test]
fn a_cut_off_array_gives_what_came_before_and_says_so() {
    for (text, why) in [
        ("[{\"id\":\"1\"},{\"id\"", "cut off"),
        ("[{\"id\":\"1\"}] {}", "behind its array"),
    ] {
        let read = read(text);
        assert!(read[0].is_ok() && read.len() == 2, "{read:?}");
        assert!(
            read[1].as_ref().is_err_and(|error| error.contains(why)),
            "{read:?}"
        );
    }
    let object = FileReader::default().entries(&source("x.json", "{\"a\":1}"));
    assert!(matches!(object, Err(FileError::NotThisFormat(_))));
}

#[test]
fn a_record_without_end_costs_no_memory() {
    let long = format!(
        "[{{\"a\":\"{}\"}},{{\"id\":\"2\"}}]",
        "x".repeat(LINE_BYTES_MAX)
    );
    let read = read(&long);
    assert!(
        matches!(&read[0], Ok(FileEntry::Refused { reason, .. }) if reason.contains("longer than"))
    );
    assert!(matches!(&read[1], Ok(FileEntry::Record { .. })));
}

#[test]
fn in_a_folder_only_what_names_its_table_is_meant() {
    let is_of_others = |text: &str| super::is_of_others(&source("x.json", text));
    assert!(!is_of_others(
        "[{\"target\":\"mail.messages\",\"id\":\"1\"}]"
    ));
    for text in [
        "[{\"title\":\"x\"}]",
        "{\"a\":1}",
        "[]",
        "",
        "[1",
        "[{\"target\":3}]",
    ] {
        assert!(is_of_others(text), "{text}");
    }
    assert!(!super::is_of_others(&source("x.csv", "")));
}
