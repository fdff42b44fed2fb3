use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Deserialize;

use super::by_id::{id_in_path, publish_all, read_now};
use super::entered_fields::EnteredFields;
use super::sign_in_view::SignInView;
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::FromBody;
use crate::http::schema;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/signins/{id}/credentials",
    "Enter its credential again; it is tried before it is stored.",
    || web::to(renew),
)
.takes_body(RequestBody::Required(schema::request::<NewCredentials>))
.answers(&[endpoint::json(200, schema::answer::<SignInView>)])
.refuses(&[
    Code::Conflict,
    Code::Internal,
    Code::ProviderError,
    Code::Unavailable,
]);

/// A credential of the same account.
#[derive(Debug, Deserialize, JsonSchema)]
struct NewCredentials {
    credentials: EnteredFields,
}

async fn renew(
    parts: web::Data<Parts>,
    id: web::Path<String>,
    FromBody(new): FromBody<NewCredentials>,
) -> Result<Json<SignInView>, Problem> {
    let id = id_in_path(&id)?;
    let fields = new.credentials.into_pairs();
    // What is given once only is not lost with the request.
    to_the_end(async move {
        let sign_in = parts.sign_ins.renew(id, fields).await?;
        publish_all(&parts, &sign_in).await;
        read_now(&parts, &sign_in).await;
        Ok(Json(SignInView::of(&parts, sign_in)))
    })
    .await
}
