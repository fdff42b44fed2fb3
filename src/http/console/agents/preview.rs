//! View as agent (docs/operating.md#asking-as-the-operator): a call as the agent would make it, under its grant, with the same
//! answer. It takes the path of the agent's own calls from the tool service on; what lies before it, the session and the audit log, know
//! nothing of it (r109).

use actix_web::{HttpResponse, web};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sextant_actors::domain::{Call, Tool};

use super::by_name::find;
use crate::http::console::{Parts, inspector};
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::FromBody;
use crate::http::tool_answers;
use crate::http::{schema, tool_result};

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/agents/{name}/preview",
    "View as agent: what a call of its would get. Not recorded.",
    || web::to(preview),
)
.takes_body(RequestBody::Required(schema::request::<PreviewedCall>))
.answers(&[endpoint::json(200, tool_answers::preview)])
.refuses(tool_result::CODES);

/// A call, as the agent would make it.
#[derive(Deserialize, JsonSchema)]
struct PreviewedCall {
    tool: PreviewedTool,
    arguments: Option<Value>,
}

/// The tools that only read; the other two act.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(try_from = "Option<Value>")]
#[schemars(!try_from, rename_all = "snake_case")]
enum PreviewedTool {
    DescribeContext,
    GetSchema,
    Query,
    GetRecord,
    ListActions,
}

impl PreviewedTool {
    const ALL: [Self; 5] = [
        Self::DescribeContext,
        Self::GetSchema,
        Self::Query,
        Self::GetRecord,
        Self::ListActions,
    ];

    const fn tool(self) -> Tool {
        match self {
            Self::DescribeContext => Tool::DescribeContext,
            Self::GetSchema => Tool::GetSchema,
            Self::Query => Tool::Query,
            Self::GetRecord => Tool::GetRecord,
            Self::ListActions => Tool::ListActions,
        }
    }
}

impl TryFrom<Option<Value>> for PreviewedTool {
    type Error = String;

    fn try_from(sent: Option<Value>) -> Result<Self, String> {
        let name = sent.as_ref().and_then(Value::as_str);
        let known = Self::ALL.into_iter();
        let mut named = known.filter(|known| Some(known.tool().name()) == name);
        named.next().ok_or_else(|| {
            let names = Self::ALL.map(|known| known.tool().name()).join(", ");
            format!("send one of {names}; the other two tools act, and have no preview")
        })
    }
}

async fn preview(
    parts: web::Data<Parts>,
    name: web::Path<String>,
    FromBody(sent): FromBody<PreviewedCall>,
) -> Result<HttpResponse, Problem> {
    let grant = find(&parts, &name)?;
    grant.check(parts.clock.now()).map_err(|refusal| {
        Problem::new(Code::Forbidden, format!("the key is refused: {refusal}"))
    })?;
    let call = Call {
        tool: sent.tool.tool().name().to_owned(),
        arguments: sent.arguments.unwrap_or_else(|| json!(Map::new())),
        request_id: None,
    };
    inspector::respond(parts.tools.serve(grant.caller(), call).await)
}
