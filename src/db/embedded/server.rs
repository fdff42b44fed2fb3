//! One running server: started by us, or found running after an earlier service was killed.
//!
//! Knows signals, the pid file and when a server is ready. Must not know where its programs come from.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::time::{Instant, sleep, timeout};

use super::error::ClusterError;
use super::initdb::SUPERUSER;
use super::layout::Layout;
use super::owner::Owner;
use super::process::{is_alive, is_server_on, is_taken};
use super::run_dir::SOCKET_PORT;
use super::tail::tail;
use crate::db::connect::connect;

/// Between two looks at a server that starts or stops.
const POLL: Duration = Duration::from_millis(10);
/// A server that recovers from a crash may need long.
const READY_TIMEOUT: Duration = Duration::from_secs(120);
/// For one connection attempt and its `select 1`.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// A fast shutdown writes a checkpoint.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);
/// An immediate shutdown writes nothing; the next start recovers.
const QUIT_TIMEOUT: Duration = Duration::from_secs(5);
/// The log is moved aside at a start when it has grown beyond this.
const LOG_BYTES_MAX: u64 = 8 << 20;
/// How much of the log an error may look at.
const LOG_TAIL_BYTES: u64 = 64 << 10;

#[derive(Debug)]
pub enum Server {
    Child(Child),
    Adopted(Pid),
}

/// What became of a start.
pub enum Start {
    Ready(Server),
    /// The server ended; the end of its log.
    Ended {
        said: String,
    },
}

impl Server {
    pub fn pid(&self) -> Pid {
        match self {
            Self::Child(child) => Pid::from_raw(child.id().cast_signed()),
            Self::Adopted(pid) => *pid,
        }
    }

    /// Whether the server is gone; collects a child that has ended.
    pub fn has_ended(&mut self) -> bool {
        match self {
            Self::Child(child) => !matches!(child.try_wait(), Ok(None)),
            Self::Adopted(pid) => !is_alive(*pid),
        }
    }

    /// Fast shutdown and its end; immediate shutdown when that takes too long.
    pub async fn stop(&mut self) -> Result<(), ClusterError> {
        for (signal, patience) in [
            (Signal::SIGINT, STOP_TIMEOUT),
            (Signal::SIGQUIT, QUIT_TIMEOUT),
        ] {
            if self.has_ended() {
                return Ok(());
            }
            // That it may have ended since is seen by the wait.
            let _ = kill(self.pid(), signal);
            if self.ended_within(patience).await {
                return Ok(());
            }
        }
        Err(ClusterError::StopTimedOut {
            pid: self.pid().as_raw(),
        })
    }

    async fn ended_within(&mut self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        while !self.has_ended() {
            if Instant::now() >= deadline {
                return false;
            }
            sleep(POLL).await;
        }
        true
    }
}

/// Starts `postgres` itself, in a process group of its own so that a Ctrl-C does not reach it, and waits
/// until it answers.
pub async fn start(
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

/// The server an earlier service left running on this data, with the directory of its socket.
///
/// Waits for one that is still starting or stopping. The pid file of a process that is no server on this
/// data is removed: the server would take that process, even one that has ended and waits for its parent, for its
/// predecessor and refuse to start. The file of a pid nobody has stays: the server looks for orphans by it.
pub async fn survivor(layout: &Layout) -> Result<Option<(Server, PathBuf)>, ClusterError> {
    let Some(left) = PidFile::read(&layout.data) else {
        return Ok(None);
    };
    let deadline = Instant::now() + READY_TIMEOUT;
    while is_server_on(left.pid, &layout.data) {
        if let Some(run) = left.socket_dir.as_ref().filter(|run| run.is_absolute())
            && answers(run, &layout.data).await
        {
            return Ok(Some((Server::Adopted(left.pid), run.clone())));
        }
        if Instant::now() >= deadline {
            return Err(ClusterError::SurvivorSilent {
                pid: left.pid.as_raw(),
                data: layout.data.clone(),
            });
        }
        sleep(POLL).await;
    }
    if is_taken(left.pid) {
        super::run_dir::remove_if_there(&layout.data.join("postmaster.pid"))?;
    }
    Ok(None)
}

/// The lines of `postmaster.pid` that matter.
struct PidFile {
    pid: Pid,
    socket_dir: Option<PathBuf>,
}

impl PidFile {
    fn read(data: &Path) -> Option<Self> {
        let text = fs::read_to_string(data.join("postmaster.pid")).ok()?;
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let pid: i32 = lines.first()?.parse().ok()?;
        // Zero and below would name process groups.
        (pid > 0).then(|| Self {
            pid: Pid::from_raw(pid),
            socket_dir: lines.get(4).map(PathBuf::from),
        })
    }
}

/// Whether a server answers a query on this socket, and works on `data`.
async fn answers(run: &Path, data: &Path) -> bool {
    let Ok(Ok(Some(place))) = timeout(ANSWER_TIMEOUT, ask_for_its_data(run)).await else {
        return false;
    };
    fs::canonicalize(&place).is_ok_and(|place| place == data) || Path::new(&place) == data
}

async fn ask_for_its_data(run: &Path) -> Result<Option<String>, tokio_postgres::Error> {
    let (client, _driver) = connect(
        &superuser_config(run, "postgres"),
        &tokio::runtime::Handle::current(),
    )
    .await?;
    let row = client
        .query_opt(
            include_str!("../../../sql/statements/cluster/data_directory.sql"),
            &[],
        )
        .await?;
    row.map(|row| row.try_get(0)).transpose()
}

/// How the bootstrap superuser reaches a database of the private server.
pub fn superuser_config(run: &Path, database: &str) -> tokio_postgres::Config {
    let mut config = tokio_postgres::Config::new();
    config
        .host_path(run)
        .port(SOCKET_PORT)
        .user(SUPERUSER)
        .dbname(database)
        .application_name("sextant");
    config
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
