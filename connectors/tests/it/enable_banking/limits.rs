//! Four reads of an account a day, whoever counts them; lists without an end.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use chrono::Duration;
use serde_json::json;
use sextant_connectors::failure::{FailureKind, SourceFailure};
use sextant_connectors::limits::LINKED_LIST_PAGES_MAX;
use sextant_connectors::request_ledger::{RequestLedger, SharedLedger};

use super::{World, date};
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::wire;

/// One that never forgets: all in a day.
#[derive(Default)]
struct OneDay(Mutex<BTreeMap<String, u32>>);

#[async_trait]
impl RequestLedger for OneDay {
    async fn take(&self, subject: &str, a_day: u32) -> Result<(), SourceFailure> {
        let mut all = self.0.lock().unwrap();
        let taken = all.entry(subject.to_owned()).or_default();
        if *taken == a_day {
            return Err(SourceFailure::new(FailureKind::RateLimited, "spent"));
        }
        *taken += 1;
        Ok(())
    }
}

#[tokio::test]
async fn an_account_is_read_four_times_a_day_and_its_spending_is_no_failure_of_the_others() {
    let Some(mut world) = World::start("enable_banking_four_a_day").await else {
        return;
    };
    let ledger = Arc::new(OneDay::default());
    ledger.0.lock().unwrap().insert("b".to_owned(), 2);
    world.ledger = SharedLedger(Arc::clone(&ledger) as Arc<dyn RequestLedger>);
    for _ in 0..4 {
        world.sync().await;
    }
    let taken = ledger.0.lock().unwrap().clone();
    assert_eq!(taken.into_values().collect::<Vec<_>>(), [4, 4]);
    let status = world.field("finance.accounts", "status");
    assert!(status.values().all(|own| own == "ok"), "{status:?}");
    // With every account spent nothing was read: that is said.
    world.aggregator().take_asked();
    let failure = world.try_sync(usize::MAX).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::RateLimited);
    assert_eq!(world.aggregator().take_asked(), [""; 0]);
    world.assert_equal();
}

#[tokio::test]
async fn a_bank_that_allows_no_more_is_asked_later_and_its_accounts_are_well() {
    let Some(mut world) = World::start("enable_banking_429").await else {
        return;
    };
    world.aggregator().reads_a_day = 2;
    for _ in 0..2 {
        world.sync().await;
    }
    world
        .aggregator()
        .account("a")
        .book("new", "-9.00", date(0));
    let failure = world.try_sync(usize::MAX).await.unwrap_err();
    assert_eq!(
        (failure.kind, failure.status),
        (FailureKind::RateLimited, Some(429))
    );
    assert!(failure.message.contains("nothing to do"), "{failure}");
    let status = world.field("finance.accounts", "status");
    assert!(status.values().all(|own| own == "ok"), "{status:?}");
    world.wait(Duration::days(1));
    world.sync().await;
    world.assert_equal();
}

#[tokio::test]
async fn a_list_that_does_not_end_is_stopped() {
    let Some(mut world) = World::start("enable_banking_endless").await else {
        return;
    };
    world.sync().await;
    let before = world.stored();
    let pages = Arc::new(AtomicUsize::new(0));
    for is_circle in [true, false] {
        let count = Arc::clone(&pages);
        let page = move |_: &str| {
            let number = count.fetch_add(1, Ordering::Relaxed);
            let key = if is_circle { 0 } else { number };
            let page = json!({"transactions": [], "continuation_key": format!("k{key}")});
            wire::json(200, "", &page)
        };
        world.aggregator().faults.clear();
        world.aggregator().faults.always("BOOK", Law::Broken, page);
        let failure = world.try_sync(usize::MAX).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Malformed, "{failure}");
        let asked = pages.swap(0, Ordering::Relaxed);
        let expected = if is_circle { 2 } else { LINKED_LIST_PAGES_MAX };
        assert_eq!(asked, 2 * expected, "of two accounts");
        assert_eq!(world.stored(), before);
    }
}
