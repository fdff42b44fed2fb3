//! How sessions end after an edit of their grant, and all of them at stop: first every gate closes, so that nothing passes any more; what
//! had passed before is cleared from the agent's connections, while the actors stop; then the edit is answered.

use std::sync::Arc;

use actix::{Handler, Message, ResponseActFuture, WrapFuture as _};
use futures_util::future::{join, join_all};

use super::CloseReason;
use super::closing::ClosedSessions;
use super::registry::SessionRegistry;
use super::session::{Kill, LiveSession};
use crate::domain::AgentName;
use crate::limits::KILL_PATIENCE;
use crate::supervise::ask;

/// Ends the sessions of earlier epochs of these agents; answers how many (from the grants).
#[derive(Message)]
#[rtype(result = "usize")]
pub(super) struct KillAgents {
    pub(super) agents: Vec<AgentName>,
    pub(super) epoch: u64,
}

/// Ends all sessions and opens no more (at stop).
#[derive(Message)]
#[rtype(result = "usize")]
pub(super) struct KillAll;

impl Handler<KillAgents> for SessionRegistry {
    type Result = ResponseActFuture<Self, usize>;

    fn handle(&mut self, message: KillAgents, _: &mut Self::Context) -> Self::Result {
        let KillAgents { agents, epoch } = message;
        let outdated = {
            let mut table = self.published.lock();
            let outdated = agents.iter();
            let outdated = outdated.flat_map(|agent| table.take_outdated(agent, epoch));
            outdated.collect()
        };
        // The gates first: what has not passed by now never does. What has passed is cleared before the edit is answered.
        let closed = ClosedSessions::close(outdated, CloseReason::GrantChanged);
        let outlets = &self.services.outlets;
        let cleared = agents.into_iter().map(|agent| outlets.clear(agent, epoch));
        let cleared = join_all(cleared);
        let answer = async move {
            join(cleared, send_kills(closed.sessions())).await;
            closed.ended()
        };
        Box::pin(answer.into_actor(self))
    }
}

impl Handler<KillAll> for SessionRegistry {
    type Result = ResponseActFuture<Self, usize>;

    fn handle(&mut self, _: KillAll, _: &mut Self::Context) -> Self::Result {
        self.is_closing = true;
        let sessions = self.published.lock().take_all();
        let closed = ClosedSessions::close(sessions, CloseReason::Stopped);
        let answer = async move {
            send_kills(closed.sessions()).await;
            closed.ended()
        };
        Box::pin(answer.into_actor(self))
    }
}

/// Stops the actors, and waits up to `KILL_PATIENCE` for each to acknowledge it.
async fn send_kills(sessions: &[Arc<LiveSession>]) {
    let kills = sessions
        .iter()
        .map(|live| ask(&live.address, Kill, KILL_PATIENCE));
    join_all(kills).await;
}
