//! The operator's own calls: under all six sectors, through the very tool service that agents' calls go through. No session, and no row
//! unless the route leaves one itself (r109).

use actix_web::HttpResponse;
use serde_json::Value;
use sextant_actors::domain::{Call, Caller, OPERATOR, SectorSet, Served, Tool};

use super::Parts;
use crate::http::problem::Problem;
use crate::http::tool_result;

/// The operator, who holds everything.
fn operator() -> Caller {
    Caller {
        user: OPERATOR,
        agent: None,
        sectors: SectorSet::ALL,
        expires_at: None,
    }
}

/// What the tool service makes of the operator's call.
pub(super) async fn ask(parts: &Parts, tool: Tool, arguments: Value) -> Served {
    let call = Call {
        tool: tool.name().to_owned(),
        arguments,
        request_id: None,
    };
    parts.tools.serve(operator(), call).await
}

/// The operator's call, answered.
pub(super) async fn answer(
    parts: &Parts,
    tool: Tool,
    arguments: Value,
) -> Result<HttpResponse, Problem> {
    respond(ask(parts, tool, arguments).await)
}

/// What became of a call, as it is answered.
pub(super) fn respond(served: Served) -> Result<HttpResponse, Problem> {
    let json = tool_result::result(served)?;
    Ok(HttpResponse::Ok()
        .content_type("application/json")
        .body(json))
}
