//! `/api/operator`: what the operator's own calls read, and the one of them that leaves a row in the audit: a live fetch, which asks a
//! source and changes what is stored (r041, r042).

use actix_web::{HttpResponse, web};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use sextant_actors::audit::AuditHandle;
use sextant_actors::domain::{Outcome, Sector, Served, Tool};
use sextant_actors::journal::JournalAck;

use super::Parts;
use super::inspector::{answer, ask, respond};
use crate::http::arguments::Arguments;
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::Problem;
use crate::http::request::{self, FromQuery};
use crate::http::tool_answers;
use crate::http::tool_requests;
use crate::http::tool_result;

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::new(
        Verb::Get,
        "/api/operator/context",
        "The present time and zone, and how fresh each source is. Not recorded.",
        || web::to(context),
    )
    .answers(&[endpoint::json(200, tool_answers::context)])
    .refuses(tool_result::CODES),
    Endpoint::new(
        Verb::Get,
        "/api/operator/schema",
        "The tables of all sectors, of one, or one table. Not recorded.",
        || web::to(schema),
    )
    .takes_query(request::parameters::<SchemaAsked>)
    .answers(&[endpoint::json(200, tool_answers::schema)])
    .refuses(tool_result::CODES),
    Endpoint::new(
        Verb::Post,
        "/api/operator/fetch_live",
        "Ask the sources of a sector for what is new, then query. Recorded.",
        || web::to(fetch_live),
    )
    .takes_body(RequestBody::Required(tool_requests::live))
    .answers(&[endpoint::json(200, tool_answers::live)])
    .refuses(tool_result::CODES),
];

async fn context(parts: web::Data<Parts>) -> Result<HttpResponse, Problem> {
    answer(&parts, Tool::DescribeContext, json!({})).await
}

/// Which tables are described.
#[derive(Deserialize, JsonSchema)]
struct SchemaAsked {
    /// A sector or sector.table; all sectors when left out.
    target: Option<String>,
}

async fn schema(
    parts: web::Data<Parts>,
    FromQuery(asked): FromQuery<SchemaAsked>,
) -> Result<HttpResponse, Problem> {
    answer(&parts, Tool::GetSchema, json!({ "target": asked.target })).await
}

async fn fetch_live(
    parts: web::Data<Parts>,
    arguments: Arguments,
) -> Result<HttpResponse, Problem> {
    let row = FetchRow::of(&parts.audit, &arguments.0);
    let served = ask(&parts, Tool::FetchLive, arguments.0).await;
    row.settle(&served).await;
    respond(served)
}

/// The one row of a live fetch: left when this is dropped, also when the caller went away or the fetch broke, and then as
/// `error`. An act of the operator is always `allow` (r048).
struct FetchRow {
    audit: AuditHandle,
    /// Present until the row is left.
    arguments: Option<Value>,
    sector: Option<Sector>,
    outcome: Outcome,
    count: Option<i32>,
}

impl FetchRow {
    fn of(audit: &AuditHandle, arguments: &Value) -> Self {
        Self {
            audit: audit.clone(),
            arguments: Some(arguments.clone()),
            sector: sector_of(arguments),
            outcome: Outcome::Error,
            count: None,
        }
    }

    fn settle(mut self, served: &Served) -> JournalAck {
        self.sector = served.sector.or(self.sector);
        self.outcome = served.outcome.unwrap_or(Outcome::Error);
        self.count = served.count;
        self.leave()
    }

    fn leave(&mut self) -> JournalAck {
        let arguments = self.arguments.take();
        let verb = Tool::FetchLive.name();
        self.audit
            .record_operator(verb, self.sector, arguments, self.outcome, self.count)
    }
}

impl Drop for FetchRow {
    fn drop(&mut self) {
        if self.arguments.is_some() {
            drop(self.leave());
        }
    }
}

/// The sector that a fetch names.
fn sector_of(arguments: &Value) -> Option<Sector> {
    let target = arguments.get("target")?.as_str()?;
    target.split('.').next()?.parse().ok()
}
