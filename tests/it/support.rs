//! What the tests share: the service, its database and its clients, and stand-ins for the systems around them.
//!
//! | file | what it holds |
//! |---|---|
//! | `answers` | calls of every reading tool, valid and invalid, and their answers without what differs between readings |
//! | `app` | the whole service on ports of its own, one method a request |
//! | `browser` | a browser as far as a sign-in elsewhere needs one |
//! | `certificates` | an authority, a server's certificate of it, and another authority |
//! | `clients` | the real clients of MCP, in each of their modes, connected |
//! | `cluster` | one PostgreSQL for all test processes of a run, removed after the last one |
//! | `cursors` | change cursors that nothing is behind any more |
//! | `database` | a database of its own for a test, made from a migrated template |
//! | `dav_server` | servers of calendars and contacts that nobody here wrote (from the tests of `connectors/`) |
//! | `dovecot` | a server of mail that nobody here wrote (from the tests of `connectors/`) |
//! | `emulate` | where one consents at Google and Microsoft, which nobody here wrote (from the tests of `connectors/`) |
//! | `eventually` | waiting for a condition |
//! | `failing` | the real ports, one of which panics on request |
//! | `front` | a server before a server, which changes what it says (from the tests of `connectors/`) |
//! | `generated` | records of any pushable table, made from the catalogue |
//! | `golden` | texts compared word for word with files, and the difference |
//! | `home_server` | a home that nobody here wrote (from the tests of `connectors/`) |
//! | `household` | the service with a push connection for each table that the fixtures fill |
//! | `http` | the client that speaks to the service |
//! | `keyed_proxy` | a proxy before the agent port for a client that cannot send a key |
//! | `named_world` | a namespace in which names lead here and an authority is trusted, for programs that look both up |
//! | `nginx` | nginx before the agent port, with TLS, and a folder of files under a second name |
//! | `node_peer` | servers that run on Node (from the tests of `connectors/`) |
//! | `packed` | archives of files, as Google Takeout exports them |
//! | `plain_http` | one request as a browser sends it (from the tests of `connectors/`) |
//! | `planted` | words in every text of every table, pushed as devices push them |
//! | `ports` | ports for servers that must be told theirs (from the tests of `connectors/`) |
//! | `postgres_proxy` | a proxy before the database that fails when a test asks for it |
//! | `pulled` | connections that are read from a source, as the service leaves them |
//! | `python` | the Python interpreter that has the reference implementations |
//! | `raw_reader` | a client with a small buffer that reads only when a test says so |
//! | `relay` | a way to a server that a test leads elsewhere, or holds |
//! | `single_use` | where tokens that serve once are issued, which nobody here wrote (from the tests of `connectors/`) |
//! | `sink` | a server that answers as a test wants, and keeps what reaches it (from the tests of `connectors/`) |
//! | `skipped` | how a test that cannot run here is skipped; a failure where CI runs |
//! | `stand_ins` | what one person has at Google, Microsoft and WHOOP (from the tests of `connectors/`) |
//! | `stateless_call` | a call as the protocol without sessions writes it |
//! | `table_lock` | a table locked by another transaction, so that calls on it stay in flight |
//! | `tls_proxy` | a proxy that speaks TLS in front of a port |
//! | `users` | running a test as root and again as an unprivileged user; a child process of the test program |
//! | `watchdog` | ends what a test has started, also when the test is killed |

pub mod answers;
pub mod app;
pub mod browser;
pub mod certificates;
pub mod clients;
pub mod cluster;
pub mod cursors;
pub mod database;
#[expect(dead_code, reason = "the connectors' tests use the rest")]
#[path = "../../connectors/tests/it/support/dav_server.rs"]
pub mod dav_server;
#[expect(dead_code, reason = "the connectors' tests use the rest")]
#[path = "../../connectors/tests/it/imap/dovecot.rs"]
pub mod dovecot;
#[expect(dead_code, reason = "the connectors' tests use the rest")]
#[path = "../../connectors/tests/it/support/emulate.rs"]
pub mod emulate;
pub mod eventually;
pub mod failing;
#[expect(dead_code, reason = "the connectors' tests use the rest")]
#[path = "../../connectors/tests/it/support/front.rs"]
pub mod front;
pub mod generated;
pub mod golden;
#[path = "../../connectors/tests/it/home/server.rs"]
pub mod home_server;
pub mod household;
pub mod http;
pub mod keyed_proxy;
pub mod named_world;
pub mod nginx;
#[path = "../../connectors/tests/it/support/node_peer.rs"]
pub mod node_peer;
pub mod packed;
#[path = "../../connectors/tests/it/support/plain_http.rs"]
pub mod plain_http;
pub mod planted;
#[path = "../../connectors/tests/it/support/ports.rs"]
pub mod ports;
pub mod postgres_proxy;
pub mod pulled;
pub mod python;
pub mod raw_reader;
pub mod relay;
pub mod rounds;
#[expect(dead_code, reason = "the connectors' tests use the rest")]
#[path = "../../connectors/tests/it/support/single_use.rs"]
pub mod single_use;
#[path = "../../connectors/tests/it/support/sink.rs"]
pub mod sink;
pub mod skipped;
#[expect(dead_code, reason = "the connectors' tests use the rest")]
#[path = "../../connectors/tests/it/support/stand_ins/mod.rs"]
pub mod stand_ins;
pub mod stateless_call;
pub mod table_lock;
pub mod tls_proxy;
pub mod users;
pub mod watchdog;

pub use app::TestApp;
pub use database::TestDatabase;
