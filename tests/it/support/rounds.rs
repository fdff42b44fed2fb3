//! Rounds where no source is read.

use std::time::Duration;

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
}
