use actix_web::web::{self, Json};

use super::by_id::{id_in_path, publish_all};
use super::sign_in_view::SignInView;
use crate::http::console::oauth::make_known;
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, NoFields};
use crate::http::schema;
use crate::sign_ins::CompletedSignIn;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/signins/{id}/complete",
    "Try again to connect a sign-in whose provider could not say whose account it is, or that nothing answered to.",
    || web::to(complete),
)
.answers(&[endpoint::json(200, schema::answer::<SignInView>)])
.refuses(&[Code::Internal, Code::ProviderError, Code::Unavailable]);

async fn complete(
    parts: web::Data<Parts>,
    id: web::Path<String>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<Json<SignInView>, Problem> {
    let id = id_in_path(&id)?;
    to_the_end(async move {
        match parts.sign_ins.complete(id).await? {
            CompletedSignIn::Consented(ended) => make_known(&parts, ended).await.map(Json),
            CompletedSignIn::Claimed(sign_in) => {
                publish_all(&parts, &sign_in).await;
                Ok(Json(SignInView::of(&parts, sign_in)))
            }
        }
    })
    .await
}
