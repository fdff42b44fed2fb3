//! Runs the fuzzer's corpus (`fuzz/corpus/redaction`) with the compiler that the project is built with.

use std::collections::BTreeSet;
use std::path::Path;

use redaction::{Kept, drive};

#[path = "../../../../fuzz/src/redaction.rs"]
mod redaction;

#[test]
fn r026_r027_all_arguments_that_the_fuzzer_has_kept_are_redacted_and_bounded() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/redaction");
    let mut reached = BTreeSet::new();
    for file in std::fs::read_dir(kept).unwrap() {
        let file = file.unwrap().path();
        println!("{}", file.display());
        reached.insert(drive(&std::fs::read(file).unwrap()));
    }
    let all = [Kept::Nothing, Kept::Truncated, Kept::Redacted, Kept::Whole];
    assert_eq!(reached, BTreeSet::from(all));
}
