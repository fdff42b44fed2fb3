//! Waiting for a condition instead of for a time.

use std::time::Duration;

/// How long a condition may take to become true before the test fails.
const PATIENCE: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(10);

/// Returns once `fact` is true; panics with `what` if it does not become true in time.
pub async fn eventually(what: &str, mut fact: impl AsyncFnMut() -> bool) {
    let waited = tokio::time::timeout(PATIENCE, async {
        while !fact().await {
            tokio::time::sleep(POLL).await;
        }
    });
    assert!(waited.await.is_ok(), "never came true: {what}");
}
