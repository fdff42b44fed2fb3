//! Texts that are compared word for word with files: what leaves the process, and the SQL it compiles.
//!
//! `UPDATE_GOLDEN=1 cargo test --test it golden` writes the files anew; read the difference before it is committed.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// Unchanged lines that are shown around a difference.
const CONTEXT_LINES: usize = 3;
/// Lines of a difference that are shown at the most.
const SHOWN_LINES_MAX: usize = 60;

/// Asserts that the file at `path`, in the project, holds exactly `told`.
#[expect(
    clippy::disallowed_methods,
    reason = "the one command that writes the files anew"
)]
#[track_caller]
pub fn assert_kept(path: &str, told: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, told).unwrap();
    }
    let kept = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(
        kept == told,
        "{path} holds something else (- kept, + now):\n{}\nIf that is meant: UPDATE_GOLDEN=1 cargo test --test it golden",
        difference(&kept, told)
    );
}

/// As [`assert_kept`], for JSON: indented, with the package's version masked.
#[track_caller]
pub fn assert_kept_json(path: &str, told: &Value) {
    let mut masked = told.clone();
    mask(&mut masked);
    assert_kept(path, &format!("{masked:#}\n"));
}

/// Replaces the package's version wherever a string is exactly the version.
fn mask(value: &mut Value) {
    match value {
        Value::String(text) if text == env!("CARGO_PKG_VERSION") => "VERSION".clone_into(text),
        Value::Array(values) => values.iter_mut().for_each(mask),
        Value::Object(fields) => fields.values_mut().for_each(mask),
        _ => {}
    }
}

/// The lines between the first and the last one that differ, with a few lines around them.
fn difference(kept: &str, told: &str) -> String {
    let (kept, told): (Vec<&str>, Vec<&str>) = (kept.lines().collect(), told.lines().collect());
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let before = kept.iter().zip(&told).take_while(same).count();
    let shorter = kept.len().min(told.len()) - before;
    let ends = kept.iter().rev().zip(told.iter().rev());
    let after = ends.take(shorter).take_while(same).count();
    let mut lines = Vec::new();
    let around = before.saturating_sub(CONTEXT_LINES);
    lines.extend(kept[around..before].iter().map(|line| (' ', *line)));
    lines.extend(
        kept[before..kept.len() - after]
            .iter()
            .map(|line| ('-', *line)),
    );
    lines.extend(
        told[before..told.len() - after]
            .iter()
            .map(|line| ('+', *line)),
    );
    lines.extend(
        kept[kept.len() - after..]
            .iter()
            .take(CONTEXT_LINES)
            .map(|line| (' ', *line)),
    );
    let mut shown = format!("line {}\n", before + 1);
    for (mark, line) in lines.iter().take(SHOWN_LINES_MAX) {
        writeln!(shown, "{mark} {line}").unwrap();
    }
    if lines.len() > SHOWN_LINES_MAX {
        writeln!(shown, "  and {} lines more", lines.len() - SHOWN_LINES_MAX).unwrap();
    }
    shown
}

#[test]
fn a_difference_is_shown_with_the_lines_around_it() {
    let kept = "a\nb\nc\nd\ne\nf\ng\nh\n";
    let told = kept.replace('e', "E").replace('f', "F\nG");
    assert_eq!(
        difference(kept, &told),
        "line 5\n  b\n  c\n  d\n- e\n- f\n+ E\n+ F\n+ G\n  g\n  h\n"
    );
    assert_eq!(difference("a\n", "a\na\n"), "line 2\n  a\n+ a\n");
    assert_eq!(difference("a\n", ""), "line 1\n- a\n");
}

#[test]
fn only_a_version_by_itself_is_masked() {
    let version = env!("CARGO_PKG_VERSION");
    let mut value = serde_json::json!({ "a": [version, format!("v{version}")] });
    mask(&mut value);
    assert_eq!(
        value["a"],
        serde_json::json!(["VERSION", format!("v{version}")])
    );
}
