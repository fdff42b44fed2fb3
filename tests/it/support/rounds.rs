//! Rounds where no source is read, and such that only pretend to.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, Utc};
use sextant_actors::ports::{
    PortError, PortFuture, RoundEnd, RoundOrder, RoundReport, Rounds, Settlement, SyncPlan,
};
use uuid::Uuid;

/// Every connection waits for a person.
pub struct NoRounds;

impl Rounds for NoRounds {
    fn plan(&self, _: Uuid) -> PortFuture<Result<SyncPlan, PortError>> {
        let plan = SyncPlan {
            interval: Duration::from_secs(900),
            is_stream: false,
            last_success_at: None,
            retry_at: None,
            wished_until: None,
            needs_person: true,
        };
        Box::pin(async move { Ok(plan) })
    }

    fn run(&self, _: RoundOrder) -> PortFuture<RoundReport> {
        Box::pin(async { RoundReport::of(RoundEnd::NeedsPerson) })
    }

    fn settle(&self, _: Uuid, _: Settlement) -> PortFuture<Result<(), PortError>> {
        Box::pin(async { Ok(()) })
    }

    fn siblings(&self, _: Uuid) -> PortFuture<Result<Vec<Uuid>, PortError>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

/// Rounds that end as they are told to, at once.
#[derive(Clone, Default)]
pub struct ToldRounds(Arc<Mutex<Told>>);

#[derive(Default)]
struct Told {
    retry_at: Option<DateTime<Utc>>,
    needs_person: bool,
    begun: usize,
}

impl ToldRounds {
    /// How many rounds there were, over all connections.
    pub fn begun(&self) -> usize {
        self.0.lock().unwrap().begun
    }

    /// No round begins before that.
    pub fn rest_until(&self, retry_at: DateTime<Utc>) {
        self.0.lock().unwrap().retry_at = Some(retry_at);
    }

    /// None begins before a person has acted.
    pub fn need_person(&self) {
        *self.0.lock().unwrap() = Told {
            needs_person: true,
            ..Told::default()
        };
    }
}

impl Rounds for ToldRounds {
    fn plan(&self, _: Uuid) -> PortFuture<Result<SyncPlan, PortError>> {
        let told = self.0.lock().unwrap();
        let plan = SyncPlan {
            interval: Duration::from_secs(900),
            is_stream: false,
            last_success_at: None,
            retry_at: told.retry_at,
            wished_until: told.retry_at,
            needs_person: told.needs_person,
        };
        Box::pin(async move { Ok(plan) })
    }

    fn run(&self, order: RoundOrder) -> PortFuture<RoundReport> {
        let mut told = self.0.lock().unwrap();
        told.begun += 1;
        order.run.set(told.begun.try_into().unwrap()).unwrap();
        let report = RoundReport {
            upserted: 3,
            deleted: 1,
            ..RoundReport::of(RoundEnd::Finished)
        };
        Box::pin(async { report })
    }

    fn settle(&self, _: Uuid, _: Settlement) -> PortFuture<Result<(), PortError>> {
        Box::pin(async { Ok(()) })
    }

    fn siblings(&self, _: Uuid) -> PortFuture<Result<Vec<Uuid>, PortError>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}
