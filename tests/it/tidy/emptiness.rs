//! An empty answer means that there is nothing: what is missing or malformed is an error, or a comment says why it is
//! not.

use super::source::{Source, assert_none, broken, shipped, text_of};

/// Where rows are asked for and read, what is pushed is taken, and answers of the service are shown.
const ROOMS: [&str; 10] = [
    "src/query",
    "src/store",
    "src/db",
    "src/export",
    "src/import",
    "src/derived",
    "src/statements",
    "src/ingest",
    "src/cli",
    "actors/src",
];
/// Code that turns an absence or an error into an empty value.
const SILENT: [&str; 2] = ["unwrap_or_default()", "map(Result::ok)"];
/// How many lines above the code its reason may stand: the length of one chain of calls.
const REASON_LINES: usize = 4;
/// The one reader of rows: it counts their columns, reads each with its type, and names the statement of a row of another shape.
const READER: &str = "src/db/rows.rs";

fn silent(source: &Source) -> Vec<String> {
    if !source.is_under(&ROOMS) {
        return Vec::new();
    }
    let text: Vec<&str> = source.text.lines().collect();
    let is_told = |at: usize| {
        let near = &text[at.saturating_sub(REASON_LINES)..=at];
        near.iter().any(|line| is_comment(line))
    };
    let numbered = source.code.lines().enumerate();
    numbered
        .filter(|(at, line)| SILENT.iter().any(|word| line.contains(word)) && !is_told(*at))
        .map(|(at, _)| {
            format!(
                "{}:{}: an error, or a comment that says why nothing is right here",
                source.path,
                at + 1
            )
        })
        .collect()
}

fn is_comment(line: &str) -> bool {
    line.contains("// ") && !line.trim_start().starts_with("///")
}

/// Rows read elsewhere: nothing would count their columns, and an error would name no statement.
fn columns(source: &Source) -> Vec<String> {
    if source.path == READER {
        return Vec::new();
    }
    let why = "rows are read in src/db/rows.rs: with columns, column or Cells";
    source.places_of(&[".try_get(", ".try_get::<", ".get::<_,"], why)
}

/// The documents of an export, and the statements whose rows each of them writes.
const DOCUMENTS: [(&str, &[&str]); 4] = [
    ("src/export/calendar", &["series", "zones"]),
    ("src/export/contacts", &["people", "groups"]),
    ("src/export/mail", &["messages"]),
    ("src/export/transactions", &["transactions"]),
];

/// The columns that a source reads by name.
fn members(source: &Source) -> Vec<&str> {
    let reads = ["(row, \"", "row.get(\""];
    let of = |read| source.text.split(read).skip(1);
    let rest = reads.into_iter().flat_map(of);
    let names = rest.filter_map(|rest| rest.split('"').next());
    // Names with capitals are properties of the document itself.
    let is_column = |name: &&str| !name.contains(|each: char| each.is_uppercase());
    names.filter(is_column).collect()
}

/// Columns that are read although the statement does not select them: they would be exported as empty.
fn unbrought(source: &Source, sql: &str) -> Vec<String> {
    let words: Vec<&str> = sql
        .split(|each: char| !each.is_alphanumeric() && each != '_')
        .collect();
    let absent = members(source)
        .into_iter()
        .filter(|name| !words.contains(name));
    absent
        .map(|name| format!("{}: no statement brings {name}", source.path))
        .collect()
}

#[test]
fn documents_read_what_their_statements_bring() {
    let sources = shipped();
    for (folder, statements) in DOCUMENTS {
        let sql: String = statements
            .iter()
            .map(|name| text_of(&format!("sql/statements/export/{name}.sql")))
            .collect();
        let own: Vec<&Source> = sources
            .iter()
            .filter(|source| source.is_under(&[folder]))
            .collect();
        assert!(!own.is_empty(), "{folder}");
        let broken = own.into_iter().flat_map(|source| unbrought(source, &sql));
        assert_none(broken.collect());
    }
}

#[test]
fn nothing_is_never_an_answer_by_default() {
    let sources = shipped();
    for rule in [silent, columns] {
        assert_none(broken(&sources, rule));
    }
}

#[test]
fn what_would_be_empty_in_silence_is_seen() {
    let count = |path: &str, text: &str, rule: fn(&Source) -> Vec<String>| {
        broken(&[Source::of(path, text)], rule).len()
    };
    let bare = "fn f() {\n    rows.next().unwrap_or_default();\n}\n";
    let told = "fn f() {\n    // None is none.\n    rows\n        .next()\n        .unwrap_or_default();\n}\n";
    let documented = "/// None is none.\nfn f() { rows.next().unwrap_or_default() }\n";
    let dropped = "fn f() {\n    rows.filter_map(Result::ok)\n}\n";
    for (text, expected) in [(bare, 1), (told, 0), (documented, 1), (dropped, 1)] {
        assert_eq!(count("src/store/a.rs", text, silent), expected, "{text}");
    }
    assert_eq!(count("src/http/a.rs", bare, silent), 0);
    for (line, expected) in [
        ("row.try_get(0)", 1),
        ("row.try_get::<_, i64>(\"n\")", 1),
        ("mark.try_get(field.name())", 1),
        ("row.get::<_, i64>(0)", 1),
        ("rows::columns(\"a/read\", row)", 0),
    ] {
        let text = format!("fn f(row: &Row) {{ {line} }}");
        for path in ["src/ingest/a.rs", "src/db/lock/obtain.rs"] {
            assert_eq!(count(path, &text, columns), expected, "{line}");
        }
        assert_eq!(count("src/db/rows.rs", &text, columns), 0);
    }
    let reader =
        "fn f() { text(row, \"uid\"); row.get(\"etag\"); text(of, \"label\"); add(row, \"NOTE\") }";
    let reader = Source::of("src/export/contacts.rs", reader);
    assert_eq!(unbrought(&reader, "SELECT uid, etag FROM a").len(), 0);
    assert_eq!(unbrought(&reader, "SELECT uids FROM a").len(), 2);
}
