//! `/api/sessions`: the live sessions (console S5).

use actix_web::web::{self, Json};
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sextant_actors::domain::{AgentName, PresentedAs};
use sextant_actors::sessions::{Era, SessionSummary};

use super::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::request::{self, FromQuery};
use crate::http::schema;

pub(super) const ENDPOINTS: &[Endpoint] = &[Endpoint::new(
    Verb::Get,
    "/api/sessions",
    "List the live sessions, of one agent or of all.",
    || web::to(list),
)
.takes_query(request::parameters::<SessionsQuery>)
.answers(&[endpoint::json(200, schema::answer::<SessionList>)])];

/// Whose sessions are listed.
#[derive(Deserialize, JsonSchema)]
struct SessionsQuery {
    /// The agent's name; all agents when left out.
    agent: Option<NameInQuery>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(try_from = "String")]
struct NameInQuery(#[schemars(with = "String")] AgentName);

impl TryFrom<String> for NameInQuery {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let name = name.parse().map_err(|fault| format!("{fault}"))?;
        Ok(Self(name))
    }
}

async fn list(
    parts: web::Data<Parts>,
    FromQuery(query): FromQuery<SessionsQuery>,
) -> Json<SessionList> {
    let agent = query.agent.map(|NameInQuery(name)| name);
    let live = parts.sessions.list(agent).await;
    Json(SessionList {
        sessions: live.into_iter().map(SessionView::of).collect(),
    })
}

#[derive(Serialize, JsonSchema)]
struct SessionList {
    sessions: Vec<SessionView>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SessionView {
    id: String,
    agent: String,
    client: ClientView,
    started_at: DateTime<Utc>,
    last_call_at: Option<DateTime<Utc>>,
    calls: u64,
    via: ViaWord,
    era: EraWord,
}

#[derive(Serialize, JsonSchema)]
struct ClientView {
    name: String,
    version: String,
}

/// The surface through which a session came.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum ViaWord {
    AgentPort,
    Bridge,
    ReadMirror,
}

/// The form of the protocol that a session speaks.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum EraWord {
    Legacy,
    Modern,
    Mirror,
}

impl ViaWord {
    /// The way to the agent port: with the key itself, or with a token for which it was shown at the bridge.
    const fn of(presented: PresentedAs) -> Self {
        match presented {
            PresentedAs::Key => Self::AgentPort,
            PresentedAs::Token => Self::Bridge,
        }
    }
}

impl SessionView {
    fn of(session: SessionSummary) -> Self {
        let (via, era) = match session.era {
            Era::Legacy => (ViaWord::of(session.presented), EraWord::Legacy),
            Era::Modern => (ViaWord::of(session.presented), EraWord::Modern),
            Era::Mirror => (ViaWord::ReadMirror, EraWord::Mirror),
        };
        Self {
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
}
