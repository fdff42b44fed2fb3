//! The body, from the socket to a file without a name: its size is bounded, and so is the time in which none of it comes.

use std::fs::File;
use std::io::Seek;

use actix_web::web::Payload;
use futures_util::StreamExt;
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

use crate::ingest::limits::PushLimits;

/// Why a body did not arrive.
#[derive(Debug)]
pub(super) enum SpoolError {
    /// It is larger than allowed on the wire.
    TooLarge,
    /// The device was silent for too long.
    Silent,
    /// The device went away, or what it sent is no HTTP body.
    Broken,
    /// The file could not be written here.
    File(std::io::Error),
}

/// A body that has arrived, and how long it is as it was sent.
#[derive(Debug)]
pub(super) struct Spooled {
    /// Rewound, and gone with this process.
    pub file: File,
    /// As sent, before any decoding.
    pub bytes: u64,
}

/// Writes the body to a file and hands it over, rewound.
pub(super) async fn spool(
    payload: &mut Payload,
    limits: &PushLimits,
) -> Result<Spooled, SpoolError> {
    let mut file = tokio::fs::File::from_std(tempfile::tempfile().map_err(SpoolError::File)?);
    let mut left = limits.body_bytes_max;
    while let Some(chunk) = timeout(limits.silence_max, payload.next())
        .await
        .map_err(|_| SpoolError::Silent)?
    {
        let chunk = chunk.map_err(|_| SpoolError::Broken)?;
        left = left
            .checked_sub(chunk.len() as u64)
            .ok_or(SpoolError::TooLarge)?;
        file.write_all(&chunk).await.map_err(SpoolError::File)?;
    }
    file.flush().await.map_err(SpoolError::File)?;
    let mut file = file.into_std().await;
    file.rewind().map_err(SpoolError::File)?;
    let bytes = limits.body_bytes_max.saturating_sub(left);
    Ok(Spooled { file, bytes })
}
