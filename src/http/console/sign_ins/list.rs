use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Serialize;

use super::sign_in_view::SignInView;
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::schema;
use crate::store::sign_ins;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/signins",
    "All sign-ins, those without connections too.",
    || web::to(list),
)
.answers(&[endpoint::json(200, schema::answer::<SignInList>)])
.refuses(&[Code::Internal, Code::Unavailable]);

async fn list(parts: web::Data<Parts>) -> Result<Json<SignInList>, Problem> {
    let all = sign_ins::list_whole(&parts.pool).await?;
    let views = all.into_iter().map(|own| SignInView::of(&parts, own));
    Ok(Json(SignInList {
        sign_ins: views.collect(),
    }))
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SignInList {
    sign_ins: Vec<SignInView>,
}
