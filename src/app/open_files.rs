//! Raises the limit of open files: each connection is one, and systems start a program with few.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// The most that the service can use.
const OPEN_FILES_MAX: u64 = 32_768;

/// Raises this process's soft limit up to the hard limit. If that is denied, it logs a warning and goes on.
pub(super) fn raise_limit() {
    let raised = getrlimit(Resource::RLIMIT_NOFILE).and_then(|(now, most)| {
        let wanted = now.max(OPEN_FILES_MAX.min(most));
        setrlimit(Resource::RLIMIT_NOFILE, wanted, most)
    });
    if let Err(cause) = raised {
        log::warn!("the limit of open files stays as it is: {cause}");
    }
}
