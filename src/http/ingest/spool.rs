//! Spools the body into a file without a name. Its size is bounded, and the time for which the device may send nothing.

use std::fs::File;
use std::io::{self, Seek};

use actix_web::web::Payload;
use futures_util::StreamExt;
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

use super::answer::PushFailure;
use crate::http::code::Code;
use crate::ingest::limits::PushLimits;

/// A body that has arrived whole.
#[derive(Debug)]
pub(super) struct SpooledBody {
    /// At its start; the file is gone with this process.
    pub file: File,
    /// Length as sent, before decoding.
    pub bytes: u64,
}

/// Writes the body to a file.
///
/// # Errors
/// `too_large` when the body is larger than allowed on the wire; `invalid` when the device sent nothing for too long, went away,
/// or sent what is no HTTP body; `internal` when the file cannot be written.
pub(super) async fn spool(
    payload: &mut Payload,
    limits: &PushLimits,
) -> Result<SpooledBody, PushFailure> {
    let local = |cause: io::Error| PushFailure::local(&cause);
    let mut file = tokio::fs::File::from_std(limits.spools.create().map_err(local)?);
    let mut left = limits.body_bytes_max;
    while let Some(chunk) = timeout(limits.silence_max, payload.next())
        .await
        .map_err(|_| incomplete("the body did not go on arriving; send the push again"))?
    {
        let chunk =
            chunk.map_err(|_| incomplete("the body did not arrive whole; send the push again"))?;
        left = left
            .checked_sub(chunk.len() as u64)
            .ok_or_else(|| PushFailure::too_large(limits.body_bytes_max))?;
        file.write_all(&chunk).await.map_err(local)?;
    }
    file.flush().await.map_err(local)?;
    let mut file = file.into_std().await;
    file.rewind().map_err(local)?;
    let bytes = limits.body_bytes_max.saturating_sub(left);
    Ok(SpooledBody { file, bytes })
}

fn incomplete(message: &str) -> PushFailure {
    PushFailure::new(Code::Invalid, message)
}
