//! Ends what a test has started in its directory when the test program ends, however it ends: a process of its own
//! waits for that.

use std::fs;
use std::path::Path;
use std::process::Child;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::users::{start_watching, wait_for_the_parent};

/// Its name among the parts of a program.
pub const WATCHDOG: &str = "support::watchdog::watchdog";

/// While this value lives, nothing in the directory is touched. The kernel closes its pipe too when the test program
/// is killed.
pub struct Watchdog(Child);

impl Watchdog {
    pub fn over(directory: &Path) -> Self {
        Self(start_watching(WATCHDOG, directory.to_str().unwrap()))
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _its_end_is_all = self.0.wait();
    }
}

/// Not a test: the process that waits.
#[test]
#[ignore = "a part played in a process of its own"]
fn watchdog() {
    let _by_hand_it_does_nothing = watch(super::users::helper_argument(WATCHDOG));
}

/// Plays that part, where this process was given it; whether it was. A program without tests asks this first.
pub fn watch(part: Option<String>) -> bool {
    let Some(directory) = part else {
        return false;
    };
    wait_for_the_parent();
    for pid in living_in(directory.as_ref()) {
        let _it_may_have_ended = kill(pid, Signal::SIGKILL);
    }
    // The test removes its directory itself, unless it was killed.
    let _it_may_be_gone = fs::remove_dir_all(directory);
    true
}

/// The running processes whose working directory is this one or below it.
pub fn living_in(directory: &Path) -> Vec<Pid> {
    let processes = fs::read_dir("/proc").into_iter().flatten();
    let pids = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let lives_here = |pid: &i32| {
        fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|place| place.starts_with(directory))
    };
    pids.filter(lives_here).map(Pid::from_raw).collect()
}
