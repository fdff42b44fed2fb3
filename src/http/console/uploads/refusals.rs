use std::io;

use actix_web::http::header::{ContentDisposition, DispositionParam, DispositionType};
use actix_web::{HttpResponse, web};
use bytes::Bytes;
use futures_util::{Stream, stream};
use serde_json::{Value, json};
use tokio::fs::File;
use tokio::io::AsyncReadExt as _;

use super::by_id::id_in_path;
use crate::http::console::Parts;
use crate::http::endpoint::{Endpoint, RouteAnswer, Verb};
use crate::http::problem::{Code, Problem};

const MEDIA: &str = "application/x-ndjson";
/// Bytes of a piece of the answer.
const PIECE_BYTES: usize = 64 * 1024;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/uploads/{id}/refusals",
    "Every refusal of the last check or run of an upload, a JSON object a line.",
    || web::to(refusals),
)
.answers(&[RouteAnswer {
    status: 200,
    media: MEDIA,
    schema: lines,
}])
.refuses(&[Code::Internal]);

fn lines() -> Value {
    json!({ "type": "string", "contentMediaType": MEDIA })
}

async fn refusals(parts: web::Data<Parts>, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let file = parts.uploads.refusals(id_in_path(&id)?)?;
    let mut answer = HttpResponse::Ok();
    answer
        .content_type(MEDIA)
        .insert_header(ContentDisposition {
            disposition: DispositionType::Attachment,
            parameters: vec![DispositionParam::Filename("refusals.ndjson".to_owned())],
        });
    Ok(match file {
        Some(file) => answer.streaming(pieces(File::from_std(file))),
        None => answer.finish(),
    })
}

fn pieces(file: File) -> impl Stream<Item = io::Result<Bytes>> {
    stream::try_unfold(file, async |mut file| {
        let mut piece = Vec::with_capacity(PIECE_BYTES);
        let read = (&mut file)
            .take(PIECE_BYTES as u64)
            .read_to_end(&mut piece)
            .await?;
        Ok((read > 0).then(|| (Bytes::from(piece), file)))
    })
}
