//! A push to a connection that is known: stored, published to whoever reads next, and written to the audit log once.
//!
//! Whether the connection may be pushed to is the caller's decision; the ingest route decides it by the secret, uploads by what the
//! person chose. Knows nothing of HTTP.

mod storing_slots;

use std::sync::Arc;

use chrono_tz::Tz;
use serde_json::json;
use sextant_actors::audit::{AuditEntry, AuditHandle, SafeArgs, Witness};
use sextant_actors::clock::Clock;
use sextant_actors::connections::ConnectionsHandle;
use sextant_actors::domain::{Decision, KnownConnection, Outcome};
use sextant_actors::journal::JournalAck;
use uuid::Uuid;

use crate::catalog;
use crate::db::{ServicePool, StoreError, TxFailure as _};
use crate::ingest::{Prepared, PushDestination, StoreFailure, StoredCounts, store};
use crate::providers;

pub(crate) use storing_slots::StoringSlots;

/// The act's verb in the audit log.
const VERB: &str = "ingest";

/// What pushes are stored with.
#[derive(Clone)]
pub(crate) struct PushStore {
    /// The push connections, in memory.
    pub connections: ConnectionsHandle,
    /// Takes the audit row of every push.
    pub audit: AuditHandle,
    /// Where pushes are stored.
    pub pool: ServicePool,
    pub clock: Arc<dyn Clock>,
    /// How many may be validated and stored at one time.
    pub storing: StoringSlots,
    /// The operator's zone.
    pub zone: Tz,
}

/// A push of which nothing is stored, or whose fate is not known.
pub(crate) struct UnstoredPush {
    pub cause: StoreFailure,
    /// Its audit row, on its way to the journal.
    pub journaled: JournalAck,
}

impl PushStore {
    /// Opens the witness of a push, whose audit row has what is known of the connection.
    pub(crate) fn open_witness(&self, connection: Option<&KnownConnection>) -> Witness {
        self.audit.open_witness(entry(connection))
    }

    /// Where a push to the connection is stored, if it is received now; `None` if this version has no table of its name.
    pub(crate) fn destination(&self, connection: &KnownConnection) -> Option<PushDestination> {
        let table = catalog::by_target(&connection.target)
            .filter(|table| table.sector == connection.sector)?;
        Some(PushDestination {
            user: connection.user,
            connection: connection.id,
            table,
            zone: self.zone,
            now: self.clock.now(),
        })
    }

    /// Stores a push and writes its audit row. A caller that may be cancelled has this run in a task of its own: what is
    /// committed must also be published.
    ///
    /// # Errors
    /// Why nothing was stored; after a lost commit it may have been.
    pub(crate) async fn store(
        &self,
        to: &PushDestination,
        prepared: Prepared,
        witness: Witness,
    ) -> Result<StoredCounts, UnstoredPush> {
        let siblings = self.siblings(to);
        let stored = store(&self.pool, to, &siblings, prepared).await;
        self.publish_success(&stored).await;
        match stored {
            Ok(stored) => {
                record_audit(&stored, to, witness).await;
                Ok(stored)
            }
            Err(cause) => Err(UnstoredPush {
                cause,
                journaled: witness.fail(),
            }),
        }
    }

    /// Has agents told of a push that was stored, or may have been, before whoever sent it is answered: whoever pushed and then
    /// asks reads the time of this push or of a later one.
    async fn publish_success(&self, stored: &Result<StoredCounts, StoreFailure>) {
        let is_unknown =
            |cause: &StoreFailure| matches!(cause.as_store(), Some(StoreError::FateUnknown { .. }));
        if stored.as_ref().is_err_and(|cause| !is_unknown(cause)) {
            return;
        }
        if let Err(error) = self.connections.reload_progress().await {
            log::warn!(
                "a push was stored, and the connections could not be read again yet: {error}"
            );
        }
    }

    /// The user's other push connections of the same sector.
    fn siblings(&self, to: &PushDestination) -> Vec<Uuid> {
        let snapshot = self.connections.snapshot();
        let is_sibling = |other: &&KnownConnection| {
            other.provider == providers::PUSH
                && other.user == to.user
                && other.sector == to.table.sector
                && other.id != to.connection
        };
        let mut siblings: Vec<Uuid> = snapshot
            .values()
            .filter(is_sibling)
            .map(|other| other.id)
            .collect();
        siblings.sort_unstable();
        siblings
    }
}

/// Leaves the audit row of a push that was stored.
fn record_audit(stored: &StoredCounts, to: &PushDestination, witness: Witness) -> JournalAck {
    let count = stored.inserted + stored.updated + stored.unchanged + stored.deleted;
    witness.finish(
        Decision::Allow,
        Some(to.table.sector),
        Some(Outcome::Ok),
        Some(i32::try_from(count).unwrap_or(i32::MAX)),
    )
}

/// The audit row of a push, as far as it is known before the push is read.
fn entry(connection: Option<&KnownConnection>) -> AuditEntry {
    let args =
        |connection: &KnownConnection| SafeArgs::of(&json!({ "connectionId": connection.id }));
    AuditEntry {
        user_id: connection.map(|connection| connection.user),
        sector: connection.map(|connection| connection.sector),
        args: connection.map(args),
        ..AuditEntry::unfinished(VERB)
    }
}
