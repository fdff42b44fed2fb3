//! The entry point of the fuzzer.

#![no_main]

#[path = "../src/request.rs"]
mod request;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    request::drive(input);
});
