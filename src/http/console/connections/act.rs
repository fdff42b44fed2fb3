//! An act on a connection that leaves a row in the audit log: pause, resume, disconnect, sync now, another interval (r039).

use serde_json::Value;
use sextant_actors::domain::{Outcome, Sector};
use uuid::Uuid;

use super::by_id::not_found;
use super::publish::publish;
use crate::db::StoreError;
use crate::http::console::Parts;
use crate::http::problem::Problem;

/// An act under way, and what its row will say of it, whatever becomes of it.
pub(super) struct AuditedAct {
    verb: &'static str,
    id: Uuid,
    sector: Option<Sector>,
    args: Value,
}

impl AuditedAct {
    /// The sector is read before the act, since a removed connection is published no more.
    pub(super) fn begin(parts: &Parts, verb: &'static str, id: Uuid, args: Value) -> Self {
        let known = parts.connections.snapshot();
        Self {
            verb,
            id,
            sector: known.get(&id).map(|known| known.sector),
            args,
        }
    }

    /// Publishes what was, or may have been, changed, and leaves the act's one row (r039, r048).
    ///
    /// # Errors
    /// When nothing was done: there is no such connection, or the database failed.
    pub(super) async fn settle<T>(
        self,
        parts: &Parts,
        done: Result<Option<T>, StoreError>,
    ) -> Result<T, Problem> {
        if matches!(done, Ok(Some(_)) | Err(StoreError::FateUnknown { .. })) {
            publish(parts, self.id).await;
        }
        self.record(parts, matches!(done, Ok(Some(_)))).await;
        done?.ok_or_else(not_found)
    }

    /// Leaves the act's one row (r039, r048).
    pub(super) async fn record(self, parts: &Parts, is_done: bool) {
        let outcome = if is_done { Outcome::Ok } else { Outcome::Error };
        parts
            .audit
            .record_operator(self.verb, self.sector, Some(self.args), outcome, None)
            .await;
    }
}
