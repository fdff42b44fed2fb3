//! The audit log is kept: nothing prunes it, and no setting asks for that.

use std::fs;
use std::path::Path;

use sextant::config::settings;

/// Words that would occur in a setting that prunes the audit log.
const WORDS_OF_PRUNING: [&str; 5] = ["retention", "retain", "prune", "purge", "keep"];

/// Every SQL text of the project that names the audit log, on one line and in lower case.
fn statements_on_the_audit_log(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(statements_on_the_audit_log(&path));
            continue;
        }
        let text = fs::read_to_string(&path).unwrap().to_ascii_lowercase();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        found.extend(text.contains("audit_log").then_some(text));
    }
    found
}

#[test]
fn r047_no_statement_prunes_the_record_and_no_setting_asks_for_it() {
    let statements =
        statements_on_the_audit_log(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sql"));
    assert!(
        statements.len() > 3,
        "the record is read and written somewhere"
    );
    for statement in statements {
        for act in [
            "delete from audit_log",
            "truncate audit_log",
            "drop table audit_log",
            "update audit_log",
        ] {
            assert!(!statement.contains(act), "{act}");
        }
    }
    for setting in settings::ALL {
        assert!(
            WORDS_OF_PRUNING
                .iter()
                .all(|word| !setting.key.contains(word)),
            "{}",
            setting.key
        );
    }
}
