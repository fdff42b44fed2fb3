//! How many requests a source was sent: some allow a number a day, and end the credential of who asks more often (providers rule 17).

use std::sync::Arc;

use async_trait::async_trait;

use crate::failure::SourceFailure;

/// Counts the requests of one sign-in, over restarts.
#[async_trait]
pub trait RequestLedger: Send + Sync {
    /// Takes one of at most `a_day` requests within 24 hours about `subject`. It is counted before it is sent, and stays counted.
    ///
    /// # Errors
    /// [`crate::failure::FailureKind::RateLimited`] with the time to wait when none is left; another when nothing can be counted.
    async fn take(&self, subject: &str, a_day: u32) -> Result<(), SourceFailure>;
}

/// One that counts nothing: for what is asked before there is a sign-in.
#[derive(Clone, Copy, Debug)]
pub struct Uncounted;

#[async_trait]
impl RequestLedger for Uncounted {
    async fn take(&self, _: &str, _: u32) -> Result<(), SourceFailure> {
        Ok(())
    }
}

/// A ledger, shared.
#[derive(Clone)]
pub struct SharedLedger(pub Arc<dyn RequestLedger>);

impl Default for SharedLedger {
    fn default() -> Self {
        Self(Arc::new(Uncounted))
    }
}

impl std::fmt::Debug for SharedLedger {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SharedLedger")
    }
}
