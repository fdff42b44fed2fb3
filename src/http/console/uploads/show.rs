use actix_web::web::{self, Json};

use super::by_id::id_in_path;
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::Problem;
use crate::http::schema;
use crate::uploads::UploadJob;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/uploads/{id}",
    "An upload as it is now: its state, counts, and the first refusals.",
    || web::to(show),
)
.answers(&[endpoint::json(200, schema::answer::<UploadJob>)]);

async fn show(parts: web::Data<Parts>, id: web::Path<String>) -> Result<Json<UploadJob>, Problem> {
    Ok(Json(parts.uploads.job(id_in_path(&id)?)?))
}
