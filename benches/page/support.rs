//! What the browser of `tests/console` takes from the other tests.

#![expect(dead_code, reason = "a benchmark uses a part of it")]

#[path = "../../tests/it/support/eventually.rs"]
pub mod eventually;
#[path = "../../tests/it/support/http.rs"]
pub mod http;
#[path = "../../tests/it/support/skipped.rs"]
pub mod skipped;
#[path = "../../tests/it/support/users.rs"]
pub mod users;
#[path = "../../tests/it/support/watchdog.rs"]
pub mod watchdog;
