//! The traits through which the actors reach the world: stores, the journal's disk, the sources' rounds and
//! tokens, the tools and the connections of agents. The service
//! implements them; tests implement them so that they fail.

mod disk;
mod rounds;
mod tokens;

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::domain::{AgentName, Call, Caller, Digest, Grant, KnownConnection, Sector, Served};
use crate::entry::AuditEntry;

pub use disk::{JournalDisk, JournalFile};
pub use rounds::{
    Draw, RoundEnd, RoundOrder, RoundReport, Rounds, Settlement, SourceProblem, SyncPlan,
};
pub use tokens::{AccessToken, IssuedToken, SignInTokens, TokenRefusal};

/// The future that a port answers with.
pub type PortFuture<T> = Pin<Box<dyn Future<Output = T> + Send + 'static>>;

/// Why a store did not do what it was asked. The texts are logged: they must quote neither rows nor parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PortError {
    /// The database cannot be reached now; nothing was changed.
    Unavailable(String),
    /// The answer to a COMMIT was lost: it may or may not have happened.
    FateUnknown(String),
    /// The database refused the data itself; the same data will be refused again.
    Rejected(String),
}

impl fmt::Display for PortError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PortError::Unavailable(cause) => {
                write!(formatter, "the database cannot be reached: {cause}")
            }
            PortError::FateUnknown(cause) => {
                write!(formatter, "the answer to a commit was lost: {cause}")
            }
            PortError::Rejected(cause) => {
                write!(formatter, "the database refused the data: {cause}")
            }
        }
    }
}

impl std::error::Error for PortError {}

/// Rows of the audit log for one statement, and the position that it advances with them.
#[derive(Clone, Debug)]
pub struct Flush {
    /// The journal that the numbers belong to.
    pub journal: Uuid,
    /// Where the position must stand; elsewhere, nothing is done.
    pub expected: u64,
    /// Where it stands afterwards.
    pub through: u64,
    /// The rows in order, each with its number. None: the position advances over what can never be stored.
    pub rows: Arc<Vec<(u64, AuditEntry)>>,
}

/// What became of a flush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flushed {
    /// The rows are in, and the position has advanced.
    Done,
    /// The position stood elsewhere, and nothing was done.
    Elsewhere,
}

/// Where the audit log is written.
pub trait AuditStore: Send + Sync + 'static {
    /// The number up to which the audit log has this journal's entries. A journal that it does not know is entered with 0.
    fn position(&self, journal: Uuid) -> PortFuture<Result<u64, PortError>>;
    /// Inserts the rows and advances the position, in one statement.
    fn append(&self, flush: Flush) -> PortFuture<Result<Flushed, PortError>>;
}

/// One change to one agent's grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GrantChange {
    /// Makes the grant, or replaces the one under this name (a rotate that also sets sectors and deadline).
    Create {
        /// The hash of the key.
        key: Digest,
        /// As sent.
        sectors: Vec<String>,
        /// The deadline; `None` never expires.
        expires_at: Option<DateTime<Utc>>,
    },
    /// A new key; sectors and deadline stay, a revocation is cleared. A passed deadline is a conflict.
    Rotate {
        /// The hash of the new key.
        key: Digest,
    },
    /// New sectors, a new deadline, or both; `None` leaves as it is.
    Amend {
        /// The new list, as sent.
        sectors: Option<Vec<String>>,
        /// The new deadline; `Some(None)` never expires.
        expires_at: Option<Option<DateTime<Utc>>>,
    },
    /// The key is refused from now on.
    Revoke,
    /// The grant is gone.
    Remove,
}

/// What a change did to the row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GrantApplied {
    /// The grant as it is now (`replaced`: there was one under this name), or `None` when removed.
    Done {
        /// The grant as it is now.
        grant: Option<Grant>,
        /// There was one under this name.
        replaced: bool,
    },
    /// There is no grant under this name.
    NotFound,
    /// The deadline has passed, so that the key cannot be rotated.
    DeadlinePassed,
}

/// Where grants are kept.
pub trait GrantStore: Send + Sync + 'static {
    /// All grants, read while no edit is in flight.
    fn load(&self) -> PortFuture<Result<Vec<Grant>, PortError>>;
    /// One agent's grant as it is stored now, read while no edit is in flight: a commit whose answer was lost must be in it.
    fn read(&self, agent: AgentName) -> PortFuture<Result<Option<Grant>, PortError>>;
    /// Applies one change in one transaction.
    fn apply(
        &self,
        agent: AgentName,
        change: GrantChange,
        now: DateTime<Utc>,
    ) -> PortFuture<Result<GrantApplied, PortError>>;
    /// Revokes every grant that is not revoked, in one transaction, after every edit in flight; returns those grants as they are now.
    fn revoke_all(&self, now: DateTime<Utc>) -> PortFuture<Result<Vec<Grant>, PortError>>;
}

/// Where connections are kept.
pub trait ConnectionStore: Send + Sync + 'static {
    /// All connections that are not removed.
    fn load(&self) -> PortFuture<Result<Vec<KnownConnection>, PortError>>;
}

/// The connections over which answers leave.
pub trait Outlets: Send + Sync + 'static {
    /// Clears the bytes that passed under this agent's grants of epochs before `epoch`, whose gates are closed by now (r504). When it
    /// resolves none of them can leave any more: the other end has acknowledged them, or they were discarded with their connection.
    fn clear(&self, agent: AgentName, epoch: u64) -> PortFuture<()>;
}

/// Serves the tools: the only path by which an agent's call reaches data. It checks the grant, runs the call, and returns the answer and
/// what the audit log is to say of it.
pub trait ToolCalls: Send + Sync + 'static {
    /// The sector that the call's target names, known before anything runs.
    fn sector_of(&self, call: &Call) -> Option<Sector>;
    /// Serves or refuses the call. Dropping the future abandons the work.
    fn serve(&self, caller: Caller, call: Call) -> PortFuture<Served>;
}
