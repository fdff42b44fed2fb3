//! The body of an answer, never longer than its limit.

use bytes::{Bytes, BytesMut};
use reqwest::Response;

use super::broken::not_sent;
use crate::failure::{FailureKind, SourceFailure};

/// Reads all of it; ends at once when it is announced or found to be longer than `bytes_max`.
pub(super) async fn read(mut response: Response, bytes_max: usize) -> Result<Bytes, SourceFailure> {
    let too_large = || {
        let message = format!("the source's answer is longer than {bytes_max} bytes");
        SourceFailure::new(FailureKind::TooLarge, message)
    };
    if response
        .content_length()
        .is_some_and(|announced| announced > bytes_max as u64)
    {
        return Err(too_large());
    }
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await.map_err(|cause| not_sent(&cause))? {
        if body.len() + chunk.len() > bytes_max {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}
