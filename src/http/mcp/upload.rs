//! Reading a request's body, within bounds.

use actix_web::http::header::{CONTENT_TYPE, HeaderMap};
use actix_web::web::{Bytes, BytesMut, Payload};
use futures_util::StreamExt;
use tokio::time::timeout;

use super::fault::Fault;
use super::limits::{BODY_BYTES_MAX, BODY_WAIT, REFUSED_BODY_BYTES_MAX, REFUSED_BODY_WAIT};

/// Reads a JSON body.
///
/// # Errors
/// When it is not declared as JSON, is larger than [`BODY_BYTES_MAX`], or does not arrive within [`BODY_WAIT`].
pub async fn read(headers: &HeaderMap, payload: &mut Payload) -> Result<Bytes, Fault> {
    if !declares_json(headers) {
        return Err(Fault::NotDeclaredJson);
    }
    timeout(BODY_WAIT, collect(payload))
        .await
        .unwrap_or(Err(Fault::BodyIncomplete))
}

async fn collect(payload: &mut Payload) -> Result<Bytes, Fault> {
    let mut body = BytesMut::new();
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|_| Fault::BodyIncomplete)?;
        if chunk.len() > BODY_BYTES_MAX - body.len() {
            return Err(Fault::BodyTooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// Throws away what a refused client is still sending, up to a bound: unread bytes would make the close a reset, and a
/// reset loses the answer.
pub async fn discard(payload: &mut Payload) {
    let drain = async {
        let mut left = REFUSED_BODY_BYTES_MAX;
        while let Some(Ok(chunk)) = payload.next().await {
            let Some(rest) = left.checked_sub(chunk.len()) else {
                return;
            };
            left = rest;
        }
    };
    // A client that is slower than the bound loses the answer, and nothing else.
    let _ = timeout(REFUSED_BODY_WAIT, drain).await;
}

/// Whether the body is declared as JSON.
pub fn declares_json(headers: &HeaderMap) -> bool {
    let declared = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    declared.is_some_and(|value| {
        let essence = value.split(';').next().unwrap_or_default();
        essence.trim().eq_ignore_ascii_case("application/json")
    })
}
