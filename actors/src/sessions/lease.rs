use std::future::Future;
use std::sync::Arc;

use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::session::{Kill, LiveSession, SessionServices, run_until_interrupted};
use super::{CallError, ClientInfo, CloseReason, Gate, GateClosed, SessionId};
use crate::audit::{AuditEntry, SafeArgs, Witness};
use crate::domain::{Call, CleanText, OPERATOR, Served, Ticket};
use crate::limits::{CALL_DEADLINE, KILL_PATIENCE};
use crate::supervise::{AskError, CaughtWork, Panicked, ask};

/// The right to call through a live session, and the gate that its bytes pass. Not exclusive: requests of one client share a session.
#[derive(Clone)]
pub struct Lease {
    live: Arc<LiveSession>,
    services: Arc<SessionServices>,
}

impl Lease {
    pub(super) fn new(live: Arc<LiveSession>, services: Arc<SessionServices>) -> Self {
        Self { live, services }
    }

    /// The session's id.
    pub fn id(&self) -> &SessionId {
        &self.live.id
    }

    /// Tells this session from earlier ones of this run with the same id: 0, or the number of the resumption that began it.
    pub fn life(&self) -> u64 {
        self.live.life
    }

    /// The grant that the session was opened under.
    pub fn ticket(&self) -> &Ticket {
        &self.live.ticket
    }

    /// The session's client.
    pub fn client(&self) -> &ClientInfo {
        &self.live.client
    }

    /// The session's gate.
    pub fn gate(&self) -> &Gate {
        &self.live.gate
    }

    /// Serves one call of the session, in this future; it leaves exactly one row in the audit log. `cancel`, or dropping the future, abandons it.
    /// A call on a session that has ended leaves a row too (r043).
    ///
    /// # Errors
    /// When the session ends first, or the call is cancelled; the row is then `allow`/`error`.
    pub async fn call(&self, call: Call, cancel: CancellationToken) -> Result<Served, CallError> {
        let mut witness = self.services.audit.open_witness(self.entry(&call));
        let busy = self.live.activity.begin_call(self.services.clock.now());
        let work = self.begin(call, &mut witness);
        let served = self.finish(work, &cancel).await?;
        busy.end(self.services.clock.now());
        let Served {
            sector,
            outcome,
            count,
            ..
        } = served;
        let decision = served.decision.clone();
        let journaled = self
            .gate()
            .pass(|| witness.finish(decision, sector, outcome, count))
            .map_err(|GateClosed(reason)| CallError::Closed(reason))?;
        journaled.await;
        Ok(served)
    }

    /// Records a call whose arguments could not be read, and which was not run: it leaves a row all the same (r043).
    pub async fn record_misread(&self, call: &Call) {
        self.services
            .audit
            .open_witness(self.entry(call))
            .fail()
            .await;
    }

    /// Ends the session (DELETE). Ending it twice is harmless: whoever closed its gate has its actor stopped.
    pub async fn end(&self) {
        if !self.gate().close(CloseReason::Ended) {
            return;
        }
        if ask(&self.live.address, Kill, KILL_PATIENCE).await == Err(AskError::Late) {
            log::warn!("session of {} is slow to end", self.live.ticket.agent);
        }
    }

    /// Polls the work in this future, when there is a place for it; returns as soon as the gate closes.
    async fn finish(
        &self,
        work: impl Future<Output = Result<Served, Panicked>>,
        cancel: &CancellationToken,
    ) -> Result<Served, CallError> {
        let run = async {
            let _place = timeout(CALL_DEADLINE, self.live.places.acquire()).await?;
            timeout(CALL_DEADLINE, work).await
        };
        match run_until_interrupted(self.gate(), cancel, run).await? {
            Ok(Ok(served)) => Ok(served),
            Ok(Err(Panicked)) => {
                let reason = self.gate().state().unwrap_or(CloseReason::Stopped);
                Err(CallError::Closed(reason))
            }
            Err(_late) => Err(CallError::Cancelled),
        }
    }

    /// Begins the call; a panic of it ends this session and no other. The witness is opened before anything runs, and given the sector
    /// only here, so that a panic while that is read leaves a row too.
    fn begin(
        &self,
        call: Call,
        witness: &mut Witness,
    ) -> impl Future<Output = Result<Served, Panicked>> {
        let SessionServices { tools, board, .. } = &*self.services;
        CaughtWork::begin(
            || {
                witness.set_sector(tools.sector_of(&call));
                tools.serve(self.live.ticket.caller(), call)
            },
            |cause| self.live.crash(board, cause),
        )
    }

    fn entry(&self, call: &Call) -> AuditEntry {
        AuditEntry {
            user_id: Some(OPERATOR),
            agent_id: Some((&self.live.ticket.agent).into()),
            args: Some(SafeArgs::of(&call.arguments)),
            request_id: call.request_id.as_deref().map(CleanText::of),
            ..AuditEntry::unfinished(call.verb())
        }
    }
}
