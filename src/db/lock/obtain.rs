//! One attempt at the lock: obtained, or held by somebody who can be named.

use std::fmt;
use std::future::pending;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use tokio_postgres::{Client, Config, Error};

use crate::db::connect::connect;
use crate::db::process_mark::ProcessMark;

/// How long a start waits for the process before it to let go.
const PATIENCE: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(100);
/// For the lock of a connection that was terminated to come free.
const TERMINATION_TIMEOUT: Duration = Duration::from_secs(2);
/// How often the server is asked whether it is there.
const PULSE_INTERVAL: Duration = Duration::from_secs(1);
/// How long it may take over the answer; everything that waits for the database waits at most so much longer.
const PULSE_PATIENCE: Duration = Duration::from_secs(5);

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

impl Holder {
    /// Whether it is no rival: a connection that this process has lost, or one whose process is gone.
    pub fn is_spent(&self) -> bool {
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

/// What becomes of an older connection of this very process that holds the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    /// It is somebody else's in this process.
    Spared,
    /// It is the one that was lost, and the server has not seen it yet.
    Ended,
}

/// The connection that holds the lock; its driver ends when the connection does.
pub struct Hold {
    client: Client,
    driver: JoinHandle<()>,
}

impl Hold {
    /// Returns when the connection has ended or the server says nothing any more, with which of them it is.
    pub async fn broken(&mut self) -> &'static str {
        tokio::select! {
            _ended = &mut self.driver => "its connection has ended",
            () = silence(&self.client) => {
                self.driver.abort();
                "the database says nothing"
            }
        }
    }
}

/// Returns when the server leaves a question without an answer.
async fn silence(client: &Client) {
    loop {
        sleep(PULSE_INTERVAL).await;
        let ask = client.batch_execute(include_str!("../../../sql/statements/server/ping.sql"));
        match timeout(PULSE_PATIENCE, ask).await {
            Ok(Ok(())) => {}
            // The connection's end tells it.
            Ok(Err(_)) => pending().await,
            Err(_) => return,
        }
    }
}

/// Connects and obtains the lock on that connection.
pub async fn acquire(config: &Config, drivers: &Handle, own: Own) -> Result<Hold, LockError> {
    let (client, driver) = connect(config, drivers).await.map_err(LockError::Failed)?;
    match obtain(&client, own).await.map_err(LockError::Failed)? {
        None => Ok(Hold { client, driver }),
        Some(holder) => Err(LockError::Held(holder)),
    }
}

/// Obtains the lock on this connection, or says who has it.
async fn obtain(client: &Client, own: Own) -> Result<Option<Holder>, Error> {
    client
        .query_one(
            include_str!("../../../sql/statements/service_lock/settle.sql"),
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
        Own::Ended => holder.is_spent(),
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

/// A holder that could not be seen, only felt.
fn nobody() -> Holder {
    Holder {
        process: None,
        backend_pid: 0,
        client: "unknown".into(),
        role: "unknown".into(),
    }
}
