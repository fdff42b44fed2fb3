//! Waiting for a fact instead of for a time.

use std::time::Duration;

/// How long a fact may take to come true before the test fails.
const PATIENCE: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(10);

/// Returns once `fact` holds; fails naming `what` when it never does.
pub async fn eventually(what: &str, mut fact: impl AsyncFnMut() -> bool) {
    let waited = tokio::time::timeout(PATIENCE, async {
        while !fact().await {
            tokio::time::sleep(POLL).await;
        }
    });
    assert!(waited.await.is_ok(), "never came true: {what}");
}
