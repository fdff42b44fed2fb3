//! What the tests share. Names of the outer test programs' support are theirs.

#[path = "../../../tests/it/support/certificates.rs"]
pub mod certificates;
pub mod chance;
pub mod dav_server;
pub mod emulate;
pub mod front;
pub mod logged;
pub mod node_peer;
pub mod plain_http;
pub mod ports;
pub mod single_use;
pub mod sink;
#[path = "../../../tests/it/support/skipped.rs"]
pub mod skipped;
pub mod stand_ins;
pub mod store;
pub mod tokens;
