//! Makes a new cluster, whole or not at all.
//!
//! Knows `initdb` and the locales that fold case beyond ASCII. Must not know the server's start.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;

use super::binaries::Binaries;
use super::error::ClusterError;
use super::layout::Layout;
use super::owner::Owner;
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
