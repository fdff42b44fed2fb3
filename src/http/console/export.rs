//! Everything that is stored, as one zip that streams (docs/operating.md#export-and-import). No agent's grant narrows it (r110).
//!
//! The act's row is written when the last byte has been taken, and the body ends after it: so whoever has all of it can find
//! the row. Whatever cuts it short leaves the row `error`; there is one, however it ends (r040).

use actix_web::http::header::{ContentDisposition, DispositionParam, DispositionType};
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse, web};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use sextant_actors::audit::AuditHandle;
use sextant_actors::domain::{Outcome, Sector};
use sextant_actors::journal::JournalAck;
use tokio::sync::oneshot;

use super::Parts;
use crate::db::StoreError;
use crate::export::body::{BodySender, body_channel};
use crate::export::{self, ExportError, ExportRequest, ExportSlot};
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
    || web::to(give),
)
.takes_query(request::parameters::<ExportAsked>)
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

fn archive() -> Value {
    json!({ "type": "string", "contentMediaType": MEDIA })
}

async fn give(
    parts: web::Data<Parts>,
    request: HttpRequest,
    FromQuery(asked): FromQuery<ExportAsked>,
) -> Result<HttpResponse, Problem> {
    let sector = asked.sector.map(|ExportedSector(sector)| sector);
    let now = parts.clock.now();
    let asked = ExportRequest {
        sector,
        zone: parts.zone,
        now,
    };
    if request.extensions().contains::<HeadOnly>() {
        return Ok(start_answer(&asked).finish());
    }
    let slot = parts.exports.try_take().ok_or_else(too_many)?;
    allow_stall(&request, parts.exports.limits().stall_max);
    let (sender, body) = body_channel(parts.exports.limits().stall_max);
    let (begun, standing) = oneshot::channel();
    let act = ExportTask {
        audit: parts.audit.clone(),
        asked,
        is_recorded: false,
    };
    actix_web::rt::spawn(act.run(parts, slot, sender, begun));
    match standing.await {
        Ok(Ok(())) => Ok(start_answer(&asked).streaming(body)),
        Ok(Err(cause)) => Err(cause.into()),
        Err(_ended) => Err(Problem::new(
            Code::Unavailable,
            "the service is stopping; nothing was exported",
        )),
    }
}

/// What is exported.
#[derive(Deserialize, JsonSchema)]
struct ExportAsked {
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

fn too_many() -> Problem {
    Problem::new(
        Code::RateLimited,
        "as many exports are being made as may be at once; ask again when one of them has ended",
    )
}

fn start_answer(asked: &ExportRequest) -> actix_web::HttpResponseBuilder {
    let day = asked.now.with_timezone(&asked.zone).format("%Y-%m-%d");
    let name = match asked.sector {
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

/// One export, which leaves one row.
struct ExportTask {
    audit: AuditHandle,
    asked: ExportRequest,
    is_recorded: bool,
}

type Begun = oneshot::Sender<Result<(), StoreError>>;

impl ExportTask {
    async fn run(
        mut self,
        parts: web::Data<Parts>,
        slot: ExportSlot,
        sender: BodySender,
        begun: Begun,
    ) {
        let mut begun = Some(begun);
        let ended = tokio::select! {
            biased;
            () = slot.stopped() => None,
            ended = self.write(&parts, &sender, &mut begun) => Some(ended),
        };
        match ended {
            Some(Ok(rows)) => {
                let count = i32::try_from(rows).unwrap_or(i32::MAX);
                self.record(Outcome::Ok, Some(count)).await;
                sender.end();
            }
            Some(Err(cause)) => {
                log::warn!("an export was cut short: {cause}");
                self.record(Outcome::Error, None).await;
                if let (Some(begun), ExportError::Store(cause)) = (begun, cause) {
                    let _gone = begun.send(Err(cause));
                }
            }
            None => {
                log::warn!("an export was cut short: the service stops");
                self.record(Outcome::Error, None).await;
            }
        }
    }

    async fn write(
        &self,
        parts: &Parts,
        sender: &BodySender,
        begun: &mut Option<Begun>,
    ) -> Result<u64, ExportError> {
        let mut reader = parts.pool.exclusive().await?;
        let stands = || {
            if let Some(begun) = begun.take() {
                let _gone = begun.send(Ok(()));
            }
        };
        export::write(&mut reader, &self.asked, sender, stands).await
    }

    fn record(&mut self, outcome: Outcome, count: Option<i32>) -> JournalAck {
        self.is_recorded = true;
        let sector = self.asked.sector;
        self.audit
            .record_operator("export", sector, None, outcome, count)
    }
}

impl Drop for ExportTask {
    /// Whatever ends the task before its end leaves its row, too.
    fn drop(&mut self) {
        if !self.is_recorded {
            // Nobody is answered any more.
            drop(self.record(Outcome::Error, None));
        }
    }
}
