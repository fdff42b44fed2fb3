//! What the tests share: the service, its database and its clients, and what stands in for the world around them.
//!
//! | file | what it holds |
//! |---|---|
//! | `answers` | calls of every reading tool, right and wrong, and their answers without what differs between readings |
//! | `app` | the whole service on ports of its own, one method a request |
//! | `certificates` | an authority, a server's certificate of it, and another authority |
//! | `clients` | the real clients of MCP, in each of their modes, connected |
//! | `cluster` | one PostgreSQL for all test processes of a run, removed after the last one |
//! | `database` | a database of its own for a test, made from a migrated template |
//! | `eventually` | waiting for a fact |
//! | `failing` | the real ports, of which one panics when it is told to |
//! | `golden` | texts that are kept word for word, and what differs |
//! | `table_lock` | a table locked by somebody else, so that calls on it stay in flight |
//! | `household` | the service with a push connection for each table that the fixtures fill |
//! | `http` | the client that speaks to the service |
//! | `keyed_proxy` | a proxy before the agent port for a client that cannot send a key |
//! | `packed` | archives of files, as people get them |
//! | `planted` | words in every text of every table, brought as devices bring them |
//! | `postgres_proxy` | a proxy before the database that fails when a test says so |
//! | `python` | the peers' Python |
//! | `raw_reader` | a client with a small buffer that reads only when a test says so |
//! | `skipped` | the one way out of a test that cannot run here; none where CI runs |
//! | `tls_proxy` | a proxy that speaks TLS in front of a port |
//! | `users` | running a test as root and again as an unprivileged user; a child process of the test program |
//! | `watchdog` | what a test has started ends with it, also when it is killed |

pub mod answers;
pub mod app;
pub mod certificates;
pub mod clients;
pub mod cluster;
pub mod database;
pub mod eventually;
pub mod failing;
pub mod golden;
pub mod household;
pub mod http;
pub mod keyed_proxy;
pub mod packed;
pub mod planted;
pub mod postgres_proxy;
pub mod python;
pub mod raw_reader;
pub mod skipped;
pub mod table_lock;
pub mod tls_proxy;
pub mod users;
pub mod watchdog;

pub use app::TestApp;
pub use database::TestDatabase;
