//! View as agent (docs/operating.md#asking-as-the-operator): a call as the agent would make it, under its very grant, with its very
//! answer. It takes the path of the agent's own calls from the tool service on; what lies before it, the session and the record, knows
//! nothing of it (r109).

use actix_web::web;
use serde_json::{Map, Value, json};
use sextant_actors::domain::{Call, Tool};

use super::{Answer, Parts, named, not_found};
use crate::http::body::Fields;
use crate::http::console::inspector;
use crate::http::problem::{Code, Problem};
use crate::http::schema::{any, object, one_of};

/// What can be looked at; the other two act.
const SHOWN: [Tool; 5] = [
    Tool::DescribeContext,
    Tool::GetSchema,
    Tool::Query,
    Tool::GetRecord,
    Tool::ListActions,
];

/// What a preview is sent.
pub(super) fn schema() -> Value {
    object([
        ("tool", one_of(&SHOWN.map(Tool::name))),
        ("arguments?", any()),
    ])
}

pub(super) async fn preview(
    parts: web::Data<Parts>,
    name: web::Path<String>,
    body: Fields,
) -> Answer {
    let call = parse(body)?;
    let grant = parts.grants.get(&named(&name)?).ok_or_else(not_found)?;
    grant.check(parts.clock.now()).map_err(|refusal| {
        Problem::new(Code::Forbidden, format!("the key is refused: {refusal}"))
    })?;
    inspector::respond(parts.tools.serve(grant.caller(), call).await)
}

fn parse(mut body: Fields) -> Result<Call, Problem> {
    let tool = body.take("tool");
    let arguments = body.take("arguments");
    body.finish(&["tool", "arguments"])?;
    let tool = tool
        .as_ref()
        .and_then(Value::as_str)
        .and_then(|name| SHOWN.into_iter().find(|tool| tool.name() == name))
        .ok_or_else(not_shown)?;
    Ok(Call {
        tool: tool.name().to_owned(),
        arguments: arguments.unwrap_or_else(|| json!(Map::new())),
        request_id: None,
    })
}

fn not_shown() -> Problem {
    let names = SHOWN.map(Tool::name).join(", ");
    Problem::invalid(
        "tool",
        format!("send one of {names}; the other two tools act, and have no preview"),
    )
}
