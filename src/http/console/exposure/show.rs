use actix_web::web::{self, Json};

use super::view::ExposureView;
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::schema;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/exposure",
    "Who can reach the agent port: the public address, and who has signed in by it.",
    || web::to(show),
)
.answers(&[endpoint::json(200, schema::answer::<ExposureView>)])
.refuses(&[Code::Internal, Code::Unavailable]);

async fn show(parts: web::Data<Parts>) -> Result<Json<ExposureView>, Problem> {
    Ok(Json(ExposureView::of(&parts).await?))
}
