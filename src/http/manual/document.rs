use serde_json::{Map, Value, json};

use super::operation;
use crate::http::endpoint::Endpoint;

const ABOUT: &str = "Everything that Sextant serves on the Console port. Agents speak MCP on the other port; \
the routes under /api/read carry their five reading tools to plain HTTP. Whatever can be read with GET can be asked about with HEAD.";

/// The OpenAPI 3.1 document of these routes.
pub(super) fn of(endpoints: &[Endpoint]) -> Value {
    let mut paths = Map::new();
    for endpoint in endpoints {
        let path = paths.entry(endpoint.path).or_insert_with(|| json!({}));
        if let Some(operations) = path.as_object_mut() {
            let verb = endpoint.verb.name().to_ascii_lowercase();
            operations.insert(verb, operation::of(endpoint));
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Sextant",
            "version": env!("CARGO_PKG_VERSION"),
            "description": ABOUT,
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "paths": paths,
        "components": { "securitySchemes": schemes() },
    })
}

fn schemes() -> Value {
    json!({
        operation::AGENT_KEY: {
            "type": "http",
            "scheme": "bearer",
            "description": "The key of an agent.",
        },
        operation::PUSH_SECRET: {
            "type": "http",
            "scheme": "bearer",
            "description": "The secret of the connection that the path names.",
        },
        operation::PUSH_SECRET_HEADER: {
            "type": "apiKey",
            "in": "header",
            "name": "X-PCI-Webhook-Secret",
            "description": "The same secret, for devices that cannot set Authorization.",
        },
    })
}
