//! How a port is called: with a deadline, and again when that is safe.

use std::time::Duration;

use tokio::time::{sleep, timeout};

use crate::limits::{LOAD_DEADLINE, STORE_BACKOFF};
use crate::ports::{PortError, PortFuture};

/// Reads until it succeeds, with a backoff: a database that is away is waited for.
pub(crate) async fn retry_read<T>(
    what: &'static str,
    read: impl Fn() -> PortFuture<Result<T, PortError>>,
) -> T {
    let mut failures = 0_u32;
    loop {
        match with_deadline(LOAD_DEADLINE, read()).await {
            Ok(rows) => return rows,
            Err(error) => {
                failures = failures.saturating_add(1);
                let wait = STORE_BACKOFF.after(failures);
                log::warn!("{what} could not be read: {error}; trying again in {wait:?}");
                sleep(wait).await;
            }
        }
    }
}

/// Writes until it succeeds, with a backoff: for what may be written twice as once. What the database refuses is said, and left.
pub(crate) async fn retry_write(
    what: &'static str,
    write: impl Fn() -> PortFuture<Result<(), PortError>>,
) {
    let mut failures = 0_u32;
    while let Err(error) = with_deadline(LOAD_DEADLINE, write()).await {
        if let PortError::Rejected(_) = error {
            log::error!("{what} could not be stored: {error}");
            return;
        }
        failures = failures.saturating_add(1);
        let wait = STORE_BACKOFF.after(failures);
        log::warn!("{what} could not be stored: {error}; trying again in {wait:?}");
        sleep(wait).await;
    }
}

/// Gives a call of a port a deadline.
///
/// # Errors
/// The port's error; `FateUnknown` when the deadline passes, since the database may still do the work.
pub(crate) async fn with_deadline<T>(
    deadline: Duration,
    work: PortFuture<Result<T, PortError>>,
) -> Result<T, PortError> {
    match timeout(deadline, work).await {
        Ok(done) => done,
        Err(_) => Err(PortError::FateUnknown(format!(
            "no answer within {deadline:?}"
        ))),
    }
}
