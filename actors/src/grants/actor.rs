use std::sync::Arc;

use actix::{
    Actor, ActorFutureExt as _, AsyncContext as _, Context, Handler, Message, ResponseActFuture,
    Supervised, WrapFuture as _,
};

use super::claim::Claim;
use super::edit::{AllRevoked, EditError, Edited};
use super::editor::Editor;
use crate::clock::Clock;
use crate::domain::AgentName;
use crate::ports::{GrantChange, GrantStore};
use crate::published_grants::PublishedGrants;
use crate::sessions::SessionsHandle;

/// Changes one agent's grant (from the Console).
#[derive(Message)]
#[rtype(result = "Result<Edited, EditError>")]
pub(super) struct Edit {
    pub(super) agent: AgentName,
    pub(super) change: GrantChange,
    pub(super) claim: Claim,
}

/// Revokes every agent (from the Console).
#[derive(Message)]
#[rtype(result = "Result<AllRevoked, EditError>")]
pub(super) struct RevokeAll {
    pub(super) claim: Claim,
}

/// Ends the sessions of one agent or of all, and leaves the grants as they are (from the Console, and from the OAuth bridge).
#[derive(Message)]
#[rtype(result = "Result<usize, EditError>")]
pub(super) struct EndSessions {
    pub(super) only: Option<AgentName>,
}

/// Reads the grant of an agent that is in doubt (from a handle that lost an answer).
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Restore {
    pub(super) agent: AgentName,
}

/// Reads the grants of agents that are in doubt because somebody else wrote them (an import).
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct ReloadGrants {
    pub(super) agents: Vec<AgentName>,
}

/// The only writer of grants, except for an import into an empty store. It loads all grants before it takes messages, and again after
/// a restart; requests go on reading the last snapshot meanwhile.
pub(crate) struct GrantsActor {
    editor: Arc<Editor>,
}

impl GrantsActor {
    pub(crate) fn new(
        store: Arc<dyn GrantStore>,
        published: Arc<PublishedGrants>,
        sessions: SessionsHandle,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            editor: Arc::new(Editor::new(store, published, sessions, clock)),
        }
    }

    fn restore(&self, agent: AgentName, context: &mut Context<Self>) {
        context.spawn(Arc::clone(&self.editor).restore(agent).into_actor(self));
    }
}

impl Actor for GrantsActor {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.wait(Arc::clone(&self.editor).load().into_actor(self));
    }
}

impl Supervised for GrantsActor {}

impl Handler<Edit> for GrantsActor {
    type Result = ResponseActFuture<Self, Result<Edited, EditError>>;

    fn handle(&mut self, message: Edit, _: &mut Self::Context) -> Self::Result {
        let Edit {
            agent,
            change,
            claim,
        } = message;
        let edit = Arc::clone(&self.editor).edit(agent.clone(), change, claim);
        Box::pin(edit.into_actor(self).map(|edited, grants, context| {
            if matches!(edited, Err(EditError::FateUnknown)) {
                grants.restore(agent, context);
            }
            edited
        }))
    }
}

impl Handler<RevokeAll> for GrantsActor {
    type Result = ResponseActFuture<Self, Result<AllRevoked, EditError>>;

    fn handle(&mut self, message: RevokeAll, _: &mut Self::Context) -> Self::Result {
        let revoke = Arc::clone(&self.editor).revoke_all(message.claim);
        Box::pin(revoke.into_actor(self).map(|revoked, grants, context| {
            if matches!(revoked, Err(EditError::FateUnknown)) {
                for agent in grants.editor.published.in_doubt() {
                    grants.restore(agent, context);
                }
            }
            revoked
        }))
    }
}

impl Handler<EndSessions> for GrantsActor {
    type Result = ResponseActFuture<Self, Result<usize, EditError>>;

    fn handle(&mut self, message: EndSessions, _: &mut Self::Context) -> Self::Result {
        let editor = Arc::clone(&self.editor);
        Box::pin(editor.end_sessions(message.only).into_actor(self))
    }
}

impl Handler<Restore> for GrantsActor {
    type Result = ();

    fn handle(&mut self, message: Restore, context: &mut Self::Context) {
        self.restore(message.agent, context);
    }
}

impl Handler<ReloadGrants> for GrantsActor {
    type Result = ResponseActFuture<Self, ()>;

    fn handle(&mut self, message: ReloadGrants, _: &mut Self::Context) -> Self::Result {
        let editor = Arc::clone(&self.editor);
        let restored = async move {
            for agent in message.agents {
                Arc::clone(&editor).restore(agent).await;
            }
        };
        Box::pin(restored.into_actor(self))
    }
}
