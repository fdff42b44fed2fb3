//! How many connections the port takes: as many as idle streams may need, and never so many that the rest of the service goes
//! without files.

use nix::sys::resource::{Resource, getrlimit};

use super::limits::{CONNECTIONS_MAX, WORKERS};

/// The connections that each worker takes, of the files that this process may have open now.
pub fn per_worker_max() -> usize {
    let files = getrlimit(Resource::RLIMIT_NOFILE).map_or(u64::MAX, |(now, _)| now);
    let files = usize::try_from(files).unwrap_or(usize::MAX);
    of(files) / WORKERS
}

/// A quarter is for the database, the Console and what is pushed.
fn of(files: usize) -> usize {
    (files - files / 4).clamp(WORKERS, CONNECTIONS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_for_the_rest() {
        assert_eq!(of(usize::MAX), CONNECTIONS_MAX);
        assert_eq!(of(1024), 768);
        assert_eq!(of(0), WORKERS);
    }
}
