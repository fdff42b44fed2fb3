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

/// Ends an agent's sessions of earlier epochs; answers how many (from the grants).
#[derive(Message)]
#[rtype(result = "usize")]
pub(super) struct KillAgent {
    pub(super) agent: AgentName,
    pub(super) epoch: u64,
}

/// Ends all sessions and opens no more (at stop).
#[derive(Message)]
#[rtype(result = "usize")]
pub(super) struct KillAll;

impl Handler<KillAgent> for SessionRegistry {
    type Result = ResponseActFuture<Self, usize>;

    fn handle(&mut self, message: KillAgent, _: &mut Self::Context) -> Self::Result {
        let outdated = (self.published.lock()).take_outdated(&message.agent, message.epoch);
        // The gates first: what has not passed by now never does. What has passed is cleared before the edit is answered.
        let closed = ClosedSessions::close(outdated, CloseReason::GrantChanged);
        let cleared = self.services.outlets.clear(message.agent, message.epoch);
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
