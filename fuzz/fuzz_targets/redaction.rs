//! The entry point of the fuzzer.

#![no_main]

#[path = "../src/redaction.rs"]
mod redaction;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    redaction::drive(input);
});
