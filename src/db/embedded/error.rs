//! The failures of a private cluster, each with what the operator can do.
//!
//! It knows the sentences that a person reads at the start. It must not know how failures are detected.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::db::statement_error::StatementError;

/// The oldest major version of PostgreSQL that the service runs on.
pub const POSTGRES_MAJOR_MIN: u32 = 15;

/// Why the private cluster is not running. Every message ends with what to do about it.
#[derive(Debug)]
pub enum ClusterError {
    /// No PostgreSQL was found anywhere; `install` is a command for this system.
    BinariesAbsent { install: String },
    /// `PG_BIN_DIR` names a directory without working `postgres` and `initdb`.
    BinDirUnusable { dir: PathBuf },
    /// Only versions older than [`POSTGRES_MAJOR_MIN`] were found.
    BinariesTooOld { found: Vec<String>, install: String },
    /// The cluster was made by a version older than [`POSTGRES_MAJOR_MIN`].
    ClusterTooOld { data: PathBuf, major: u32 },
    /// The cluster was made by a version that is not installed.
    OtherMajor {
        data: PathBuf,
        major: u32,
        found: Vec<String>,
    },
    /// The data directory exists, but its `PG_VERSION` cannot be read as a version.
    NotACluster { data: PathBuf },
    /// Another process uses the data directory; its pid, if it could be read.
    Held {
        directory: PathBuf,
        pid: Option<i32>,
    },
    /// The server's user may not enter a directory above the one it needs.
    ParentBlocked {
        parent: PathBuf,
        wanted: PathBuf,
        user: String,
    },
    /// Root started the service, but no unprivileged user exists to run the server.
    NoUnprivilegedUser,
    /// Neither `XDG_DATA_HOME` nor `HOME` is set, so there is no default data directory.
    NoHome,
    /// A directory or file could not be created, read or changed.
    Filesystem { path: PathBuf, source: io::Error },
    /// The disk under the data directory is full.
    DiskFull { path: PathBuf },
    /// The short directory for the socket belongs to somebody else.
    RunDirTaken { dir: PathBuf },
    /// A program of PostgreSQL could not be run.
    Program { program: PathBuf, source: io::Error },
    /// `initdb` failed; the end of its output.
    InitdbFailed { said: String },
    /// The `initdb` of an earlier start that was killed still runs.
    InitdbUnderWay { directory: PathBuf, waited_s: u64 },
    /// The server ended instead of starting; the end of its log.
    StartFailed { said: String, log: PathBuf },
    /// The server runs but did not answer in time.
    NotReady { waited_s: u64, log: PathBuf },
    /// A server of an earlier run works on the data directory and does not answer.
    SurvivorSilent { pid: i32, data: PathBuf },
    /// The server did not stop in time.
    StopTimedOut { pid: i32 },
    /// The server refused a statement of the bootstrap.
    Bootstrap(StatementError),
    /// The runtime ended during the blocking part of the start.
    Interrupted,
}

impl ClusterError {
    /// Adds the path to an I/O error; a full disk becomes a variant of its own.
    pub(super) fn filesystem(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { path },
            _ => Self::Filesystem { path, source },
        }
    }
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BinariesAbsent { .. }
            | Self::BinDirUnusable { .. }
            | Self::BinariesTooOld { .. } => self.about_binaries(f),
            Self::ClusterTooOld { .. } | Self::OtherMajor { .. } | Self::NotACluster { .. } => {
                self.about_the_cluster(f)
            }
            Self::Held { .. }
            | Self::ParentBlocked { .. }
            | Self::NoUnprivilegedUser
            | Self::NoHome
            | Self::Filesystem { .. }
            | Self::DiskFull { .. }
            | Self::RunDirTaken { .. } => self.about_directories(f),
            _ => self.about_the_server(f),
        }
    }
}

