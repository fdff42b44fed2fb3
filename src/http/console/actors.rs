//! How the service's own parts fare (docs/operating.md#health), read from the status board: no actor is asked, so one that
//! hangs is shown too.

use actix_web::{HttpResponse, web};
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use sextant_actors::supervise::{ActorState, ActorStatus};
use uuid::Uuid;

use super::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::schema::{count, id, list as list_of, object, one_of, or_null, stamp, text};

const STATES: [ActorState; 5] = [
    ActorState::Running,
    ActorState::Restarting,
    ActorState::Parked,
    ActorState::Stopped,
    ActorState::Failed,
];

pub(super) const ENDPOINTS: &[Endpoint] = &[Endpoint::new(
    Verb::Get,
    "/api/actors",
    "How the service's own parts fare: their state, crashes and restarts.",
    || web::to(list),
)
.answers(&[endpoint::json(200, actors)])];

fn actors() -> Value {
    let actor = object([
        ("id", text()),
        ("kind", text()),
        ("connectionId", or_null(id())),
        ("state", one_of(&STATES.map(word))),
        ("restarts", count()),
        ("crashes", count()),
        ("lastError", or_null(text())),
        ("since", stamp()),
    ]);
    object([("actors", list_of(actor))])
}

/// One actor, or all sessions together: those are many and short-lived, never restarted, and leave only their crashes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ActorView {
    id: String,
    kind: String,
    /// For the actor of one connection.
    connection_id: Option<Uuid>,
    state: &'static str,
    restarts: u64,
    crashes: u64,
    last_error: Option<String>,
    since: DateTime<Utc>,
}

async fn list(parts: web::Data<Parts>) -> HttpResponse {
    let actors: Vec<_> = parts.board.read().into_iter().map(view).collect();
    HttpResponse::Ok().json(serde_json::json!({ "actors": actors }))
}

fn view(actor: ActorStatus) -> ActorView {
    let kind = actor.name.replace(' ', "-");
    ActorView {
        // There is one of each kind.
        id: kind.clone(),
        kind,
        connection_id: None,
        state: word(actor.state),
        restarts: actor.restarts,
        crashes: actor.crashes,
        last_error: actor.last_error,
        since: actor.since,
    }
}

const fn word(state: ActorState) -> &'static str {
    match state {
        ActorState::Running => "running",
        ActorState::Restarting => "restarting",
        ActorState::Parked => "parked",
        ActorState::Stopped => "stopped",
        ActorState::Failed => "failed",
    }
}
