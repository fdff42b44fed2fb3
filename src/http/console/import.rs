//! Imports an export into a store without rows (docs/operating.md#export-and-import). The body is a zip, spooled to a file within a
//! limit and then read.
//!
//! A store with rows is refused before a byte of the body is read. The audit log has no verb for this act (r039), so it leaves no row.
//! Imported connections and agents, all of them revoked, are published before the answer.

mod imports;
mod report;
mod spool;

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};
use uuid::Uuid;

use self::report::ImportReport;
use super::connections::publish;
use super::{Parts, to_the_end};
use crate::db::StoreError;
use crate::http::body::refuse_unread;
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::headers::content_length;
use crate::http::problem::{Code, Problem};
use crate::http::schema;
use crate::import::{self, Bundle, ImportError};
use crate::store;

pub use imports::Imports;

const MEDIA: &str = "application/zip";

pub(super) const ENDPOINTS: &[Endpoint] = &[Endpoint::new(
    Verb::Post,
    "/api/import",
    "Take an export back into a store without rows: all of it, or nothing. Connections come without secrets, agents come revoked; those that are here already stay as they are. The record does not come.",
    || web::to(import),
)
.takes_body(RequestBody::Media(&[(MEDIA, zip)]))
.answers(&[endpoint::json(200, schema::answer::<ImportReport>)])
.refuses(&[Code::Conflict, Code::Internal, Code::Unavailable])];

fn zip() -> Value {
    json!({ "type": "string", "contentMediaType": MEDIA })
}

async fn import(
    parts: web::Data<Parts>,
    request: HttpRequest,
    mut payload: web::Payload,
) -> HttpResponse {
    match receive(&parts, &request, &mut payload).await {
        Ok(answer) => answer,
        Err(problem) => refuse_unread(&mut payload, &problem).await,
    }
}

async fn receive(
    parts: &web::Data<Parts>,
    request: &HttpRequest,
    payload: &mut web::Payload,
) -> Result<HttpResponse, Problem> {
    let limits = &parts.imports.limits;
    let slot = parts.imports.slots.try_take().ok_or_else(|| {
        Problem::new(
            Code::Conflict,
            "an import is under way already; only one can end well",
        )
    })?;
    if content_length(request.headers()).is_some_and(|bytes| bytes > limits.file_bytes_max) {
        return Err(spool::too_large(limits));
    }
    if !import::is_empty(&parts.pool).await? {
        return Err(not_empty());
    }
    let file = spool::spool(payload, limits).await?;
    let parts = web::Data::clone(parts);
    to_the_end(async move {
        let _until_it_is_stored = slot;
        let bundle = tokio::task::spawn_blocking(move || Bundle::open(file)).await;
        let bundle =
            bundle.map_err(|gone| refused(ImportError::File(std::io::Error::other(gone))))?;
        let bundle = bundle.map_err(refused)?;
        let imported = import::import_bundle(&parts.pool, &bundle).await;
        let is_unknown = matches!(
            imported,
            Err(ImportError::Store(StoreError::FateUnknown { .. }))
        );
        if is_unknown || imported.is_ok() {
            publish_all(&parts).await;
        }
        let imported = imported.map_err(refused)?;
        Ok(HttpResponse::Ok().json(ImportReport::of(&imported, bundle.manifest(), parts.zone)))
    })
    .await
}

/// Publishes what was imported. Reading the connections for any id publishes all of them; agents that are published already have not
/// been touched.
async fn publish_all(parts: &Parts) {
    publish(parts, Uuid::nil()).await;
    match store::agents::names(&parts.pool).await {
        Ok(mut names) => {
            names.retain(|name| parts.grants.get(name).is_none());
            parts.grants.reload(names).await;
        }
        Err(error) => log::warn!("agents were imported and cannot be read yet: {error}"),
    }
}

fn not_empty() -> Problem {
    Problem::new(
        Code::Conflict,
        "an import goes into a store without rows: erase them first (POST /api/erase, scope all; connections and agents stay), or import into another data directory",
    )
}

fn refused(error: ImportError) -> Problem {
    match error {
        ImportError::NotEmpty => not_empty(),
        ImportError::Unfit(cause) => {
            Problem::new(Code::Invalid, format!("nothing was imported: {cause}"))
        }
        ImportError::File(cause) => {
            log::error!("an import could not be read: {cause}");
            Problem::new(
                Code::Internal,
                "nothing was imported: the file could not be read here; the service's log says why",
            )
        }
        ImportError::Store(StoreError::FateUnknown { .. }) => Problem::new(
            Code::Unavailable,
            "the database's answer was lost: all of it was imported, or nothing; GET /api/connections tells which",
        ),
        ImportError::Store(cause) => cause.into(),
    }
}
