//! Creates a cluster, wholly or not at all.
//!
//! An `initdb` outlives a killed service, and removes its directory when it fails. So each gets a locked handle of the parent
//! directory as its standard input: the kernel releases the lock when that `initdb` ends, and no other one starts before.
//!
//! It knows `initdb` and the locales with case folding beyond ASCII. It must not know how the server is started.

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
pub(super) const SUPERUSER: &str = "postgres";

/// The locales in the order they are tried. The locale `C` alone would have no upper and lower case beyond ASCII.
const LOCALES: [&[&str]; 3] = [
    &["--locale=C.UTF-8"],
    &[
        "--locale-provider=icu",
        "--icu-locale=und",
        "--locale=en_US.UTF-8",
    ],
    &["--locale-provider=icu", "--icu-locale=und", "--locale=C"],
];

/// How long to wait for the `initdb` of a killed start, which takes seconds.
const PREDECESSOR_TIMEOUT: Duration = Duration::from_secs(120);

/// Waits until the `initdb` of an earlier start that was killed has ended.
///
/// # Errors
/// When it has not ended after [`PREDECESSOR_TIMEOUT`].
pub(super) async fn wait_for_predecessor(layout: &Layout) -> Result<(), ClusterError> {
    let deadline = Instant::now() + PREDECESSOR_TIMEOUT;
    while layout.cluster.is_dir() && try_lock(layout)?.is_none() {
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

/// A locked handle of the parent directory; `None` if another `initdb` holds the lock.
fn try_lock(layout: &Layout) -> Result<Option<File>, ClusterError> {
    let filesystem = |error| ClusterError::filesystem(&layout.cluster)(error);
    let directory = File::open(&layout.cluster).map_err(filesystem)?;
    match directory.try_lock() {
        Ok(()) => Ok(Some(directory)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(filesystem(error)),
    }
}

/// Runs `initdb` in a temporary directory and renames it, so that a kill leaves no incomplete cluster. `durable` has the files
/// written to the disk.
///
/// # Errors
/// When `initdb` fails or a directory cannot be changed.
pub(super) fn create(
    layout: &Layout,
    owner: &Owner,
    binaries: &Binaries,
    durable: bool,
) -> Result<(), ClusterError> {
    let mut refused = String::new();
    for locale in LOCALES {
        discard(&layout.data_unfinished)?;
        match run(layout, owner, binaries, locale, durable)? {
            Outcome::Created => return rename_into_place(layout),
            Outcome::LocaleUnknown(said) => refused = said,
        }
    }
    Err(ClusterError::InitdbFailed { said: refused })
}

enum Outcome {
    Created,
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
    // Ctrl-C at the terminal is a signal to the service, which lets this finish; in its own group `initdb` does not get it.
    command.process_group(0);
    command.stdin(try_lock(layout)?.map_or_else(Stdio::null, Stdio::from));
    if !durable {
        command.arg("--no-sync");
    }
    let output = command
        .output()
        .map_err(|source| ClusterError::Program { program, source })?;
    if output.status.success() {
        return Ok(Outcome::Created);
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

fn rename_into_place(layout: &Layout) -> Result<(), ClusterError> {
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
