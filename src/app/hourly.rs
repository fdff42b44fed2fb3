//! What the calendar asks for: derived rows and the occurrences of endless series, looked at each hour.

use std::sync::Arc;
use std::time::Duration;

use chrono_tz::Tz;
use sextant_actors::clock::Clock;
use sextant_actors::domain::OPERATOR;
use tokio::task::JoinHandle;

use crate::db::ServicePool;
use crate::derived;
use crate::ingest::roll;

/// How often the endless series are looked at; each is rolled once a day.
const ROLL_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Before the ports open, so that nobody asks about days of another zone; what failed then is done within the hour.
pub async fn rebuild_derived(pool: &ServicePool, zone: Tz) {
    match derived::rebuild(pool, OPERATOR, zone).await {
        Ok(sectors) => sectors
            .iter()
            .for_each(|sector| log::info!("made the derived rows of {sector} in the zone {zone}")),
        Err(cause) => log::warn!("the derived rows were not made, again in an hour: {cause}"),
    }
}

/// Starts looking each hour; ends when it is aborted.
pub fn start(pool: ServicePool, zone: Tz, clock: Arc<dyn Clock>) -> JoinHandle<()> {
    actix_web::rt::spawn(roll_hourly(pool, zone, clock))
}

async fn roll_hourly(pool: ServicePool, zone: Tz, clock: Arc<dyn Clock>) {
    let mut interval = tokio::time::interval(ROLL_INTERVAL);
    loop {
        interval.tick().await;
        rebuild_derived(&pool, zone).await;
        match roll(&pool, OPERATOR, zone, clock.now()).await {
            Ok(0) => {}
            Ok(series) => log::info!("rolled the occurrences of {series} endless series"),
            Err(cause) => log::warn!("the occurrences were not rolled, again in an hour: {cause}"),
        }
    }
}
