//! The private PostgreSQL: finds its programs, creates the cluster, and starts, adopts and stops its server with the service.
//!
//! | file | what it holds |
//! |---|---|
//! | `cluster` | the order of the steps, and the running cluster as the rest of the service sees it |
//! | `layout` | the files and directories in the data directory |
//! | `lock_file` | at most one process uses a data directory |
//! | `binaries`, `install_hint` | which PostgreSQL is used, and the command that installs one |
//! | `owner` | the user who runs the server, and whether that user can reach the data |
//! | `initdb` | creates a cluster, wholly or not at all |
//! | `run_dir` | the directory of the socket |
//! | `settings` | the settings of the server |
//! | `startup`, `survivor` | starts a server, or finds one that an earlier service left running |
//! | `server`, `process` | one running server, and whether a pid still is that server |
//! | `superuser` | connects as the superuser, and checks whether a server answers |
//! | `orphans` | ends connections of an earlier service |
//! | `bootstrap` | creates roles, database and rights before the service connects |
//! | `error`, `tail` | every failure, with what to do about it |
//!
//! Nothing here reads the environment or the configuration. Why this is not the crate `postgresql_embedded` is said in `db.rs`.

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
