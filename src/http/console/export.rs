//! Everything that is stored, as one streamed zip (docs/operating.md#export-and-import). No agent's grant narrows it (r110).

mod task;

use actix_web::http::header::{ContentDisposition, DispositionParam, DispositionType};
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse, web};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use sextant_actors::domain::Sector;
use tokio::sync::oneshot;

use self::task::ExportTask;
use super::Parts;
use crate::export::ExportRequest;
use crate::export::body::body_channel;
use crate::http::endpoint::{Endpoint, RouteAnswer, Verb};
use crate::http::head_requests::HeadOnly;
use crate::http::problem::{Code, Problem};
use crate::http::request::{self, FromQuery};
use crate::http::sector_name::SectorName;
use crate::http::wire::in_flight::allow_stall;

const MEDIA: &str = "application/zip";

pub(super) const ENDPOINTS: &[Endpoint] = &[Endpoint::new(
    Verb::Get,
    "/api/export",
    "Everything that is stored, or one sector of it, as a zip: each table as lines of JSON, and files in the usual formats.",
    || web::to(export),
)
.takes_query(request::parameters::<ExportQuery>)
.answers(&[RouteAnswer {
    status: 200,
    media: MEDIA,
    schema: archive,
}])
.refuses(&[
    Code::Invalid,
    Code::RateLimited,
    Code::Internal,
    Code::Unavailable,
])];

/// What is exported.
#[derive(Deserialize, JsonSchema)]
struct ExportQuery {
    /// Only what belongs to this sector, and nothing of the record.
    #[schemars(with = "Option<SectorName>")]
    sector: Option<ExportedSector>,
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct ExportedSector(Sector);

impl TryFrom<String> for ExportedSector {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let sector = name.parse().map_err(|_unknown| {
            let names = Sector::ALL.map(Sector::name).join(", ");
            format!("there is no such sector; there are {names}")
        })?;
        Ok(Self(sector))
    }
}

async fn export(
    parts: web::Data<Parts>,
    request: HttpRequest,
    FromQuery(query): FromQuery<ExportQuery>,
) -> Result<HttpResponse, Problem> {
    let export = ExportRequest {
        sector: query.sector.map(|ExportedSector(sector)| sector),
        zone: parts.zone,
        now: parts.clock.now(),
    };
    if request.extensions().contains::<HeadOnly>() {
        return Ok(start_answer(&export).finish());
    }
    let slot = parts.exports.try_take().ok_or_else(too_many)?;
    let stall_max = parts.exports.limits().stall_max;
    allow_stall(&request, stall_max);
    let (sender, body) = body_channel(stall_max);
    let (started, start) = oneshot::channel();
    let task = ExportTask::new(&parts, export);
    actix_web::rt::spawn(task.run(parts, slot, sender, started));
    match start.await {
        Ok(Ok(())) => Ok(start_answer(&export).streaming(body)),
        Ok(Err(cause)) => Err(cause.into()),
        Err(_ended) => Err(Problem::new(
            Code::Unavailable,
            "the service is stopping; nothing was exported",
        )),
    }
}

fn too_many() -> Problem {
    Problem::new(
        Code::RateLimited,
        "as many exports are being made as may be at once; ask again when one of them has ended",
    )
}

fn start_answer(export: &ExportRequest) -> actix_web::HttpResponseBuilder {
    let day = export.now.with_timezone(&export.zone).format("%Y-%m-%d");
    let name = match export.sector {
        Some(sector) => format!("sextant-{sector}-{day}.zip"),
        None => format!("sextant-{day}.zip"),
    };
    let mut answer = HttpResponse::Ok();
    answer
        .content_type(MEDIA)
        .insert_header(ContentDisposition {
            disposition: DispositionType::Attachment,
            parameters: vec![DispositionParam::Filename(name)],
        });
    answer
}

fn archive() -> Value {
    json!({ "type": "string", "contentMediaType": MEDIA })
}
