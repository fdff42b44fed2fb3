use actix_web::{HttpResponse, web};
use serde_json::Value;
use sextant_actors::audit::AuditHandle;
use sextant_actors::domain::{Outcome, Sector, Served, Tool};
use sextant_actors::journal::JournalAck;

use crate::http::arguments::Arguments;
use crate::http::console::Parts;
use crate::http::console::inspector::{ask, respond};
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::Problem;
use crate::http::{tool_answers, tool_requests, tool_result};

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/operator/fetch_live",
    "Ask the sources of a sector for what is new, then query. Recorded.",
    || web::to(fetch_live),
)
.takes_body(RequestBody::Required(tool_requests::live))
.answers(&[endpoint::json(200, tool_answers::live)])
.refuses(tool_result::CODES);

async fn fetch_live(
    parts: web::Data<Parts>,
    arguments: Arguments,
) -> Result<HttpResponse, Problem> {
    let row = FetchRow::of(&parts.audit, &arguments.0);
    let served = ask(&parts, Tool::FetchLive, arguments.0).await;
    row.record_result(&served).await;
    respond(served)
}

/// The one audit row of a live fetch. Dropping this writes it too, as `error`: when the caller went away or the fetch failed. An act of
/// the operator is always `allow` (r048).
struct FetchRow {
    audit: AuditHandle,
    /// Present until the row is written.
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

    fn record_result(mut self, served: &Served) -> JournalAck {
        self.sector = served.sector.or(self.sector);
        self.outcome = served.outcome.unwrap_or(Outcome::Error);
        self.count = served.count;
        self.record()
    }

    fn record(&mut self) -> JournalAck {
        let arguments = self.arguments.take();
        let verb = Tool::FetchLive.name();
        self.audit
            .record_operator(verb, self.sector, arguments, self.outcome, self.count)
    }
}

impl Drop for FetchRow {
    fn drop(&mut self) {
        if self.arguments.is_some() {
            drop(self.record());
        }
    }
}

/// The sector that a fetch names.
fn sector_of(arguments: &Value) -> Option<Sector> {
    let target = arguments.get("target")?.as_str()?;
    target.split('.').next()?.parse().ok()
}
