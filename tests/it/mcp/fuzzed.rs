//! Runs the fuzzer's corpus (`fuzz/corpus`) with the compiler that the project is built with.

use std::collections::BTreeSet;
use std::path::Path;

use request::{Reached, drive};

#[path = "../../../fuzz/src/request.rs"]
mod request;

#[test]
fn every_request_that_the_fuzzer_has_kept_is_read_and_every_step_reached() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/request");
    let mut reached = BTreeSet::new();
    for file in std::fs::read_dir(kept).unwrap() {
        let file = file.unwrap().path();
        println!("{}", file.display());
        reached.insert(drive(&std::fs::read(file).unwrap()));
    }
    let every_step = [
        Reached::Nothing,
        Reached::RefusedHead,
        Reached::Refusal,
        Reached::Stream,
        Reached::Message,
        Reached::Call,
        Reached::Rows,
        Reached::Changes,
        Reached::Groups,
    ];
    assert_eq!(reached, BTreeSet::from(every_step));
}
