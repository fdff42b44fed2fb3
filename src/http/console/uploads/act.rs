use actix_web::http::StatusCode;
use actix_web::web::{self, Json};

use super::by_id::id_in_path;
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::Problem;
use crate::http::request::{FromBody, NoFields};
use crate::http::schema;
use crate::uploads::UploadJob;

pub(super) const CANCEL: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/uploads/{id}/cancel",
    "End the check or the run of an upload after the batch that is being stored.",
    || web::to(cancel),
)
.answers(&[endpoint::json(202, schema::answer::<UploadJob>)]);

async fn cancel(
    parts: web::Data<Parts>,
    id: web::Path<String>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<(Json<UploadJob>, StatusCode), Problem> {
    let job = parts.uploads.cancel(id_in_path(&id)?)?;
    Ok((Json(job), StatusCode::ACCEPTED))
}
