use actix_web::http::StatusCode;
use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Serialize;
use sextant_actors::supervise::RestartRefusal;

use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, NoFields};
use crate::http::schema;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/actors/{id}/restart",
    "Restart one part of the service; the others go on.",
    || web::to(restart),
)
.answers(&[endpoint::json(202, schema::answer::<RestartedActor>)])
.refuses(&[Code::Conflict, Code::Unavailable]);

async fn restart(
    parts: web::Data<Parts>,
    id: web::Path<String>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<(Json<RestartedActor>, StatusCode), Problem> {
    let sessions_ended = parts.board.restart(&id).await.map_err(problem)?;
    let id = id.into_inner();
    Ok((
        Json(RestartedActor { id, sessions_ended }),
        StatusCode::ACCEPTED,
    ))
}

/// What restarts, and what that ended. It takes messages again when it has loaded what it needs.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct RestartedActor {
    id: String,
    /// How many live sessions ended with it; null for a part that holds none.
    sessions_ended: Option<usize>,
}

fn problem(refusal: RestartRefusal) -> Problem {
    let (code, message) = match refusal {
        RestartRefusal::Unknown => (
            Code::NotFound,
            "no part of the service has this id; GET /api/actors lists them",
        ),
        RestartRefusal::Temporary => (
            Code::Conflict,
            "sessions are many and are never restarted: restart session-registry to end them all, or revoke an agent to end its own",
        ),
        RestartRefusal::NotRunning => (
            Code::Conflict,
            "it does not run now: wait until it does, or start the service again; GET /api/actors shows its state",
        ),
        RestartRefusal::AlreadyAsked => (
            Code::Conflict,
            "it has been asked to restart already and has not yet; GET /api/actors shows when it has",
        ),
        RestartRefusal::Lost => (
            Code::Unavailable,
            "it crashed or ended before it had restarted; GET /api/actors shows its state",
        ),
        RestartRefusal::Late => (
            Code::Unavailable,
            "it is busy and restarts as soon as it can; GET /api/actors shows when it has",
        ),
    };
    Problem::new(code, message)
}
