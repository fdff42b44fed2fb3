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
#[path = "../../connectors/tests/it/support/emulate.rs"]
pub mod emulate;
#[path = "../it/support/eventually.rs"]
pub mod eventually;
#[path = "../it/support/http.rs"]
pub mod http;
#[path = "../../connectors/tests/it/support/node_peer.rs"]
pub mod node_peer;
#[path = "../../connectors/tests/it/support/plain_http.rs"]
pub mod plain_http;
#[path = "../../connectors/tests/it/support/ports.rs"]
pub mod ports;
#[path = "../it/support/pulled.rs"]
pub mod pulled;
#[path = "../it/process/service.rs"]
pub mod service;
#[path = "../../connectors/tests/it/support/single_use.rs"]
pub mod single_use;
#[path = "../../connectors/tests/it/support/sink.rs"]
pub mod sink;
#[path = "../it/support/skipped.rs"]
pub mod skipped;
#[path = "../../connectors/tests/it/support/stand_ins/mod.rs"]
pub mod stand_ins;
#[path = "../it/support/stateless_call.rs"]
pub mod stateless_call;
#[path = "../it/support/tls_proxy.rs"]
pub mod tls_proxy;
#[path = "../it/support/users.rs"]
pub mod users;
#[path = "../it/support/watchdog.rs"]
pub mod watchdog;

pub use database::TestDatabase;
