use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::by_id::id_in_path;
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::FromBody;
use crate::http::schema;
use crate::uploads::{FileAnswers, GivenChoices, UploadJob, UploadWork};

const REFUSED: &[Code] = &[Code::Conflict, Code::Internal, Code::Unavailable];

pub(super) const CHECK: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/uploads/{id}/check",
    "Read all files of an upload and check every record; nothing is stored.",
    || web::to(check),
)
.takes_body(RequestBody::Optional(schema::request::<UploadChoices>))
.answers(&[endpoint::json(202, schema::answer::<UploadJob>)])
.refuses(REFUSED);

pub(super) const RUN: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/uploads/{id}/run",
    "Store the records of an upload; what is stored already is not stored twice.",
    || web::to(run),
)
.takes_body(RequestBody::Optional(schema::request::<UploadChoices>))
.answers(&[endpoint::json(202, schema::answer::<UploadJob>)])
.refuses(REFUSED);

/// What the person chose; what is left out stays as it was.
#[derive(Debug, Deserialize, JsonSchema)]
struct UploadChoices {
    /// By table (`sector.table`): the id of the connection for its records, or null for a new one.
    destinations: Option<BTreeMap<String, Option<Uuid>>>,
    /// By the path of a file: what it leaves open.
    answers: Option<SentAnswers>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(try_from = "Option<Value>")]
#[schemars(!try_from)]
struct SentAnswers(BTreeMap<String, FileAnswers>);

impl TryFrom<Option<Value>> for SentAnswers {
    type Error = &'static str;

    fn try_from(sent: Option<Value>) -> Result<Self, &'static str> {
        // What is wrong with it would repeat what was sent.
        let read = serde_json::from_value(sent.unwrap_or_default());
        read.map(Self).map_err(|_| {
            "send, by the path of a file, account, currency, dateOrder (dmy, mdy or ymd), positive (in or out) and zone, each as text, or without it"
        })
    }
}

async fn check(
    parts: web::Data<Parts>,
    id: web::Path<String>,
    FromBody(sent): FromBody<UploadChoices>,
) -> Result<(Json<UploadJob>, StatusCode), Problem> {
    begin(&parts, &id, UploadWork::Check, sent)
}

async fn run(
    parts: web::Data<Parts>,
    id: web::Path<String>,
    FromBody(sent): FromBody<UploadChoices>,
) -> Result<(Json<UploadJob>, StatusCode), Problem> {
    begin(&parts, &id, UploadWork::Run, sent)
}

fn begin(
    parts: &Parts,
    id: &str,
    work: UploadWork,
    UploadChoices {
        destinations,
        answers,
    }: UploadChoices,
) -> Result<(Json<UploadJob>, StatusCode), Problem> {
    let given = GivenChoices {
        destinations,
        answers: answers.map(|SentAnswers(answers)| answers),
    };
    let job = parts.uploads.begin(id_in_path(id)?, work, given)?;
    Ok((Json(job), StatusCode::ACCEPTED))
}