impl ClusterError {
    fn about_binaries(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BinariesAbsent { install } => {
                write!(f, "PostgreSQL is not installed; install it with: {install}")
            }
            Self::BinDirUnusable { dir } => write!(
                f,
                "PG_BIN_DIR is {}, which does not hold working `postgres` and `initdb` programs; \
                 correct it, or unset it to search the usual places",
                dir.display()
            ),
            Self::BinariesTooOld { found, install } => write!(
                f,
                "PostgreSQL {POSTGRES_MAJOR_MIN} or newer is needed, found only {}; \
                 install a newer one beside it with: {install}",
                found.join(", ")
            ),
            _ => Ok(()),
        }
    }

    fn about_the_cluster(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ClusterTooOld { data, major } => write!(
                f,
                "the database in {0} was made by PostgreSQL {major}, and {POSTGRES_MAJOR_MIN} or newer is needed; \
                 bring it forward with `pg_upgrade --old-datadir {0} --new-datadir {0}.new` of the newer version, \
                 or `pg_dumpall` from the old server and restore into a new data directory; nothing in it was changed",
                data.display()
            ),
            Self::OtherMajor { data, major, found } => write!(
                f,
                "the database in {0} was made by PostgreSQL {major}, but {1}; install PostgreSQL {major} \
                 (it is then used by itself), or bring the data forward with `pg_upgrade --old-datadir {0} \
                 --new-datadir {0}.new`, or `pg_dumpall` from the old server and restore into a new data directory; \
                 nothing in it was changed",
                data.display(),
                listed(found)
            ),
            Self::NotACluster { data } => write!(
                f,
                "{} is not a PostgreSQL data directory (its PG_VERSION cannot be read); \
                 move it away, or choose another data directory with DATA_DIR",
                data.display()
            ),
            _ => Ok(()),
        }
    }

    fn about_directories(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Held { directory, pid } => write!(
                f,
                "{} is in use by another sextant ({}); stop that one, or start this one with another DATA_DIR",
                directory.display(),
                pid.map_or_else(
                    || "its pid could not be read".into(),
                    |pid| format!("pid {pid}")
                )
            ),
            Self::ParentBlocked {
                parent,
                wanted,
                user,
            } => write!(
                f,
                "the user {user}, who runs the database, cannot pass {0} on the way to {1}; \
                 open it with `chmod o+x {0}`, or choose another data directory with DATA_DIR",
                parent.display(),
                wanted.display()
            ),
            Self::NoUnprivilegedUser => write!(
                f,
                "PostgreSQL refuses to run as root and neither the user `postgres` nor `nobody` exists; \
                 create one with `useradd --system postgres`, or start sextant as an ordinary user"
            ),
            Self::NoHome => write!(
                f,
                "neither HOME nor XDG_DATA_HOME is set; say where data may lie with DATA_DIR"
            ),
            Self::Filesystem { path, source } => write!(
                f,
                "{}: {source}; make it usable by this user, or choose another data directory with DATA_DIR",
                path.display()
            ),
            Self::DiskFull { path } => write!(
                f,
                "the disk under {} is full; free some space, or choose another data directory with DATA_DIR",
                path.display()
            ),
            Self::RunDirTaken { dir } => write!(
                f,
                "{} is needed for the database's socket but belongs to somebody else; remove it, or choose a \
                 data directory with a shorter path with DATA_DIR",
                dir.display()
            ),
            _ => Ok(()),
        }
    }

    fn about_the_server(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program { program, source } => write!(
                f,
                "{} could not be started: {source}; reinstall PostgreSQL, or name another with PG_BIN_DIR",
                program.display()
            ),
            Self::InitdbFailed { said } => {
                write!(f, "the database could not be created; initdb said: {said}")
            }
            Self::InitdbUnderWay {
                directory,
                waited_s,
            } => write!(
                f,
                "an initdb of an earlier start has been at work in {} for more than {waited_s} s; end it, and start again",
                directory.display()
            ),
            Self::StartFailed { said, log } => {
                write!(
                    f,
                    "the database ended while starting; it said: {said} (all of it in {})",
                    log.display()
                )
            }
            Self::NotReady { waited_s, log } => write!(
                f,
                "the database did not answer within {waited_s} s; look into {}, it goes on starting and the next \
                 start takes it over",
                log.display()
            ),
            Self::SurvivorSilent { pid, data } => write!(
                f,
                "a database server left by an earlier run (pid {pid}) holds {} and does not answer; \
                 end it with `kill -INT {pid}` and start again",
                data.display()
            ),
            Self::StopTimedOut { pid } => {
                write!(
                    f,
                    "the database server (pid {pid}) did not end in time; the next start takes it over"
                )
            }
            Self::Bootstrap(source) => {
                write!(f, "the database refused its first settings: ")?;
                match source.as_db_error() {
                    Some(said) => f.write_str(said.message()),
                    None => write!(f, "{source}"),
                }
            }
            Self::Interrupted => write!(f, "the start was interrupted"),
            _ => Ok(()),
        }
    }
}

fn listed(found: &[String]) -> String {
    if found.is_empty() {
        return "no PostgreSQL is installed".into();
    }
    format!("only {} is installed", found.join(", "))
}

impl std::error::Error for ClusterError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Filesystem { source, .. } | Self::Program { source, .. } => Some(source),
            Self::Bootstrap(source) => Some(source),
            _ => None,
        }
    }
}
