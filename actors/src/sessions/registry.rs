//! The registry: the one actor that opens sessions (`opening.rs`), ends those of an edited grant (`kill.rs`), and here those that are
//! idle or expired.

use std::collections::BTreeMap;
use std::sync::Arc;

use actix::{Actor, AsyncContext as _, Context, Handler, Message, Supervised, WrapFuture as _};
use actix_rt::ArbiterHandle;
use chrono::TimeDelta;

use super::published::PublishedSessions;
use super::resumable::ResumableSessions;
use super::session::{LiveSession, SessionServices};
use super::{CloseReason, Era, SessionSummary};
use crate::domain::AgentName;
use crate::limits::{SWEEP_INTERVAL, TreeLimits};
use crate::supervise::RestartToll;

/// The live sessions (for the Console).
#[derive(Message)]
#[rtype(result = "Vec<SessionSummary>")]
pub(super) struct List {
    pub(super) agent: Option<AgentName>,
}

/// The actor. After its own restart it ends every session it still has: its table may be wrong.
pub(crate) struct SessionRegistry {
    pub(super) published: Arc<PublishedSessions>,
    pub(super) resumable: ResumableSessions,
    pub(super) services: Arc<SessionServices>,
    /// Where the actors of sessions live.
    pub(super) thread: ArbiterHandle,
    pub(super) per_agent_max: usize,
    idle_max: TimeDelta,
    /// No more sessions are opened.
    pub(super) is_closing: bool,
    /// How many sessions ended with the latest restart.
    toll: RestartToll,
}

impl SessionRegistry {
    pub(crate) fn new(
        services: SessionServices,
        published: Arc<PublishedSessions>,
        thread: ArbiterHandle,
        limits: &TreeLimits,
        toll: RestartToll,
    ) -> Self {
        Self {
            services: Arc::clone(published.set_services(services)),
            published,
            resumable: ResumableSessions::new(),
            thread,
            per_agent_max: limits.sessions_per_agent_max,
            // A duration beyond chrono's means never.
            idle_max: TimeDelta::from_std(limits.session_idle_max).unwrap_or(TimeDelta::MAX),
            is_closing: false,
            toll,
        }
    }

    /// Ends a session; one that was only idle may be resumed.
    pub(super) fn end(&mut self, live: &LiveSession, reason: CloseReason) {
        if live.end(reason) && reason == CloseReason::Idle && live.era == Era::Legacy {
            self.resumable
                .note_idle_end(live.id.clone(), &live.ticket.agent);
        }
    }

    /// Ends every session without waiting for it; how many were live.
    fn abandon(&self) -> usize {
        let mut table = self.published.lock();
        let all = table.take_all().into_iter();
        all.filter(|live| live.end(CloseReason::Stopped)).count()
    }

    /// Ends idle sessions and those whose deadline has passed, by the wall clock; what those have handed out is cleared as after an edit.
    fn sweep(&mut self, context: &mut Context<Self>) {
        let published = Arc::clone(&self.published);
        let mut table = published.lock();
        let mut expired = BTreeMap::new();
        for (live, reason) in table.due(self.services.clock.now(), self.idle_max) {
            self.end(&live, reason);
            if reason == CloseReason::GrantChanged {
                expired.insert(live.ticket.agent.clone(), live.ticket.epoch + 1);
            }
        }
        table.prune_all();
        for (agent, epoch) in expired {
            context.spawn(self.services.outlets.clear(agent, epoch).into_actor(self));
        }
    }
}

impl Actor for SessionRegistry {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.run_interval(SWEEP_INTERVAL, SessionRegistry::sweep);
    }
}

impl Supervised for SessionRegistry {
    fn restarting(&mut self, _: &mut Self::Context) {
        self.toll.note(self.abandon());
        self.published.recover();
    }
}

impl Drop for SessionRegistry {
    /// Ends every session when the registry is given up: nobody else could.
    fn drop(&mut self) {
        self.abandon();
    }
}

impl Handler<List> for SessionRegistry {
    type Result = actix::MessageResult<List>;

    fn handle(&mut self, message: List, _: &mut Self::Context) -> Self::Result {
        actix::MessageResult(self.published.lock().list(message.agent.as_ref()))
    }
}
