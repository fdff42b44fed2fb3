//! The amounts of statements, summed by us and by Python's csv module.

use std::io::Write as _;
use std::process::{Command, Stdio};

use rust_decimal::Decimal;
use serde_json::json;

use super::layouts::LAYOUTS;
use super::read_bytes_with;
use super::statements::options;
use crate::support::python;

/// Bank, separator, lines before the header, the column, and whether it uses a decimal comma.
const COLUMNS: [(&str, &str, u32, &str, bool); 6] = [
    ("n26", ",", 0, "Amount (EUR)", false),
    ("dkb_old", ";", 6, "Betrag (EUR)", true),
    ("sparkasse", ";", 0, "Betrag", true),
    ("wise", ",", 0, "Amount", false),
    ("chase", ",", 0, "Amount", false),
    ("ubs", ";", 4, "Belastung", false),
];

#[test]
fn amounts_add_up_as_python_adds_them() {
    if !python::installed("sums") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (mut files, mut ours) = (Vec::new(), Vec::new());
    for (bank, separator, skipped, column, comma) in COLUMNS {
        let content = LAYOUTS.iter().find(|(known, ..)| *known == bank).unwrap().1;
        let path = folder.path().join(bank);
        std::fs::write(&path, content).unwrap();
        files.push(json!({"path": path, "encoding": "utf-8", "separator": separator, "skipped": skipped, "column": column, "comma": comma}));
        let read = read_bytes_with("a.csv", content, &options()).unwrap();
        let sum: Decimal = read
            .records
            .iter()
            .map(|(.., fields)| fields["amount"].to_string().parse::<Decimal>().unwrap())
            .sum();
        ours.push(sum);
    }
    let mut python = Command::new(python::interpreter())
        .arg("tests/peers/statements.py")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    python
        .stdin
        .take()
        .unwrap()
        .write_all(json!(files).to_string().as_bytes())
        .unwrap();
    let output = python.wait_with_output().unwrap();
    let theirs: Vec<Decimal> = serde_json::from_slice::<Vec<String>>(&output.stdout)
        .unwrap()
        .iter()
        .map(|sum| sum.parse().unwrap())
        .collect();
    assert_eq!(ours, theirs);
}
