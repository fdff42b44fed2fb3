//! Starts `postgres` and waits until it answers a query; a line in its log is not enough.
//!
//! It must not know where the programs come from.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::error::ClusterError;
use super::layout::Layout;
use super::owner::Owner;
use super::server::{POLL, Server};
use super::superuser::answers;
use super::tail::tail;

/// The time limit for a start; recovery after a crash may take long.
const READY_TIMEOUT: Duration = Duration::from_secs(120);
/// A log larger than this is rotated at a start.
const LOG_BYTES_MAX: u64 = 8 << 20;
/// How much of the end of the log is read for an error.
const LOG_TAIL_BYTES: u64 = 64 << 10;

/// The result of a start.
pub(super) enum Start {
    Ready(Server),
    /// The server ended; `said` is the end of its log.
    Ended {
        said: String,
    },
}

/// Starts the server in a process group of its own, so that Ctrl-C at the terminal does not reach it, and waits until it
/// answers.
///
/// # Errors
/// When the program cannot be run, the log cannot be written, or the server does not answer within [`READY_TIMEOUT`].
pub(super) async fn start(
    postgres: &Path,
    owner: &Owner,
    layout: &Layout,
    run: &Path,
    arguments: &[String],
) -> Result<Start, ClusterError> {
    let log = open_log(&layout.log)?;
    let said_before = log.metadata().map_or(0, |found| found.len());
    let mut server = Server::Child(spawn(postgres, owner, layout, arguments, log)?);
    let deadline = Instant::now() + READY_TIMEOUT;
    while !answers(run, &layout.data).await {
        if server.has_ended() {
            return Ok(Start::Ended {
                said: said_since(&layout.log, said_before),
            });
        }
        if Instant::now() >= deadline {
            return Err(ClusterError::NotReady {
                waited_s: READY_TIMEOUT.as_secs(),
                log: layout.log.clone(),
            });
        }
        sleep(POLL).await;
    }
    Ok(Start::Ready(server))
}

fn spawn(
    postgres: &Path,
    owner: &Owner,
    layout: &Layout,
    arguments: &[String],
    log: File,
) -> Result<Child, ClusterError> {
    let output = log
        .try_clone()
        .map_err(ClusterError::filesystem(&layout.log))?;
    owner
        .command(postgres)
        .arg("-D")
        .arg(&layout.data)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(log)
        .process_group(0)
        .spawn()
        .map_err(|source| ClusterError::Program {
            program: postgres.into(),
            source,
        })
}

fn open_log(path: &Path) -> Result<File, ClusterError> {
    if fs::metadata(path).is_ok_and(|found| found.len() > LOG_BYTES_MAX) {
        fs::rename(path, path.with_extension("log.1")).map_err(ClusterError::filesystem(path))?;
    }
    OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(path)
        .map_err(ClusterError::filesystem(path))
}

fn said_since(log: &Path, offset: u64) -> String {
    let mut text = Vec::new();
    let read = File::open(log).and_then(|mut file| {
        let start = offset.max(file.metadata()?.len().saturating_sub(LOG_TAIL_BYTES));
        file.seek(SeekFrom::Start(start))?;
        file.read_to_end(&mut text)
    });
    match read {
        Ok(_) => tail(&String::from_utf8_lossy(&text)),
        Err(error) => format!("its log cannot be read: {error}"),
    }
}
