//! The independent readers: Python's own mailbox, email and csv, and icalendar, recurring-ical-events and vobject.

use std::path::Path;

use chrono::NaiveDate;
use serde_json::Value;
use tokio::process::Command;

use super::bundle::Bundle;
use crate::support::python;

const SCRIPT: &str = "tests/peers/exported.py";
pub const FILES: [&str; 4] = [
    "calendar.ics",
    "contacts.vcf",
    "mail.mbox",
    "transactions.csv",
];

/// Writes the files of a bundle into a folder.
pub fn unpack(bundle: &Bundle, folder: &Path) {
    for name in FILES {
        std::fs::write(folder.join(name), &bundle.entries[name]).unwrap();
    }
}

/// What the readers find in a folder, with the occurrences between two days. They must be installed.
pub async fn read_documents(folder: &Path, first: NaiveDate, last: NaiveDate) -> Value {
    let output = Command::new(python::interpreter())
        .arg(SCRIPT)
        .arg(folder)
        .args([first, last].map(|day| day.to_string()))
        .output()
        .await
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    serde_json::from_slice(&output.stdout).unwrap()
}
