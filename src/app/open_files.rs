//! Each connection is an open file, and systems start a program with few: the service takes as many as it may.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// More than this is of no use here.
const OPEN_FILES_MAX: u64 = 32_768;

/// Raises this process's own limit as far as is wanted and allowed. Where that is denied, it serves with what it has.
pub fn raise_limit() {
    let raised = getrlimit(Resource::RLIMIT_NOFILE).and_then(|(now, most)| {
        let wanted = now.max(OPEN_FILES_MAX.min(most));
        setrlimit(Resource::RLIMIT_NOFILE, wanted, most)
    });
    if let Err(cause) = raised {
        log::warn!("the limit of open files stays as it is: {cause}");
    }
}
