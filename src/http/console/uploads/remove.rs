use actix_web::{HttpResponse, web};

use super::by_id::id_in_path;
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, NoFields};

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Delete,
    "/api/uploads/{id}",
    "Remove an upload with its files; what it stored stays.",
    || web::to(remove),
)
.answers(&[endpoint::no_content()])
.refuses(&[Code::Conflict, Code::Internal]);

async fn remove(
    parts: web::Data<Parts>,
    id: web::Path<String>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<HttpResponse, Problem> {
    let (uploads, id) = (parts.uploads.clone(), id_in_path(&id)?);
    // A folder of many files takes a while.
    let removed = web::block(move || uploads.remove(id)).await;
    removed.map_err(|_ended| {
        Problem::new(Code::Internal, "the upload could not be removed; try again")
    })??;
    Ok(HttpResponse::NoContent().finish())
}
