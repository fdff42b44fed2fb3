//! The operator's own calls: with all six sectors, through the tool service that serves agents' calls. They have no session, and leave no
//! audit row unless the route writes one itself (r109).

use actix_web::HttpResponse;
use serde_json::Value;
use sextant_actors::domain::{Call, Caller, OPERATOR, SectorSet, Served, Tool};

use super::Parts;
use crate::http::problem::Problem;
use crate::http::tool_result;

/// The operator as a caller: all sectors, no deadline.
fn operator() -> Caller {
    Caller {
        user: OPERATOR,
        agent: None,
        sectors: SectorSet::ALL,
        expires_at: None,
    }
}

/// Has the tool service serve a call of the operator.
pub(super) async fn ask(parts: &Parts, tool: Tool, arguments: Value) -> Served {
    let call = Call {
        tool: tool.name().to_owned(),
        arguments,
        request_id: None,
    };
    parts.tools.serve(operator(), call).await
}

/// Serves a call of the operator and answers with its result.
///
/// # Errors
/// As [`respond`].
pub(super) async fn answer(
    parts: &Parts,
    tool: Tool,
    arguments: Value,
) -> Result<HttpResponse, Problem> {
    respond(ask(parts, tool, arguments).await)
}

/// The answer to a call that was served.
///
/// # Errors
/// The refusal or the fault.
pub(super) fn respond(served: Served) -> Result<HttpResponse, Problem> {
    let json = tool_result::result(served)?;
    Ok(HttpResponse::Ok()
        .content_type("application/json")
        .body(json))
}
