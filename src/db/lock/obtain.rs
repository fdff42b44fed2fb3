//! One attempt to take the lock: it is obtained, or held by another connection, which is described.

use std::fmt;
use std::future::pending;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use tokio_postgres::{Client, Config, Error};

use crate::db::connect::connect;
use crate::db::process_mark::ProcessMark;

/// How long a starting process waits for another one to release the lock.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(5);
/// The pause between two attempts to take it.
const POLL: Duration = Duration::from_millis(100);
/// How long it may take until the lock of a terminated connection is free.
const TERMINATION_TIMEOUT: Duration = Duration::from_secs(2);
/// The pause between two pings of the server.
const PING_INTERVAL: Duration = Duration::from_secs(1);
/// The time limit for an answer to a ping. Whoever waits for an unresponsive database waits about as long.
const PING_TIMEOUT: Duration = Duration::from_secs(5);

/// The connection that holds the lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The process of the service, if its application name says so.
    pub process: Option<ProcessMark>,
    /// The pid of its server process.
    pub backend_pid: i32,
    /// Address of the client, or `this machine`.
    pub client: String,
    /// Its database role.
    pub role: String,
}

impl Holder {
    /// Whether nobody uses the connection: this process has lost it, or its process has ended.
    pub fn is_abandoned(&self) -> bool {
        self.process
            .as_ref()
            .is_some_and(|process| process.is_gone() || process.is_own())
    }
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

/// Why the lock was not obtained.
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

/// How a connection of this same process that holds the lock is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Own {
    /// It belongs to another [`ServiceLock`](super::ServiceLock) of this process, and is left alone.
    Spared,
    /// It is the one that was lost, which the server has not noticed; it is terminated.
    Terminated,
}

/// The connection that holds the lock; its driver ends when the connection does.
pub(super) struct LockConnection {
    client: Client,
    driver: JoinHandle<()>,
}

impl LockConnection {
    /// Waits until the connection ends or the server stops answering, and returns which of them happened.
    pub(super) async fn wait_for_loss(&mut self) -> &'static str {
        tokio::select! {
            _ended = &mut self.driver => "its connection has ended",
            () = wait_for_silence(&self.client) => {
                self.driver.abort();
                "the database says nothing"
            }
        }
    }
}

/// Waits until the server does not answer a ping in time.
async fn wait_for_silence(client: &Client) {
    loop {
        sleep(PING_INTERVAL).await;
        let ask = client.batch_execute(include_str!("../../../sql/statements/server/ping.sql"));
        match timeout(PING_TIMEOUT, ask).await {
            Ok(Ok(())) => {}
            // The connection has ended, which its driver reports.
            Ok(Err(_)) => pending().await,
            Err(_) => return,
        }
    }
}

/// Connects, and obtains the lock on that connection.
pub(super) async fn acquire(
    config: &Config,
    drivers: &Handle,
    own: Own,
) -> Result<LockConnection, LockError> {
    let (client, driver) = connect(config, drivers).await.map_err(LockError::Failed)?;
    match obtain(&client, own).await.map_err(LockError::Failed)? {
        None => Ok(LockConnection { client, driver }),
        Some(holder) => Err(LockError::Held(holder)),
    }
}

/// Obtains the lock on this connection, or returns who holds it.
async fn obtain(client: &Client, own: Own) -> Result<Option<Holder>, Error> {
    client
        .query_one(
            include_str!("../../../sql/statements/service_lock/settle.sql"),
            &[],
        )
        .await?;
    if comes_free(client, RELEASE_TIMEOUT).await? {
        return Ok(None);
    }
    let Some(holder) = find_holder(client).await? else {
        // It was released between the two statements.
        return if comes_free(client, TERMINATION_TIMEOUT).await? {
            Ok(None)
        } else {
            Ok(Some(unknown_holder()))
        };
    };
    if !may_be_ended(&holder, own) {
        return Ok(Some(holder));
    }
    log::warn!("ending the connection of {holder}, which nobody uses any more");
    client
        .query_one(
            include_str!("../../../sql/statements/service_lock/terminate.sql"),
            &[&holder.backend_pid],
        )
        .await?;
    if comes_free(client, TERMINATION_TIMEOUT).await? {
        Ok(None)
    } else {
        Ok(Some(holder))
    }
}

fn may_be_ended(holder: &Holder, own: Own) -> bool {
    match own {
        Own::Spared => holder.process.as_ref().is_some_and(ProcessMark::is_gone),
        Own::Terminated => holder.is_abandoned(),
    }
}

async fn comes_free(client: &Client, patience: Duration) -> Result<bool, Error> {
    let deadline = Instant::now() + patience;
    loop {
        let row = client
            .query_one(
                include_str!("../../../sql/statements/service_lock/take.sql"),
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
            include_str!("../../../sql/statements/service_lock/find_holder.sql"),
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

/// Stands for a holder that `pg_locks` does not show.
fn unknown_holder() -> Holder {
    Holder {
        process: None,
        backend_pid: 0,
        client: "unknown".into(),
        role: "unknown".into(),
    }
}
