//! How each client is set up for the agent port (docs/operating.md#agents): `static/clients.json`, with this service's address put in.
//!
//! The key stays a placeholder: only the dialog that shows a key once can fill it in. So does the public address until there is one.

use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::by_name::find;
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::schema;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/agents/{name}/snippets",
    "How each client is told of the agent port.",
    || web::to(list),
)
.answers(&[endpoint::json(200, schema::answer::<SnippetList>)])
.refuses(&[Code::Internal]);

const CLIENTS: &str = include_str!("../../../../static/clients.json");

/// The placeholders of the agent port's address here, and elsewhere.
const AGENT_URL: &str = "<AGENT_URL>";
const PUBLIC_URL: &str = "<PUBLIC_URL>";

/// The same for every agent: none of them knows a key.
async fn list(
    parts: web::Data<Parts>,
    name: web::Path<String>,
) -> Result<Json<SnippetList>, Problem> {
    find(&parts, &name)?;
    let public = parts.bridge.exposure().address();
    let public_url = public.map(|address| address.agent_url());
    let snippets = snippets_for(&parts.agent_url, public_url.as_deref())?;
    Ok(Json(SnippetList { snippets }))
}

#[derive(Serialize, JsonSchema)]
struct SnippetList {
    snippets: Vec<Snippet>,
}

/// An entry of the file.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ClientEntry {
    client: String,
    kind: SnippetKind,
    file: Option<String>,
    /// Its lines.
    text: Vec<String>,
    needs_public_url: bool,
}

#[derive(Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum SnippetKind {
    Shell,
    Json,
    Code,
    Steps,
}

/// What the Console shows.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Snippet {
    client: String,
    kind: SnippetKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    text: String,
    needs_public_url: bool,
}

/// All snippets for an agent port at this address, and at a public one if there is one.
///
/// # Errors
/// When the file cannot be read; a test holds that this never happens.
fn snippets_for(agent_url: &str, public_url: Option<&str>) -> Result<Vec<Snippet>, Problem> {
    let public_url = public_url.unwrap_or(PUBLIC_URL);
    let clients: Vec<ClientEntry> = serde_json::from_str(CLIENTS)
        .map_err(|_| Problem::new(Code::Internal, "the list of clients cannot be read"))?;
    let shown = clients.into_iter().map(|client| Snippet {
        client: client.client,
        kind: client.kind,
        file: client.file,
        text: filled(&client.text, agent_url, public_url),
        needs_public_url: client.needs_public_url,
    });
    Ok(shown.collect())
}

fn filled(lines: &[String], agent_url: &str, public_url: &str) -> String {
    let text = lines.join("\n").replace(AGENT_URL, agent_url);
    text.replace(PUBLIC_URL, public_url)
}
