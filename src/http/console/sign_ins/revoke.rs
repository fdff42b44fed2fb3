use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use sextant_actors::domain::Outcome;
use uuid::Uuid;

use super::by_id::{id_in_path, publish_all};
use super::problem;
use super::revocation_view::RevocationView;
use super::sign_in_view::SignInView;
use crate::db::StoreError;
use crate::http::console::connections::publish;
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, NoFields};
use crate::http::schema;
use crate::store::sign_ins;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/signins/{id}/revoke",
    "Delete its credential here; its connections stay, and need a sign-in.",
    || web::to(revoke),
)
.answers(&[endpoint::json(200, schema::answer::<RevokedSignIn>)])
.refuses(&[Code::Internal, Code::Unavailable]);

async fn revoke(
    parts: web::Data<Parts>,
    id: web::Path<String>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<Json<RevokedSignIn>, Problem> {
    let id = id_in_path(&id)?;
    to_the_end(async move {
        let end = parts.sign_ins.prepare_end(id).await;
        let again = match end {
            Some(_) => "sign in again",
            None => "enter it again",
        };
        let done = sign_ins::revoke(&parts.pool, id, again, parts.clock.now()).await;
        match &done {
            Ok(Some(sign_in)) => publish_all(&parts, sign_in).await,
            // Whichever it names, all are read again.
            Err(StoreError::FateUnknown { .. }) => publish(&parts, Uuid::nil()).await,
            Ok(None) | Err(_) => {}
        }
        let outcome = match done {
            Ok(Some(_)) => Outcome::Ok,
            Ok(None) | Err(_) => Outcome::Error,
        };
        let args = json!({ "signInId": id });
        parts
            .audit
            .record_operator("revoke", None, Some(args), outcome, None)
            .await;
        let sign_in = done?.ok_or_else(problem::not_found)?;
        parts.sign_ins.tokens.forget(id).await;
        Ok(Json(RevokedSignIn {
            sign_in: SignInView::of(&parts, sign_in),
            consent: RevocationView::of(&parts, end).await,
        }))
    })
    .await
}

/// The sign-in without its credential.
#[derive(Serialize, JsonSchema)]
struct RevokedSignIn {
    #[serde(flatten)]
    sign_in: SignInView,
    /// What became of the consent at the provider; null where there was none.
    consent: Option<RevocationView>,
}
