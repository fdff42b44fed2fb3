use actix_web::{HttpResponse, web};
use serde_json::json;
use sextant_actors::domain::Tool;

use crate::http::console::Parts;
use crate::http::console::inspector::answer;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::Problem;
use crate::http::{tool_answers, tool_result};

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/operator/context",
    "The present time and zone, and how fresh each source is. Not recorded.",
    || web::to(context),
)
.answers(&[endpoint::json(200, tool_answers::context)])
.refuses(tool_result::CODES);

async fn context(parts: web::Data<Parts>) -> Result<HttpResponse, Problem> {
    answer(&parts, Tool::DescribeContext, json!({})).await
}
