use actix_web::http::StatusCode;
use actix_web::web;
use actix_web::{HttpRequest, HttpResponse};
use futures_util::StreamExt as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::by_id::id_in_path;
use crate::http::body::refuse_unread;
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::headers::content_length;
use crate::http::problem::{Code, Problem};
use crate::http::request::{self, FromQuery};
use crate::http::schema;
use crate::uploads::RelativePath;

/// The media type of a file.
const MEDIA: &str = "application/octet-stream";

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/uploads/{id}/files",
    "Send one file of an upload; one of the same path is replaced.",
    || web::to(receive),
)
.takes_query(request::parameters::<FilePlace>)
.takes_body(RequestBody::Media(&[(MEDIA, bytes)]))
.answers(&[endpoint::json(201, schema::answer::<ReceivedFile>)])
.refuses(&[Code::Conflict, Code::Internal, Code::Unavailable]);

fn bytes() -> Value {
    json!({ "type": "string", "contentMediaType": MEDIA })
}

/// Where the file lies.
#[derive(Deserialize, JsonSchema)]
struct FilePlace {
    /// Its path below the upload: plain names with slashes between them.
    #[schemars(with = "String")]
    path: SentPath,
}

#[derive(Deserialize)]
#[serde(try_from = "Option<Value>")]
struct SentPath(RelativePath);

impl TryFrom<Option<Value>> for SentPath {
    type Error = String;

    fn try_from(sent: Option<Value>) -> Result<Self, String> {
        let text = sent.as_ref().and_then(Value::as_str).unwrap_or_default();
        let path = RelativePath::parse(text).map_err(|unfit| unfit.to_string())?;
        Ok(Self(path))
    }
}

/// A file that has been received.
#[derive(Serialize, JsonSchema)]
struct ReceivedFile {
    bytes: u64,
}

async fn receive(
    parts: web::Data<Parts>,
    id: web::Path<String>,
    request: HttpRequest,
    place: Result<FromQuery<FilePlace>, Problem>,
    mut payload: web::Payload,
) -> HttpResponse {
    match keep(&parts, (&id, place), &request, &mut payload).await {
        Ok(bytes) => HttpResponse::build(StatusCode::CREATED).json(ReceivedFile { bytes }),
        Err(problem) => refuse_unread(&mut payload, &problem).await,
    }
}

async fn keep(
    parts: &Parts,
    (id, place): (&str, Result<FromQuery<FilePlace>, Problem>),
    request: &HttpRequest,
    payload: &mut web::Payload,
) -> Result<u64, Problem> {
    let FromQuery(FilePlace {
        path: SentPath(path),
    }) = place?;
    let announced = content_length(request.headers()).unwrap_or_default();
    let id = id_in_path(id)?;
    let mut file = parts.uploads.receive(id, path, announced).await?;
    while let Some(chunk) = timeout(parts.uploads.silence_max(), payload.next())
        .await
        .map_err(|_silent| incomplete("the file did not go on arriving"))?
    {
        let chunk = chunk.map_err(|_cut| incomplete("the file did not arrive whole"))?;
        file.write(&chunk).await?;
    }
    Ok(file.finish().await?)
}

fn incomplete(why: &str) -> Problem {
    Problem::new(
        Code::Invalid,
        format!("{why}; nothing of it was kept, send it again"),
    )
}
