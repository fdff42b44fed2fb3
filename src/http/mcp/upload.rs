//! Reads the body of a POST within bounds of size and time.

use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};
use actix_web::web::{Bytes, BytesMut, Payload};
use futures_util::StreamExt;
use tokio::time::timeout;

use super::error::McpError;
use super::limits::{BODY_BYTES_MAX, BODY_WAIT};
use crate::capacity::Share;
use crate::http::headers::{content_length, is_media};

/// Reads a JSON body.
///
/// # Errors
/// When it is not declared as plain JSON, is larger than [`BODY_BYTES_MAX`] or its agent's share, or does not arrive within
/// [`BODY_WAIT`].
pub async fn read(
    headers: &HeaderMap,
    payload: &mut Payload,
    upload: &mut Share,
) -> Result<Bytes, McpError> {
    check(headers)?;
    timeout(BODY_WAIT, collect(payload, upload))
        .await
        .unwrap_or(Err(McpError::BodyIncomplete))
}

/// Checks what the headers declare of the body, before it is read.
fn check(headers: &HeaderMap) -> Result<(), McpError> {
    if !declares_json(headers) {
        Err(McpError::NotDeclaredJson)
    } else if is_encoded(headers) {
        Err(McpError::Encoded)
    } else if content_length(headers).is_some_and(|bytes| bytes > BODY_BYTES_MAX as u64) {
        Err(McpError::BodyTooLarge)
    } else {
        Ok(())
    }
}

async fn collect(payload: &mut Payload, upload: &mut Share) -> Result<Bytes, McpError> {
    let mut body = BytesMut::new();
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|_| McpError::BodyIncomplete)?;
        if chunk.len() > BODY_BYTES_MAX - body.len() {
            return Err(McpError::BodyTooLarge);
        }
        upload.grow(chunk.len())?;
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// Whether the body is declared as JSON. A header that occurs twice declares nothing.
pub fn declares_json(headers: &HeaderMap) -> bool {
    let mut declared = headers.get_all(CONTENT_TYPE);
    let only = declared.next().filter(|_| declared.next().is_none());
    only.is_some_and(|declared| is_media(declared, "application/json"))
}

fn is_encoded(headers: &HeaderMap) -> bool {
    headers
        .get_all(CONTENT_ENCODING)
        .any(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity"))
}
