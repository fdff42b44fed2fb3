//! What the servers of the connectors' tests take from the other tests.

#![expect(dead_code, reason = "a benchmark uses a part of it")]

#[path = "../../tests/it/support/certificates.rs"]
pub mod certificates;
#[path = "../../connectors/tests/it/support/ports.rs"]
pub mod ports;
#[path = "../../tests/it/support/skipped.rs"]
pub mod skipped;
