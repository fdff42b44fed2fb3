//! What both test programs share; the files are the other one's (`tests/it`).

#![expect(
    dead_code,
    clippy::print_stdout,
    reason = "each of the two programs uses a part; a test says what it skipped"
)]

#[path = "../it/support/certificates.rs"]
pub mod certificates;
#[path = "../it/support/cluster.rs"]
pub mod cluster;
#[path = "../it/support/database.rs"]
pub mod database;
#[path = "../../connectors/tests/it/support/dav_server.rs"]
pub mod dav_server;
#[path = "../it/support/eventually.rs"]
pub mod eventually;
#[path = "../it/support/http.rs"]
pub mod http;
#[path = "../../connectors/tests/it/support/ports.rs"]
pub mod ports;
#[path = "../it/support/pulled.rs"]
pub mod pulled;
#[path = "../it/process/service.rs"]
pub mod service;
#[path = "../it/support/skipped.rs"]
pub mod skipped;
#[path = "../it/support/users.rs"]
pub mod users;
#[path = "../it/support/watchdog.rs"]
pub mod watchdog;

pub use database::TestDatabase;
