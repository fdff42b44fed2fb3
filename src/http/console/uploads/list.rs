use actix_web::web::{self, Json};
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::schema;
use crate::uploads::{UploadJob, UploadState, UploadTotals};

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/uploads",
    "The uploads of the last day, the newest first.",
    || web::to(list),
)
.answers(&[endpoint::json(200, schema::answer::<UploadList>)]);

/// Several uploads.
#[derive(Serialize, JsonSchema)]
struct UploadList {
    uploads: Vec<UploadSummary>,
}

/// One upload without its files, tables and refusals.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct UploadSummary {
    id: Uuid,
    state: UploadState,
    created_at: DateTime<Utc>,
    files_received: u64,
    bytes_received: u64,
    /// Of its last check or run.
    totals: UploadTotals,
}

impl From<UploadJob> for UploadSummary {
    fn from(job: UploadJob) -> Self {
        Self {
            id: job.id,
            state: job.state,
            created_at: job.created_at,
            files_received: job.files_received,
            bytes_received: job.bytes_received,
            totals: job.totals,
        }
    }
}

async fn list(parts: web::Data<Parts>) -> Json<UploadList> {
    let uploads = parts.uploads.list().into_iter();
    Json(UploadList {
        uploads: uploads.map(UploadSummary::from).collect(),
    })
}
