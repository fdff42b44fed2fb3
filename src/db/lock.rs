//! One process to a database: an advisory lock on a connection of its own.
//!
//! The lock dies with its connection, so a task watches that connection, takes the lock again when it was lost, and says
//! how things stand. A server that lives and says nothing holds no lock for anybody: it is asked again and again, and its
//! silence is a loss too. With the lock all connections of the pools end; while it is lost the service's pool hands out
//! nothing; once somebody else has it the process has to stop.

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

use obtain::{Hold, Own, acquire};

/// For one attempt, the wait for another holder included.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(20);
/// Between two attempts to reach a database that is away.
const RECONNECT_WAIT: Duration = Duration::from_millis(250);
/// A peer that is silent this long is asked for, so that a dead network does not look like a held lock.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(10);

/// Something to do before the lost connection is tried again, such as starting a private server again.
pub type Revive = Box<dyn Fn() -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// The lock, held and kept until [`ServiceLock::release`], or until it is dropped: then nobody is left to keep it for, and what
/// was made under it ends.
pub struct ServiceLock {
    standing: Standing,
    keeper: JoinHandle<()>,
}

impl ServiceLock {
    /// Takes the lock, waiting up to five seconds for a process that is just stopping. A holder of ours whose process
    /// has ended on this machine is terminated; any other refuses this process, and is named.
    pub async fn take(
        mut config: Config,
        drivers: Handle,
        revive: Revive,
    ) -> Result<Self, LockError> {
        config
            .application_name(ProcessMark::own().application_name())
            .connect_timeout(CONNECT_TIMEOUT)
            .keepalives_idle(KEEPALIVE_IDLE);
        let hold = acquire(&config, &drivers, Own::Spared).await?;
        let (announce, states) = watch::channel(LockState::Held);
        let keeper = drivers.spawn(keep(hold, config, drivers.clone(), revive, announce));
        Ok(Self {
            standing: Standing(states),
            keeper,
        })
    }

    pub fn standing(&self) -> Standing {
        self.standing.clone()
    }

    /// Lets go of the lock and stops watching it.
    pub async fn release(mut self) {
        self.keeper.abort();
        // Its end by abortion is what was asked for.
        let _ = (&mut self.keeper).await;
    }
}

impl Drop for ServiceLock {
    fn drop(&mut self) {
        self.keeper.abort();
    }
}

async fn keep(
    mut hold: Hold,
    config: Config,
    drivers: Handle,
    revive: Revive,
    announce: watch::Sender<LockState>,
) {
    loop {
        let cause = hold.broken().await;
        log::warn!("the lock on the database was lost: {cause}");
        announce.send_replace(LockState::Lost {
            since: Instant::now(),
        });
        match acquire_again(&config, &drivers, &revive).await {
            Ok(again) => hold = again,
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

async fn acquire_again(config: &Config, drivers: &Handle, revive: &Revive) -> Result<Hold, Holder> {
    loop {
        revive().await;
        match timeout(ATTEMPT_TIMEOUT, acquire(config, drivers, Own::Ended)).await {
            Ok(Ok(hold)) => return Ok(hold),
            Ok(Err(LockError::Held(holder))) if holder.is_spent() => {
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
