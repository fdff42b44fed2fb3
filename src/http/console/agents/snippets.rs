//! How each client is told of the agent port (docs/operating.md#agents): `static/clients.json`, with this service's address put in.
//!
//! The key's place stays open: only the dialog that shows a key once can fill it. So does the public address until there is one.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::http::problem::{Code, Problem};
use crate::http::schema::{flag, object, one_of, text};

const CLIENTS: &str = include_str!("../../../../static/clients.json");

/// Where the address of the agent port belongs.
const AGENT_URL: &str = "<AGENT_URL>";

/// A client as the file has it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Client {
    client: String,
    kind: Kind,
    file: Option<String>,
    /// Its lines.
    text: Vec<String>,
    needs_public_url: bool,
}

#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Shell,
    Json,
    Code,
    Steps,
}

/// What the Console shows.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Snippet {
    client: String,
    kind: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    text: String,
    needs_public_url: bool,
}

/// The JSON Schema of a snippet.
pub fn schema() -> Value {
    object([
        ("client", text()),
        ("kind", one_of(&["shell", "json", "code", "steps"])),
        ("file?", text()),
        ("text", text()),
        ("needsPublicUrl", flag()),
    ])
}

/// All snippets for an agent port at this address.
///
/// # Errors
/// When the file cannot be read; a test holds that this never happens.
pub fn at(agent_url: &str) -> Result<Vec<Snippet>, Problem> {
    let clients: Vec<Client> = serde_json::from_str(CLIENTS)
        .map_err(|_| Problem::new(Code::Internal, "the list of clients cannot be read"))?;
    let shown = clients.into_iter().map(|client| Snippet {
        client: client.client,
        kind: client.kind,
        file: client.file,
        text: client.text.join("\n").replace(AGENT_URL, agent_url),
        needs_public_url: client.needs_public_url,
    });
    Ok(shown.collect())
}
