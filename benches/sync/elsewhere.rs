//! Servers on the machine of a measurement, as if they were on another one: they run only while a processor has nothing else to do.
//!
//! A low priority is not enough for that. A process that wakes up waits until the one that runs has had its turn, up to 4 ms on a
//! kernel of 250 ticks a second, whatever the priority of either; and where each session is a group of its own (autogroup; each
//! process of PostgreSQL is a session), priorities count within a session alone. Whoever wakes up takes the place of an idle group
//! at once.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::usage;

/// Where Linux has its groups: those of version 2, and those of version 1 that share the processors.
const ROOT: &str = "/sys/fs/cgroup";
const ROOT_V1: &str = "/sys/fs/cgroup/cpu";
const GROUP: &str = "sextant-bench-elsewhere";

/// An idle group of processes.
pub struct Elsewhere(PathBuf);

impl Elsewhere {
    /// Creates it, which takes root.
    pub fn create() -> Self {
        match idle_group() {
            Ok(group) => Self(group),
            Err(refused) => panic!(
                "without an idle group (cpu.idle) the servers take part in what is measured: {refused}; run this as root"
            ),
        }
    }

    /// Moves a server and its processes here; what they begin from now on is here, too.
    pub fn take(&self, server: i32) {
        for pid in usage::children(server).into_iter().chain([server]) {
            set(&self.0.join("cgroup.procs"), &pid.to_string()).unwrap();
        }
    }
}

impl Drop for Elsewhere {
    /// A group whose processes have not ended yet stays, for the next measurement.
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

fn idle_group() -> io::Result<PathBuf> {
    let shared = Path::new(ROOT).join("cgroup.subtree_control");
    let is_version_2 = shared.exists();
    if is_version_2 {
        set(&shared, "+cpu")?;
    }
    let parent = if is_version_2 { ROOT } else { ROOT_V1 };
    let group = Path::new(parent).join(GROUP);
    if !group.exists() {
        fs::create_dir(&group)?;
    }
    set(&group.join("cpu.idle"), "1")?;
    Ok(group)
}

/// Sets what is there already: a file that Linux does not have must not come to be.
fn set(file: &Path, value: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(file)?;
    file.write_all(value.as_bytes())
}
