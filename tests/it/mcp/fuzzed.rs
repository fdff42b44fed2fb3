//! Runs the fuzzer's corpus (`fuzz/corpus`) with the compiler that the project is built with.

use std::collections::BTreeSet;
use std::path::Path;

pub use request::head_and_body;
use request::{Reached, drive};

#[path = "../../../fuzz/src/request.rs"]
mod request;

/// The inputs that the fuzzer has kept, each with its file's name, in the order of names.
pub fn corpus() -> Vec<(String, Vec<u8>)> {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/request");
    let files = std::fs::read_dir(kept).unwrap().map(|file| {
        let file = file.unwrap();
        let name = file.file_name().to_string_lossy().into_owned();
        (name, std::fs::read(file.path()).unwrap())
    });
    let mut files: Vec<_> = files.collect();
    files.sort();
    files
}

#[test]
fn every_request_that_the_fuzzer_has_kept_is_read_and_every_step_reached() {
    let mut reached = BTreeSet::new();
    for (name, input) in corpus() {
        println!("{name}");
        reached.insert(drive(&input));
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
