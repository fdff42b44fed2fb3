use actix_web::web::{self, Json};
use serde_json::json;
use sextant_actors::domain::{Outcome, Sector};
use uuid::Uuid;

use super::pair_view::PairView;
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, NoFields};
use crate::http::schema;
use crate::store::duplicates::{self, AccountAnswer, AnswerObstacle, AnswerRefusal};

pub(super) const CONFIRM: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/finance/duplicates/{id}/confirm",
    "Same account: serve the two once.",
    || web::to(confirm),
)
.answers(&[endpoint::json(200, schema::answer::<PairView>)])
.refuses(REFUSED);

pub(super) const UNCONFIRM: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/finance/duplicates/{id}/unconfirm",
    "Keep separate: serve each of the two.",
    || web::to(unconfirm),
)
.answers(&[endpoint::json(200, schema::answer::<PairView>)])
.refuses(REFUSED);

const REFUSED: &[Code] = &[Code::Conflict, Code::Internal, Code::Unavailable];

async fn confirm(
    parts: web::Data<Parts>,
    id: web::Path<String>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<Json<PairView>, Problem> {
    answer(parts, &id, AccountAnswer::Same).await
}

async fn unconfirm(
    parts: web::Data<Parts>,
    id: web::Path<String>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<Json<PairView>, Problem> {
    answer(parts, &id, AccountAnswer::Separate).await
}

/// Answers, and leaves the answer's one row, also when it was not taken.
async fn answer(
    parts: web::Data<Parts>,
    id: &str,
    answer: AccountAnswer,
) -> Result<Json<PairView>, Problem> {
    let id: Uuid = id.parse().map_err(|_| not_asked())?;
    let verb = match answer {
        AccountAnswer::Same => "finance.dedup.confirm",
        AccountAnswer::Separate => "finance.dedup.unconfirm",
    };
    to_the_end(async move {
        let done = duplicates::answer(&parts.pool, id, answer).await;
        let accounts = done.as_ref().ok().map(|pair| {
            let [a, b] = pair.accounts.each_ref().map(|account| account.id);
            [a, b]
        });
        let outcome = match done {
            Ok(_) => Outcome::Ok,
            Err(_) => Outcome::Error,
        };
        let args = json!({ "id": id, "accountIds": accounts });
        let sector = Some(Sector::Finance);
        parts
            .audit
            .record_operator(verb, sector, Some(args), outcome, None)
            .await;
        Ok(Json(PairView::of(done?)))
    })
    .await
}

impl From<AnswerRefusal> for Problem {
    fn from(refusal: AnswerRefusal) -> Self {
        match refusal {
            AnswerRefusal::NotAsked => not_asked(),
            AnswerRefusal::Obstacle(obstacle) => Self::new(Code::Conflict, remedy(obstacle)),
            AnswerRefusal::Store(cause) => cause.into(),
        }
    }
}

fn not_asked() -> Problem {
    Problem::new(
        Code::NotFound,
        "no two accounts are asked about under this id; GET /api/finance/duplicates lists them",
    )
}

fn remedy(obstacle: AnswerObstacle) -> String {
    match obstacle {
        AnswerObstacle::OneConnection(a, b) => format!(
            "the accounts {a} and {b} of one connection would become one; keep one of them separate first from what it was said to be the same as"
        ),
        AnswerObstacle::KeptSeparate(a, b) => format!(
            "the accounts {a} and {b}, which are kept separate, would become one; say first that they are the same account"
        ),
        AnswerObstacle::OneByOthers(a, b) => format!(
            "the accounts {a} and {b} are one by other answers; keep one of them separate first from those"
        ),
    }
}
