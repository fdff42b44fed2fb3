use actix_web::web::{self, Json};
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use sextant_actors::supervise::{ActorState, ActorStatus};
use sextant_actors::sync::SyncHandle;
use uuid::Uuid;

use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::schema;

/// The kind of the actors that read a connection each.
const CONNECTION: &str = "connection";

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/actors",
    "How the service's own parts fare: their state, crashes and restarts.",
    || web::to(list),
)
.answers(&[endpoint::json(200, schema::answer::<ActorList>)]);

async fn list(parts: web::Data<Parts>) -> Json<ActorList> {
    let actors = parts.board.read().into_iter().map(ActorView::of);
    Json(ActorList {
        actors: actors.collect(),
    })
}

#[derive(Serialize, JsonSchema)]
struct ActorList {
    actors: Vec<ActorView>,
}

/// One actor, or all sessions together: they are many, short-lived and never restarted, so only their crashes are counted.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ActorView {
    id: String,
    kind: String,
    /// For the actor of one connection.
    connection_id: Option<Uuid>,
    state: ActorStateWord,
    /// After a crash, or because somebody asked for it.
    restarts: u64,
    crashes: u64,
    last_error: Option<String>,
    since: DateTime<Utc>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ActorStateWord {
    Running,
    Restarting,
    Parked,
    Stopped,
    Failed,
}

impl ActorView {
    fn of(actor: ActorStatus) -> Self {
        let connection_id = SyncHandle::connection_of(&actor.name);
        Self {
            id: actor.id(),
            // There is one of each other kind.
            kind: connection_id.map_or_else(|| actor.id(), |_| CONNECTION.to_owned()),
            connection_id,
            state: actor.state.into(),
            restarts: actor.restarts,
            crashes: actor.crashes,
            last_error: actor.last_error,
            since: actor.since,
        }
    }
}

impl From<ActorState> for ActorStateWord {
    fn from(state: ActorState) -> Self {
        match state {
            ActorState::Running => Self::Running,
            ActorState::Restarting => Self::Restarting,
            ActorState::Parked => Self::Parked,
            ActorState::Stopped => Self::Stopped,
            ActorState::Failed => Self::Failed,
        }
    }
}
