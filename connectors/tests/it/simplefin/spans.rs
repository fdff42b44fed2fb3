//! Which time is asked for: never 90 days at once, all that banks keep, and no more than is wanted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration as Wait;

use async_trait::async_trait;
use chrono::Duration;
use sextant_connectors::failure::{FailureKind, RetryAfter, SourceFailure};
use sextant_connectors::provider::{Source, SourceOptions};
use sextant_connectors::request_ledger::{RequestLedger, SharedLedger};

use super::{World, day};
use crate::support::stand_ins::simplefin::Asked;

/// The length of what each request asked for, in days.
fn lengths(world: &World) -> Vec<i64> {
    let now = world.bridge().now;
    let asked = world.bridge().take_asked();
    let instant = |one: &Asked, name: &str| -> Option<i64> { one.query.get(name)?.parse().ok() };
    let spans = asked.iter().filter_map(|one| {
        let start = instant(one, "start-date")?;
        let end = instant(one, "end-date").unwrap_or(now.timestamp());
        Some((end - start) / 86_400)
    });
    spans.collect()
}

impl World {
    /// A payment a month, for so many.
    async fn with_months(test: &str, count: i64) -> Option<Self> {
        let world = Self::claimed(test).await?;
        let mut bridge = world.bridge();
        let account = bridge.open("a", "giro", "Checking");
        for month in 0..count {
            account.book(&format!("{month:02}"), "-1", day(-month * 30));
        }
        drop(bridge);
        Some(world)
    }
}

#[tokio::test]
async fn the_past_is_read_once_in_spans_of_less_than_ninety_days() {
    let Some(mut world) = World::with_months("the_past_is_read_once", 14).await else {
        return;
    };
    world.sync().await;
    world.assert_equal();
    let first = lengths(&world);
    assert!(
        first.len() > 5 && first.iter().all(|days| *days <= 89),
        "{first:?}"
    );
    world.wait(Duration::hours(3));
    world.sync().await;
    assert_eq!(lengths(&world), [30]);
    world.wait(Duration::days(50));
    world.sync().await;
    assert_eq!(lengths(&world), [58]);
    world.assert_equal();
}

#[tokio::test]
async fn an_account_that_comes_later_has_its_past_read_too() {
    let Some(mut world) = World::with_months("an_account_that_comes_later", 3).await else {
        return;
    };
    world.sync().await;
    {
        let mut bridge = world.bridge();
        let account = bridge.open("b", "save", "Savings");
        for month in 0..14 {
            account.book(&format!("{month:02}"), "-1", day(-month * 30));
        }
    }
    world.wait(Duration::hours(3));
    world.sync().await;
    world.assert_equal();
}

#[tokio::test]
async fn no_more_is_asked_for_than_is_wanted() {
    let Some(mut world) = World::with_months("no_more_is_asked_for", 14).await else {
        return;
    };
    world.store.since = Some(day(-100));
    world.sync().await;
    assert_eq!(lengths(&world), [89, 11]);
    let oldest = world.field("finance.transactions", "booked_on");
    let oldest = oldest.into_values().map(|day| day.to_string()).min();
    assert_eq!(oldest, Some(format!("\"{}\"", day(-90).date_naive())));
    // More is wanted.
    world.store.since = None;
    world.wait(Duration::hours(3));
    world.sync().await;
    world.assert_equal();
}

/// So many requests, and no more.
struct Few(AtomicU32);

#[async_trait]
impl RequestLedger for Few {
    async fn take(&self, subject: &str, a_day: u32) -> Result<(), SourceFailure> {
        assert_eq!(subject, "", "one ledger for all banks");
        let taken = self.0.fetch_add(1, Ordering::Relaxed);
        if taken < a_day.min(20) {
            return Ok(());
        }
        let failure = SourceFailure::new(FailureKind::RateLimited, "none is left today");
        Err(SourceFailure {
            retry_after: Some(RetryAfter::Wait(Wait::from_secs(60))),
            ..failure
        })
    }
}

#[tokio::test]
async fn a_day_has_so_many_requests_and_the_past_waits() {
    let Some(mut world) = World::with_months("a_day_has_so_many_requests", 24).await else {
        return;
    };
    let ledger = Arc::new(Few(AtomicU32::new(10)));
    let options = SourceOptions {
        ledger: SharedLedger(Arc::clone(&ledger) as Arc<dyn RequestLedger>),
        ..SourceOptions::default()
    };
    let sealed = world.credential.as_ref().unwrap().sealed.clone();
    let feed = match world.provider.source("finance", &sealed, &options).unwrap() {
        Source::Rounds(feed) => feed,
        Source::Stream(_) => panic!("banks are read in rounds"),
    };
    // Two of twelve are left for the past: the round ends well, and what is for it waits.
    world.store.sync(&*feed, day(0)).await.unwrap();
    assert_eq!(lengths(&world).len(), 2);
    let spent = ledger.0.load(Ordering::Relaxed);
    ledger.0.store(spent.max(20), Ordering::Relaxed);
    let failure = world.store.sync(&*feed, day(0)).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::RateLimited);
    assert_eq!(
        lengths(&world),
        [0; 0],
        "nothing is sent that is not counted"
    );
    ledger.0.store(0, Ordering::Relaxed);
    world.store.sync(&*feed, day(0)).await.unwrap();
    world.assert_equal();
}
