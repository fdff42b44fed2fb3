//! SQL text stands in `sql/` and in `src/query/compile*` and `src/statements*` only; statements list their columns.

use super::source::{Source, assert_none, broken, files, shipped, text_of};

const ROOMS: [&str; 2] = ["src/query/compile", "src/statements"];

/// How a statement begins, and what must follow somewhere after it, so that an English sentence does not match.
const STATEMENTS: [(&str, &str); 22] = [
    ("select ", " from "),
    ("select ", "("),
    ("select 1", ""),
    ("insert into ", ""),
    ("update ", " set "),
    ("delete from ", ""),
    ("with ", " as ("),
    ("create table", ""),
    ("create role", ""),
    ("create database", ""),
    ("create schema", ""),
    ("create index", ""),
    ("alter table", ""),
    ("alter role", ""),
    ("drop table", ""),
    ("drop database", ""),
    ("truncate ", ""),
    ("grant ", " to "),
    ("revoke ", " from "),
    ("lock table", ""),
    ("set role", ""),
    ("set local ", ""),
];

fn rule(source: &Source) -> Vec<String> {
    if source.is_under(&ROOMS) {
        return Vec::new();
    }
    let is_sql = |text: &str| {
        STATEMENTS
            .iter()
            .any(|(start, rest)| starts_as(text, start, rest))
    };
    source
        .literals
        .iter()
        .filter(|literal| is_sql(&literal.text))
        .map(|literal| {
            format!(
                "{}:{}: SQL outside sql/, src/query/compile and src/statements",
                source.path, literal.line
            )
        })
        .collect()
}

fn starts_as(text: &str, start: &str, rest: &str) -> bool {
    let text = text
        .to_lowercase()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    text.strip_prefix(start)
        .is_some_and(|tail| format!(" {tail} ").contains(rest))
}

/// Finds `select *` and `returning *`; `count(*)` is not a list of columns.
fn lists_no_columns(path: &str, text: &str) -> Vec<String> {
    let plain: String = text
        .lines()
        .map(|line| line.split("--").next().unwrap_or(line))
        .collect::<Vec<_>>()
        .join("\n");
    let words: Vec<String> = plain
        .to_lowercase()
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    let names_all = |pair: &[String]| {
        matches!(pair[0].as_str(), "select" | "returning")
            && pair[1].trim_end_matches([',', ';']).ends_with('*')
            && !pair[1].contains('(')
    };
    words
        .windows(2)
        .filter(|pair| names_all(pair))
        .map(|pair| format!("{path}: {} {}", pair[0], pair[1]))
        .collect()
}

#[test]
fn sql_stands_in_its_rooms_only() {
    assert_none(broken(&shipped(), rule));
}

#[test]
fn statements_list_their_columns() {
    let statements = files(&["sql/statements"], "sql");
    assert_none(
        statements
            .iter()
            .flat_map(|path| lists_no_columns(path, &text_of(path)))
            .collect(),
    );
}

#[test]
fn sql_elsewhere_is_seen() {
    let bad = "fn f() { q(\"SELECT id\n FROM agents\"); q(r#\"delete from users\"#); q(\"update agents set name = $1\") }";
    assert_eq!(
        broken(&[Source::of("src/store/agents.rs", bad)], rule).len(),
        3
    );
    assert_eq!(
        broken(&[Source::of("src/query/compile.rs", bad)], rule).len(),
        0
    );
    let fine = "fn f() { log(\"select a connection, or update the file\"); } // select 1 from x";
    assert_eq!(
        broken(&[Source::of("src/store/agents.rs", fine)], rule),
        Vec::<String>::new()
    );
    let tested =
        "fn f() {}\n#[cfg(test)]\nmod tests {\n  const A: &str = \"select a from b\";\n}\n";
    assert_eq!(broken(&[Source::of("src/a.rs", tested)], rule).len(), 0);
}

#[test]
fn a_star_is_seen() {
    assert_eq!(
        lists_no_columns(
            "a.sql",
            "select * from a; insert into b values (1) returning b.*;"
        )
        .len(),
        2
    );
    assert_eq!(
        lists_no_columns("a.sql", "select count(*) from a -- select *").len(),
        0
    );
}
