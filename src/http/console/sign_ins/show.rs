use actix_web::web::{self, Json};

use super::by_id::id_in_path;
use super::problem;
use super::sign_in_view::SignInView;
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::schema;
use crate::store::sign_ins;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/signins/{id}",
    "Show a sign-in and its connections, or what became of one in a browser.",
    || web::to(show),
)
.answers(&[endpoint::json(200, schema::answer::<SignInView>)])
.refuses(&[Code::Internal, Code::Unavailable]);

async fn show(parts: web::Data<Parts>, id: web::Path<String>) -> Result<Json<SignInView>, Problem> {
    let id = id_in_path(&id)?;
    if let Some(outcome) = parts.sign_ins.consent_outcome(id) {
        return Ok(Json(SignInView::of_outcome(&parts, outcome)));
    }
    let found = sign_ins::read(&parts.pool, id).await?;
    let found = found.ok_or_else(problem::not_found)?;
    Ok(Json(SignInView::of(&parts, found)))
}
