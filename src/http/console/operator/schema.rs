use actix_web::{HttpResponse, web};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use sextant_actors::domain::Tool;

use crate::http::console::Parts;
use crate::http::console::inspector::answer;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::Problem;
use crate::http::request::{self, FromQuery};
use crate::http::{tool_answers, tool_result};

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/operator/schema",
    "The tables of all sectors, of one, or one table. Not recorded.",
    || web::to(schema),
)
.takes_query(request::parameters::<SchemaQuery>)
.answers(&[endpoint::json(200, tool_answers::schema)])
.refuses(tool_result::CODES);

/// Which tables are described.
#[derive(Deserialize, JsonSchema)]
struct SchemaQuery {
    /// A sector or sector.table; all sectors when left out.
    target: Option<String>,
}

async fn schema(
    parts: web::Data<Parts>,
    FromQuery(query): FromQuery<SchemaQuery>,
) -> Result<HttpResponse, Problem> {
    answer(&parts, Tool::GetSchema, json!({ "target": query.target })).await
}
