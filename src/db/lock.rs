//! At most one process uses a database: an advisory lock, held by a connection of its own.
//!
//! The lock ends with its connection. A task watches that connection, takes the lock again after a loss, and publishes its
//! state. A server may be unresponsive without closing the connection, so it is pinged, and a missing answer counts as a loss
//! too. When the lock is lost, all connections of the pools are closed; until it is held again, the service's pool gives out
//! none; if another process has it by then, this process must stop.

use std::pin::Pin;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use tokio_postgres::Config;

use super::connect::CONNECT_TIMEOUT;
use super::process_mark::ProcessMark;

mod obtain;
mod standing;

pub use obtain::{Holder, LockError};
pub use standing::{LockState, Standing};

use obtain::{LockConnection, Own, acquire};

/// The time limit for one attempt, the wait for another holder included.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(20);
/// The pause between two attempts to reach an unavailable database.
const RECONNECT_WAIT: Duration = Duration::from_millis(250);
/// TCP keepalive is sent after this long without traffic, so that a dead network does not look like a held lock.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(10);

/// What is done before each attempt to take a lost lock again, such as starting the private server.
pub(super) type Revive = Box<dyn Fn() -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// The lock, held until [`ServiceLock::release`] or until it is dropped. Connections opened under it end with it.
pub struct ServiceLock {
    standing: Standing,
    keeper: JoinHandle<()>,
}

impl ServiceLock {
    /// Takes the lock, waiting for up to five seconds for a process that is stopping. The connection of a holder whose process
    /// has ended on this machine is terminated.
    ///
    /// # Errors
    /// When another process holds the lock, with that process, or when the database fails.
    pub async fn take(
        mut config: Config,
        drivers: Handle,
        revive: Revive,
    ) -> Result<Self, LockError> {
        config
            .application_name(ProcessMark::own().application_name())
            .connect_timeout(CONNECT_TIMEOUT)
            .keepalives_idle(KEEPALIVE_IDLE);
        let connection = acquire(&config, &drivers, Own::Spared).await?;
        let (announce, states) = watch::channel(LockState::Held);
        let keeper = drivers.spawn(keep(connection, config, drivers.clone(), revive, announce));
        Ok(Self {
            standing: Standing(states),
            keeper,
        })
    }

    /// A view of the lock's state.
    pub fn standing(&self) -> Standing {
        self.standing.clone()
    }

    /// Releases the lock.
    pub async fn release(mut self) {
        self.keeper.abort();
        // The task was aborted, so its result is an error.
        let _ = (&mut self.keeper).await;
    }
}

impl Drop for ServiceLock {
    fn drop(&mut self) {
        self.keeper.abort();
    }
}

async fn keep(
    mut connection: LockConnection,
    config: Config,
    drivers: Handle,
    revive: Revive,
    announce: watch::Sender<LockState>,
) {
    loop {
        let cause = connection.wait_for_loss().await;
        log::warn!("the lock on the database was lost: {cause}");
        announce.send_replace(LockState::Lost {
            since: Instant::now(),
        });
        match acquire_again(&config, &drivers, &revive).await {
            Ok(again) => connection = again,
            Err(holder) => {
                log::error!("the lock on the database was taken by {holder}");
                announce.send_replace(LockState::Taken(holder));
                return;
            }
        }
        log::info!("the lock on the database is held again");
        announce.send_replace(LockState::Held);
    }
}

async fn acquire_again(
    config: &Config,
    drivers: &Handle,
    revive: &Revive,
) -> Result<LockConnection, Holder> {
    loop {
        revive().await;
        match timeout(ATTEMPT_TIMEOUT, acquire(config, drivers, Own::Terminated)).await {
            Ok(Ok(connection)) => return Ok(connection),
            Ok(Err(LockError::Held(holder))) if holder.is_abandoned() => {
                log::warn!(
                    "{holder} still holds the lock on the database, and ends only when its server process goes on"
                );
            }
            Ok(Err(LockError::Held(holder))) => return Err(holder),
            Ok(Err(LockError::Failed(error))) => log::debug!("the database is away: {error}"),
            Err(_) => log::debug!("the database says nothing"),
        }
        sleep(RECONNECT_WAIT).await;
    }
}
