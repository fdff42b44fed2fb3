//! The live sessions (console S5).

use actix_web::{HttpRequest, HttpResponse, web};
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use sextant_actors::sessions::{Era, SessionSummary};

use super::Parts;
use crate::http::endpoint::{self, Endpoint, Parameter, Verb};
use crate::http::problem::Problem;
use crate::http::query_string::Parameters;
use crate::http::schema::{count, list as list_of, object, one_of, or_null, stamp, text};

pub(super) const ENDPOINTS: &[Endpoint] = &[Endpoint::new(
    Verb::Get,
    "/api/sessions",
    "List the live sessions, of one agent or of all.",
    || web::to(list),
)
.asks(|| {
    vec![Parameter::new(
        "agent",
        "The agent's name; all agents when left out.",
        text(),
    )]
})
.answers(&[endpoint::json(200, sessions)])];

fn sessions() -> Value {
    let session = object([
        ("id", text()),
        ("agent", text()),
        ("client", object([("name", text()), ("version", text())])),
        ("startedAt", stamp()),
        ("lastCallAt", or_null(stamp())),
        ("calls", count()),
        ("via", one_of(&["agent-port", "read-mirror"])),
        ("era", one_of(&["legacy", "modern", "mirror"])),
    ]);
    object([("sessions", list_of(session))])
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SessionView {
    id: String,
    agent: String,
    client: ClientView,
    started_at: DateTime<Utc>,
    last_call_at: Option<DateTime<Utc>>,
    calls: u64,
    via: &'static str,
    era: &'static str,
}

#[derive(Serialize)]
struct ClientView {
    name: String,
    version: String,
}

async fn list(parts: web::Data<Parts>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let agent = Parameters::of(&request, &["agent"])?
        .take("agent")
        .map(|name| name.parse())
        .transpose()
        .map_err(|fault| Problem::invalid("agent", format!("{fault}")))?;
    let live = parts.sessions.list(agent).await;
    let sessions: Vec<_> = live.into_iter().map(view).collect();
    Ok(HttpResponse::Ok().json(serde_json::json!({ "sessions": sessions })))
}

fn view(session: SessionSummary) -> SessionView {
    let (via, era) = match session.era {
        Era::Legacy => ("agent-port", "legacy"),
        Era::Modern => ("agent-port", "modern"),
        Era::Mirror => ("read-mirror", "mirror"),
    };
    SessionView {
        id: session.id.as_str().to_owned(),
        agent: session.agent.to_string(),
        client: ClientView {
            name: session.client.name,
            version: session.client.version,
        },
        started_at: session.started_at,
        last_call_at: session.last_call_at,
        calls: session.calls,
        via,
        era,
    }
}
