//! Makes a new cluster, whole or not at all.
//!
//! An `initdb` outlives a killed service, and removes its directory when it fails. So each is given a lock on the directory
//! above as its standard input, which the kernel lets go of with it, and no other begins before that.
//!
//! Knows `initdb` and the locales that fold case beyond ASCII. Must not know the server's start.

use std::fs::{self, File, TryLockError};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::binaries::Binaries;
use super::error::ClusterError;
use super::layout::Layout;
use super::owner::Owner;
use super::server::POLL;
use super::tail::tail;

/// The superuser of the private cluster, used for its bootstrap only.
pub const SUPERUSER: &str = "postgres";

/// Locales in the order they are tried; plain `C` for everything would not fold ü.
const LOCALES: [&[&str]; 3] = [
    &["--locale=C.UTF-8"],
    &[
        "--locale-provider=icu",
        "--icu-locale=und",
        "--locale=en_US.UTF-8",
    ],
    &["--locale-provider=icu", "--icu-locale=und", "--locale=C"],
];

/// How long the `initdb` of a killed start may go on; it takes seconds.
const PREDECESSOR_TIMEOUT: Duration = Duration::from_secs(120);

/// Waits for the end of an `initdb` that a killed start has left.
pub async fn predecessor_ended(layout: &Layout) -> Result<(), ClusterError> {
    let deadline = Instant::now() + PREDECESSOR_TIMEOUT;
    while layout.cluster.is_dir() && turn(layout)?.is_none() {
        if Instant::now() >= deadline {
            return Err(ClusterError::InitdbUnderWay {
                directory: layout.cluster.clone(),
                waited_s: PREDECESSOR_TIMEOUT.as_secs(),
            });
        }
        sleep(POLL).await;
    }
    Ok(())
}

/// The lock, unless another `initdb` has it.
fn turn(layout: &Layout) -> Result<Option<File>, ClusterError> {
    let filesystem = |error| ClusterError::filesystem(&layout.cluster)(error);
    let directory = File::open(&layout.cluster).map_err(filesystem)?;
    match directory.try_lock() {
        Ok(()) => Ok(Some(directory)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(filesystem(error)),
    }
}

/// Runs `initdb` beside the final place and renames: a kill in between leaves no half cluster.
pub fn create(
    layout: &Layout,
    owner: &Owner,
    binaries: &Binaries,
    durable: bool,
) -> Result<(), ClusterError> {
    let mut refused = String::new();
    for locale in LOCALES {
        discard(&layout.data_unfinished)?;
        match run(layout, owner, binaries, locale, durable)? {
            Outcome::Made => return settle(layout),
            Outcome::LocaleUnknown(said) => refused = said,
        }
    }
    Err(ClusterError::InitdbFailed { said: refused })
}

enum Outcome {
    Made,
    LocaleUnknown(String),
}

fn run(
    layout: &Layout,
    owner: &Owner,
    binaries: &Binaries,
    locale: &[&str],
    durable: bool,
) -> Result<Outcome, ClusterError> {
    let program = binaries.initdb();
    let mut command = owner.command(&program);
    command
        .arg("-D")
        .arg(&layout.data_unfinished)
        .args(["-U", SUPERUSER, "-E", "UTF8"])
        .args(locale);
    command.args([
        "--auth-local=trust",
        "--auth-host=reject",
        "--no-instructions",
    ]);
    // A Ctrl-C at the terminal is for the service, which lets what it has begun come to its end.
    command.process_group(0);
    command.stdin(turn(layout)?.map_or_else(Stdio::null, Stdio::from));
    if !durable {
        command.arg("--no-sync");
    }
    let output = command
        .output()
        .map_err(|source| ClusterError::Program { program, source })?;
    if output.status.success() {
        return Ok(Outcome::Made);
    }
    let said = tail(&String::from_utf8_lossy(&output.stderr));
    match said {
        _ if said.contains("No space left on device") => Err(ClusterError::DiskFull {
            path: layout.cluster.clone(),
        }),
        _ if said.contains("locale") => Ok(Outcome::LocaleUnknown(said)),
        _ => Err(ClusterError::InitdbFailed { said }),
    }
}

fn settle(layout: &Layout) -> Result<(), ClusterError> {
    fs::rename(&layout.data_unfinished, &layout.data)
        .map_err(ClusterError::filesystem(&layout.data))?;
    fs::File::open(&layout.cluster)
        .and_then(|directory| directory.sync_all())
        .map_err(ClusterError::filesystem(&layout.cluster))
}

fn discard(unfinished: &Path) -> Result<(), ClusterError> {
    if !unfinished.exists() {
        return Ok(());
    }
    fs::remove_dir_all(unfinished).map_err(ClusterError::filesystem(unfinished))
}
