//! The task behind an export's answer, which leaves one row in the audit log however it ends (r040).
//!
//! The row is written when the caller has taken the last byte, and the body ends after it: whoever has the whole export can find its
//! row. Whatever cuts it short leaves the row `error`.

use actix_web::web;
use sextant_actors::audit::AuditHandle;
use sextant_actors::domain::Outcome;
use sextant_actors::journal::JournalAck;
use tokio::sync::oneshot;

use crate::db::StoreError;
use crate::export::body::BodySender;
use crate::export::{self, ExportError, ExportRequest, ExportSlot};
use crate::http::console::Parts;

/// One export under way.
pub(super) struct ExportTask {
    audit: AuditHandle,
    export: ExportRequest,
    is_recorded: bool,
}

/// Says once whether the export could start.
type StartSender = oneshot::Sender<Result<(), StoreError>>;

impl ExportTask {
    pub(super) fn new(parts: &Parts, export: ExportRequest) -> Self {
        Self {
            audit: parts.audit.clone(),
            export,
            is_recorded: false,
        }
    }

    /// Writes the export to `sender` until it ends, the caller leaves or the service stops; holds `slot` meanwhile. `started` is sent
    /// as soon as the database's snapshot is open, or the reason why it cannot be opened.
    pub(super) async fn run(
        mut self,
        parts: web::Data<Parts>,
        slot: ExportSlot,
        sender: BodySender,
        started: StartSender,
    ) {
        let mut started = Some(started);
        let ended = tokio::select! {
            biased;
            () = slot.stopped() => None,
            ended = self.write(&parts, &sender, &mut started) => Some(ended),
        };
        match ended {
            Some(Ok(rows)) => {
                let count = i32::try_from(rows).unwrap_or(i32::MAX);
                self.record(Outcome::Ok, Some(count)).await;
                sender.end();
            }
            Some(Err(cause)) => {
                log::warn!("an export was cut short: {cause}");
                self.record(Outcome::Error, None).await;
                if let (Some(started), ExportError::Store(cause)) = (started, cause) {
                    let _gone = started.send(Err(cause));
                }
            }
            None => {
                log::warn!("an export was cut short: the service stops");
                self.record(Outcome::Error, None).await;
            }
        }
    }

    async fn write(
        &self,
        parts: &Parts,
        sender: &BodySender,
        started: &mut Option<StartSender>,
    ) -> Result<u64, ExportError> {
        let mut reader = parts.pool.exclusive().await?;
        let report_start = || {
            if let Some(started) = started.take() {
                let _gone = started.send(Ok(()));
            }
        };
        export::write(&mut reader, &self.export, sender, report_start).await
    }

    fn record(&mut self, outcome: Outcome, count: Option<i32>) -> JournalAck {
        self.is_recorded = true;
        let sector = self.export.sector;
        self.audit
            .record_operator("export", sector, None, outcome, count)
    }
}

impl Drop for ExportTask {
    /// A task that is dropped before its end leaves its row, too.
    fn drop(&mut self) {
        if !self.is_recorded {
            // No caller is left who would wait for the acknowledgement.
            drop(self.record(Outcome::Error, None));
        }
    }
}
