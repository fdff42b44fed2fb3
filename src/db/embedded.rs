//! The private PostgreSQL: found, created, adopted, started and stopped with the service.
//!
//! | file | what it holds |
//! |---|---|
//! | `cluster` | the order of the steps, and the running cluster as the rest sees it |
//! | `layout` | what lies where in the data directory |
//! | `lock_file` | one process to a data directory |
//! | `binaries`, `install_hint` | which PostgreSQL, and the command that brings one |
//! | `owner` | the user who runs the server, and what stands in that user's way |
//! | `initdb` | a new cluster, whole or not at all |
//! | `run_dir` | where the socket lies |
//! | `settings` | what the server is started with |
//! | `startup`, `survivor` | a server of ours, or one left by an earlier service |
//! | `server`, `process` | one running server, and whether a pid is still it |
//! | `superuser` | the bootstrap's way in, and whether a server answers |
//! | `orphans` | connections of an earlier service, ended |
//! | `bootstrap` | roles, database and rights before the first connection of the service |
//! | `error`, `tail` | every fault with its way out |
//!
//! Nothing here reads the environment or the configuration.

mod binaries;
mod bootstrap;
mod cluster;
mod error;
mod initdb;
mod install_hint;
mod layout;
mod lock_file;
mod orphans;
mod owner;
mod process;
mod run_dir;
mod server;
mod settings;
mod startup;
mod superuser;
mod survivor;
mod tail;

pub use binaries::{Binaries, SearchPlaces, find};
pub use cluster::{Cluster, ClusterOptions};
pub use error::{ClusterError, POSTGRES_MAJOR_MIN};
pub use layout::{default_home, holds_cluster};
pub(in crate::db) use process::is_alive;
pub use settings::Durability;
