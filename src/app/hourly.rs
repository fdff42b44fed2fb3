//! Hourly work: derived rows, the occurrences of endless series, what remains of a recount of the audit log, and old uploads.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use sextant_actors::clock::Clock;
use sextant_actors::domain::OPERATOR;
use tokio::task::JoinHandle;

use crate::bridge::Bridge;
use crate::db::ServicePool;
use crate::derived;
use crate::ingest::roll;
use crate::store::audit_hourly;
use crate::sync;
use crate::uploads::Uploads;

/// How often the endless series are checked; each is extended once a day.
const ROLL_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Runs before the ports open, so that no answer has days of another zone; after a failure it runs again within the hour.
pub(super) async fn rebuild_derived_rows(pool: &ServicePool, zone: Tz) {
    match derived::rebuild(pool, OPERATOR, zone).await {
        Ok(sectors) => sectors
            .iter()
            .for_each(|sector| log::info!("made the derived rows of {sector} in the zone {zone}")),
        Err(cause) => log::warn!("the derived rows were not made, again in an hour: {cause}"),
    }
}

/// Ends the runs that a kill cut off, before any connection is read; what fails is done by the next run of each connection.
pub(super) async fn end_cut_runs(pool: &ServicePool, now: DateTime<Utc>) {
    match sync::cut_all(pool, now).await {
        Ok(0) => {}
        Ok(runs) => log::info!("{runs} runs of connections were interrupted by the last stop"),
        Err(cause) => log::warn!("interrupted runs were not ended: {cause}"),
    }
}

/// Starts the hourly work; it ends when the task is aborted.
pub(super) fn start(
    pool: ServicePool,
    zone: Tz,
    (uploads, bridge): (Uploads, Bridge),
    clock: Arc<dyn Clock>,
) -> JoinHandle<()> {
    actix_web::rt::spawn(roll_hourly(pool, zone, (uploads, bridge), clock))
}

async fn roll_hourly(
    pool: ServicePool,
    zone: Tz,
    (uploads, bridge): (Uploads, Bridge),
    clock: Arc<dyn Clock>,
) {
    let mut interval = tokio::time::interval(ROLL_INTERVAL);
    for hour in 0_u64.. {
        interval.tick().await;
        sweep(&uploads, &clock).await;
        // The start has done it a moment ago.
        if hour > 0 {
            rebuild_derived_rows(&pool, zone).await;
        }
        match roll(&pool, OPERATOR, zone, clock.now()).await {
            Ok(0) => {}
            Ok(series) => log::info!("rolled the occurrences of {series} endless series"),
            Err(cause) => log::warn!("the occurrences were not rolled, again in an hour: {cause}"),
        }
        keep_up_bridge(&bridge).await;
        forget_history(&pool, zone, clock.now()).await;
        match audit_hourly::count_anew_all(&pool).await {
            Ok(0) => {}
            Ok(rows) => log::info!("counted {rows} rows of the record anew, by user"),
            Err(cause) => log::warn!("the record was not counted anew, again in an hour: {cause}"),
        }
    }
}

/// A public address that could not be read at the start is read now.
async fn keep_up_bridge(bridge: &Bridge) {
    match bridge.forget_ended().await {
        Ok(0) => {}
        Ok(forgotten) => log::info!("forgot {forgotten} sign-ins and clients of agents elsewhere"),
        Err(cause) => log::warn!("ended sign-ins were not forgotten, again in an hour: {cause}"),
    }
}

/// What a home was is not kept for ever.
async fn forget_history(pool: &ServicePool, zone: Tz, now: DateTime<Utc>) {
    match sync::forget_history(pool, zone, now).await {
        Ok(gone) if gone.ended + gone.purged == 0 => {}
        Ok(gone) => log::info!(
            "{} old states of homes were ended, and {} ended long ago deleted",
            gone.ended,
            gone.purged
        ),
        Err(cause) => log::warn!("old states of homes were not ended, again in an hour: {cause}"),
    }
}

/// Removing many files blocks.
async fn sweep(uploads: &Uploads, clock: &Arc<dyn Clock>) {
    let (uploads, now) = (uploads.clone(), clock.now());
    let swept = tokio::task::spawn_blocking(move || uploads.sweep(now)).await;
    if let Err(cause) = swept {
        log::warn!("old uploads were not removed, again in an hour: {cause}");
    }
}
