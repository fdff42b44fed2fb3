use actix_web::http::StatusCode;
use actix_web::web::{self, Json};

use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, NoFields};
use crate::http::schema;
use crate::uploads::UploadJob;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/uploads",
    "Open an upload for files.",
    || web::to(create),
)
.answers(&[endpoint::json(201, schema::answer::<UploadJob>)])
.refuses(&[Code::Conflict, Code::Internal, Code::Unavailable]);

async fn create(
    parts: web::Data<Parts>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<(Json<UploadJob>, StatusCode), Problem> {
    Ok((Json(parts.uploads.create()?), StatusCode::CREATED))
}
