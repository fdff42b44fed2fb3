//! The live sessions (console S5).

use actix_web::{HttpRequest, HttpResponse, web};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sextant_actors::sessions::{Era, SessionSummary};

use super::Parts;
use crate::http::problem::Problem;
use crate::http::query_string::Parameters;

/// Mounts `/api/sessions`.
pub fn configure(routes: &mut web::ServiceConfig) {
    routes.route("/sessions", web::get().to(list));
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
