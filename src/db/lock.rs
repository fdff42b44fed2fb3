//! One process to a database: an advisory lock on a connection of its own.
//!
//! The lock dies with its connection, so a task watches that connection, takes the lock again when it was lost, and says
//! how things stand. While the lock is lost the service's pool hands out nothing; once somebody else has it the process
//! has to stop.

use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use tokio_postgres::{Client, Config, Error};

use super::connect::{CONNECT_TIMEOUT, connect};
use super::error::StoreError;
use super::process_mark::ProcessMark;

/// How long a start waits for the process before it to let go.
const PATIENCE: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(100);
/// For the lock of a connection that was terminated to come free.
const TERMINATION_TIMEOUT: Duration = Duration::from_secs(2);
/// Between two attempts to reach a database that is away.
const RECONNECT_WAIT: Duration = Duration::from_millis(250);
/// How long a writer waits for a lost lock before it is told that the database is away.
const WRITER_PATIENCE: Duration = Duration::from_secs(5);
/// A peer that is silent this long is asked for, so that a dead network does not look like a held lock.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(10);

/// Who has the lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The process, when it is one of ours.
    pub process: Option<ProcessMark>,
    /// The server's process of its connection.
    pub backend_pid: i32,
    /// Address of the client, or `this machine`.
    pub client: String,
    /// Its database role.
    pub role: String,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.process {
            Some(process) => write!(f, "{process}")?,
            None => write!(f, "a connection of the role {}", self.role)?,
        }
        write!(
            f,
            ", from {}, database backend {}",
            self.client, self.backend_pid
        )
    }
}

/// Why the lock is not this process's.
#[derive(Debug)]
pub enum LockError {
    /// Another process has it.
    Held(Holder),
    Failed(Error),
}

impl fmt::Display for LockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Held(holder) => write!(
                f,
                "the database is in use by another sextant ({holder}); stop that one, or give this one a database of its own"
            ),
            Self::Failed(source) => {
                write!(f, "the lock on the database could not be taken: {source}")
            }
        }
    }
}

impl std::error::Error for LockError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Failed(source) => Some(source),
            Self::Held(_) => None,
        }
    }
}

/// How the lock stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockState {
    Held,
    /// The connection broke; the lock is being taken again.
    Lost,
    /// Another process had it by then: this one must write nothing more.
    Taken(Holder),
}

/// A view of the lock that may be copied to whoever writes.
#[derive(Clone, Debug)]
pub struct Standing(watch::Receiver<LockState>);

impl Standing {
    /// Returns when the lock is held; waits a bounded time for one that was lost.
    pub async fn held(&self) -> Result<(), StoreError> {
        if *self.0.borrow() == LockState::Held {
            return Ok(());
        }
        let mut states = self.0.clone();
        let settled = timeout(
            WRITER_PATIENCE,
            states.wait_for(|state| *state != LockState::Lost),
        )
        .await;
        match settled {
            Ok(Ok(state)) if *state == LockState::Held => Ok(()),
            _ => Err(StoreError::Unavailable {
                cause: "the lock on the database is not held".into(),
            }),
        }
    }

    /// Returns only when another process has taken the lock, with who it is.
    pub async fn taken(&self) -> Holder {
        let mut states = self.0.clone();
        loop {
            if let LockState::Taken(holder) = &*states.borrow_and_update() {
                return holder.clone();
            }
            if states.changed().await.is_err() {
                // The watch has ended with the service itself.
                std::future::pending::<()>().await;
            }
        }
    }

    /// How the lock stands now.
    pub fn state(&self) -> LockState {
        self.0.borrow().clone()
    }
}

/// Something to do before the lost connection is tried again, such as starting a private server again.
pub type Revive = Box<dyn Fn() -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// The lock, held and kept until [`ServiceLock::release`].
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
        let hold = acquire(&config, &drivers).await?;
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
    pub async fn release(self) {
        self.keeper.abort();
        // Its end by abortion is what was asked for.
        let _ = self.keeper.await;
    }
}

/// The connection that holds the lock; its driver ends when the connection does.
struct Hold {
    _client: Client,
    driver: JoinHandle<()>,
}

async fn keep(
    mut hold: Hold,
    config: Config,
    drivers: Handle,
    revive: Revive,
    announce: watch::Sender<LockState>,
) {
    loop {
        let _ = (&mut hold.driver).await;
        log::warn!("the lock on the database was lost with its connection");
        announce.send_replace(LockState::Lost);
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
        match acquire(config, drivers).await {
            Ok(hold) => return Ok(hold),
            Err(LockError::Held(holder)) => return Err(holder),
            Err(LockError::Failed(error)) => log::debug!("the database is away: {error}"),
        }
        sleep(RECONNECT_WAIT).await;
    }
}

async fn acquire(config: &Config, drivers: &Handle) -> Result<Hold, LockError> {
    let (client, driver) = connect(config, drivers).await.map_err(LockError::Failed)?;
    match obtain(&client).await.map_err(LockError::Failed)? {
        None => Ok(Hold {
            _client: client,
            driver,
        }),
        Some(holder) => Err(LockError::Held(holder)),
    }
}

/// Obtains the lock on this connection, or says who has it.
async fn obtain(client: &Client) -> Result<Option<Holder>, Error> {
    client
        .query_one(
            include_str!("../../sql/statements/service_lock/settle.sql"),
            &[],
        )
        .await?;
    if comes_free(client, PATIENCE).await? {
        return Ok(None);
    }
    let Some(holder) = find_holder(client).await? else {
        // It let go in this very moment.
        return if comes_free(client, TERMINATION_TIMEOUT).await? {
            Ok(None)
        } else {
            Ok(Some(nobody()))
        };
    };
    if !holder.process.as_ref().is_some_and(ProcessMark::is_gone) {
        return Ok(Some(holder));
    }
    log::warn!("ending the connection of {holder}, whose process is gone");
    client
        .query_one(
            include_str!("../../sql/statements/service_lock/terminate.sql"),
            &[&holder.backend_pid],
        )
        .await?;
    if comes_free(client, TERMINATION_TIMEOUT).await? {
        Ok(None)
    } else {
        Ok(Some(holder))
    }
}

async fn comes_free(client: &Client, patience: Duration) -> Result<bool, Error> {
    let deadline = Instant::now() + patience;
    loop {
        let row = client
            .query_one(
                include_str!("../../sql/statements/service_lock/take.sql"),
                &[],
            )
            .await?;
        if row.try_get(0)? {
            return Ok(true);
        }
        if Instant::now() >= deadline {
            return Ok(false);
        }
        sleep(POLL).await;
    }
}

async fn find_holder(client: &Client) -> Result<Option<Holder>, Error> {
    let row = client
        .query_opt(
            include_str!("../../sql/statements/service_lock/find_holder.sql"),
            &[],
        )
        .await?;
    row.map(|row| {
        let application_name: String = row.try_get(1)?;
        Ok(Holder {
            backend_pid: row.try_get(0)?,
            process: ProcessMark::parse(&application_name),
            client: row.try_get(2)?,
            role: row.try_get(3)?,
        })
    })
    .transpose()
}

/// A holder that could not be seen, only felt.
fn nobody() -> Holder {
    Holder {
        process: None,
        backend_pid: 0,
        client: "unknown".into(),
        role: "unknown".into(),
    }
}
