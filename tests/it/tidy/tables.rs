//! The reference of tables in `docs/pushing.md` equals what the catalogue and the units say.
//!
//! `UPDATE_GOLDEN=1 cargo test --test it tidy::tables` writes it anew; read the difference before it is committed.

use std::fmt::Write as _;
use std::fs;

use sextant::catalog::{self, Field, Kind, Origin, Table};
use sextant::ingest::units;
use sextant_actors::domain::Sector;

use super::source::{root, text_of};

const PAPER: &str = "docs/pushing.md";
const BEGIN: &str = "<!-- generated: begin -->\n";
const END: &str = "<!-- generated: end -->\n";

/// The whole reference, sector by sector.
fn reference() -> String {
    let tables = Sector::ALL.into_iter().map(|sector| {
        let tables: Vec<String> = catalog::sector(sector).iter().map(of_table).collect();
        format!("\n### {sector}\n{}", tables.concat())
    });
    tables.collect::<String>() + "\n" + &of_units()
}

fn of_table(table: &Table) -> String {
    let about = format!("{} {}", table.about, origin(table));
    let rules = rules(table)
        .iter()
        .map(|rule| format!("- {rule}\n"))
        .collect::<String>();
    let space = if rules.is_empty() { "" } else { "\n" };
    let fields = table.fields.iter().map(of_field).collect::<String>();
    format!(
        "\n#### {}\n\n{about}\n\n{rules}{space}| field | type | what it holds |\n|---|---|---|\n{fields}",
        table.target()
    )
}

fn origin(table: &Table) -> &'static str {
    match table.origin {
        Origin::Pushed if table.is_merged => {
            "Takes pushes; the rows are made of them and of the sector's other tables."
        }
        Origin::Pushed => "Takes pushes.",
        Origin::Brought => "Filled through the records that nest it.",
        Origin::Derived => "Made by the service.",
        Origin::View => "A view.",
    }
}

/// What a pushed record of the table must and may contain, and how its rows are ordered.
fn rules(table: &Table) -> Vec<String> {
    let mut rules = Vec::new();
    if let Some(natural) = table.natural {
        rules.push(format!(
            "Without an `id`, `{natural}` is the record's name."
        ));
    }
    for group in table.one_of {
        rules.push(format!("At least one of {} is required.", quoted(group)));
    }
    if let Some(rule) = table.inferred_day {
        let (field, value) = rule.applies_to;
        let sources = quoted(rule.sources);
        rules.push(format!(
            "`{}` may be absent where `{field}` is `{value}`: it is made of {sources}, whichever is there first.",
            rule.day
        ));
    }
    let nested = table.fields.iter().filter_map(|field| field.reference);
    for reference in nested {
        if let Some(name) = reference.nested {
            let parent = format!("{}.{}", table.sector, reference.table);
            rules.push(format!(
                "`{name}` may hold the parent, a record of {parent}."
            ));
        }
    }
    for part in table.parts {
        let of = format!("{}.{}", table.sector, part.table);
        rules.push(format!(
            "`{}` may hold a list of records of {of}.",
            part.name
        ));
    }
    if !table.default_order.is_empty() {
        rules.push(format!(
            "Ordered by {} when nothing else is asked.",
            quoted(table.default_order)
        ));
    }
    rules
}

fn of_field(field: &Field) -> String {
    let about = field.about.replace('|', "\\|");
    format!(
        "| `{}` | {} | {about}{} |\n",
        field.name,
        kind(field),
        marks(field)
    )
}

fn kind(field: &Field) -> String {
    let mut words = match field.kind {
        Kind::Decimal { scale } => format!("decimal, {scale} digits after the point"),
        kind => kind.name().to_owned(),
    };
    if let Some(reference) = field.reference {
        let _ = write!(words, " of {}", reference.table);
    }
    if let Some(unit) = field.unit {
        let _ = write!(words, ", in {unit}");
    }
    if !field.values.is_empty() {
        let _ = write!(words, ": {}", quoted(field.values));
    }
    words
}

fn marks(field: &Field) -> String {
    let marks = [
        (field.required, "Required."),
        (field.searchable.is_some(), "Searchable."),
        (field.untrusted, "Written by others."),
    ];
    let said = marks.iter().filter(|(holds, _)| *holds);
    said.map(|(_, words)| format!(" {words}")).collect()
}

fn of_units() -> String {
    let mut text =
        "### Units of health.samples\n\n| metric | kept in | also taken |\n|---|---|---|\n"
            .to_owned();
    for (metric, kept) in units::metrics() {
        let others: Vec<&str> = units::accepted(kept).collect();
        let _ = writeln!(text, "| `{metric}` | `{kept}` | {} |", quoted(&others));
    }
    text
}

fn quoted(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// The document in three parts: up to the first line of the generated part, that part, and from its last line on.
fn split(paper: &str) -> (&str, &str, &str) {
    let begin = paper.find(BEGIN).unwrap() + BEGIN.len();
    let end = paper.find(END).unwrap();
    (&paper[..begin], &paper[begin..end], &paper[end..])
}

/// The first line of `stands` that differs from `right`.
fn difference(stands: &str, right: &str) -> Option<String> {
    let lines = stands.lines().count().max(right.lines().count());
    let line = |text: &str, at| text.lines().nth(at).unwrap_or("(nothing)").to_owned();
    let mut pairs = (0..lines).map(|at| (line(stands, at), line(right, at)));
    let (stands, right) = pairs.find(|(stands, right)| stands != right)?;
    Some(format!(
        "{PAPER} says\n  {stands}\nwhere the catalogue says\n  {right}\nrenew it: UPDATE_GOLDEN=1 cargo test --test it tidy::tables"
    ))
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one command that renews the document"
)]
fn is_to_be_renewed() -> bool {
    std::env::var_os("UPDATE_GOLDEN").is_some()
}

#[test]
fn the_reference_of_tables_is_what_the_catalogue_says() {
    let paper = text_of(PAPER);
    let (before, stands, after) = split(&paper);
    let right = reference();
    if is_to_be_renewed() {
        fs::write(root().join(PAPER), format!("{before}{right}{after}")).unwrap();
    } else if let Some(difference) = difference(stands, &right) {
        panic!("{difference}");
    }
}

#[test]
fn every_table_field_and_metric_is_in_the_reference() {
    let reference = reference();
    for table in catalog::tables() {
        let (_, section) = reference
            .split_once(&format!("#### {}\n", table.target()))
            .unwrap();
        let section = section.split("\n#").next().unwrap();
        for field in table.fields {
            assert!(
                section.contains(&format!("| `{}` |", field.name)),
                "{}.{}",
                table.name,
                field.name
            );
        }
    }
    for (metric, _) in units::metrics() {
        assert!(reference.contains(&format!("| `{metric}` |")), "{metric}");
    }
}

#[test]
fn a_reference_that_differs_is_seen() {
    assert_eq!(difference("a\nb\n", "a\nb\n"), None);
    for (stands, right) in [("a\nb\n", "a\nc\n"), ("a\n", "a\nb\n"), ("a\nb\n", "a\n")] {
        let told = difference(stands, right).unwrap();
        assert!(told.contains("UPDATE_GOLDEN=1"), "{told}");
    }
    let paper = format!("x\n{BEGIN}y\n{END}z\n");
    assert_eq!(split(&paper).1, "y\n");
}
