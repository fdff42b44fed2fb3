use actix_web::web::{self, Json};
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::schema;
use crate::store::{audit_hourly, settings};

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/onboarding",
    "Which of the first steps are done: a connection, an agent, an agent's first call.",
    || web::to(show),
)
.answers(&[endpoint::json(200, schema::answer::<Onboarding>)])
.refuses(&[Code::Internal, Code::Unavailable]);

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Onboarding {
    /// Whether every step is.
    done: bool,
    /// Whether the operator has dismissed them.
    dismissed: bool,
    steps: Vec<Step>,
    /// When a client was last refused for its key, if that was after the newest agent was made and no agent has called since.
    refused_key_since: Option<DateTime<Utc>>,
}

#[derive(Serialize, JsonSchema)]
struct Step {
    id: StepName,
    done: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum StepName {
    /// A connection that is not removed.
    Source,
    /// An agent.
    Agent,
    /// A call that any agent was allowed.
    Call,
}

async fn show(parts: web::Data<Parts>) -> Result<Json<Onboarding>, Problem> {
    let grants = parts.grants.list();
    let newest = grants.iter().map(|grant| grant.created_at).max();
    let first_call = audit_hourly::first_call(&parts.pool, newest).await?;
    let steps = [
        (StepName::Source, !parts.connections.snapshot().is_empty()),
        (StepName::Agent, !grants.is_empty()),
        (StepName::Call, first_call.is_made),
    ];
    Ok(Json(Onboarding {
        done: steps.iter().all(|(_, done)| *done),
        dismissed: settings::is_onboarding_dismissed(&parts.pool).await?,
        steps: steps.map(|(id, done)| Step { id, done }).into(),
        refused_key_since: first_call.refused_at,
    }))
}
