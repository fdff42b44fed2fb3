//! The tools that the suite calls by name, behind the same adapter as the product's tools.
//!
//! Only fixtures that a server can have which offers tools and answers in text. The suite's others (images, prompts,
//! requests to the client) would test another kind of server.

use std::sync::Arc;

use rmcp::model::Tool;
use serde_json::{Map, Value, json};
use sextant::http::mcp::tools;
use sextant_actors::domain::{
    AnswerHold, Call, Caller, Decision, EscapedText, Outcome, Reply, Sector, Served,
};
use sextant_actors::ports::{PortFuture, ToolCalls};

use crate::mcp::support::TestToolService;

struct Fixture {
    name: &'static str,
    schema: fn() -> Value,
    reply: fn() -> Reply,
}

const FIXTURES: [Fixture; 6] = [
    Fixture {
        name: "test_simple_text",
        schema: no_arguments,
        reply: || {
            Reply::Answer(EscapedText::of(
                "This is a simple text response for testing.",
            ))
        },
    },
    Fixture {
        name: "test_error_handling",
        schema: no_arguments,
        reply: || Reply::Fault("This tool intentionally returns an error for testing".to_owned()),
    },
    Fixture {
        name: "json_schema_2020_12_tool",
        schema: schema_2020_12,
        reply: || Reply::Answer(EscapedText::of("{}")),
    },
    // The suite checks that nothing is logged for this one, and that its stream sends the client no requests.
    Fixture {
        name: "test_logging_tool",
        schema: no_arguments,
        reply: || Reply::Answer(EscapedText::of("done, and not a word of it logged")),
    },
    Fixture {
        name: "test_streaming_elicitation",
        schema: no_arguments,
        reply: || Reply::Answer(EscapedText::of("done, and nothing asked")),
    },
    Fixture {
        name: "test_mirrored_argument",
        schema: mirrored_argument,
        reply: || Reply::Answer(EscapedText::of("both say the same")),
    },
];

/// The names of all fixtures.
pub fn names() -> impl Iterator<Item = &'static str> {
    FIXTURES.iter().map(|fixture| fixture.name)
}

/// The product's tools, followed by the fixtures.
pub fn with_fixtures() -> Vec<Tool> {
    let fixtures = FIXTURES.iter().map(|fixture| {
        let schema: Map<String, Value> = serde_json::from_value((fixture.schema)()).unwrap();
        Tool::new(fixture.name, "A fixture of the conformance suite.", schema)
    });
    tools::all().into_iter().chain(fixtures).collect()
}

/// Serves the fixtures, and passes all other calls to the tool service behind it.
pub struct FixtureToolService(pub Arc<TestToolService>);

impl ToolCalls for FixtureToolService {
    fn sector_of(&self, call: &Call) -> Option<Sector> {
        self.0.sector_of(call)
    }

    fn serve(&self, caller: Caller, call: Call) -> PortFuture<Served> {
        let Some(fixture) = FIXTURES.iter().find(|fixture| fixture.name == call.tool) else {
            return self.0.serve(caller, call);
        };
        let served = Served {
            decision: Decision::Allow,
            outcome: Some(Outcome::Ok),
            sector: None,
            count: None,
            reply: (fixture.reply)(),
            hold: AnswerHold::default(),
        };
        Box::pin(async move { served })
    }
}

fn no_arguments() -> Value {
    json!({ "type": "object", "additionalProperties": false })
}

fn mirrored_argument() -> Value {
    let region = json!({ "type": "string", "x-mcp-header": "Region" });
    json!({ "type": "object", "properties": { "region": region }, "required": ["region"] })
}

/// A schema whose every keyword the suite expects in `tools/list`.
fn schema_2020_12() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": { "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
        }},
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}
