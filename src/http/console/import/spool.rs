//! The body, from the socket to a file in the data directory that nobody else can see: its size is bounded, and so is its
//! silence.

use std::fs::File;
use std::io::Seek as _;

use actix_web::web::Payload;
use futures_util::StreamExt as _;
use tokio::io::AsyncWriteExt as _;
use tokio::time::timeout;

use crate::http::problem::{Code, Problem};
use crate::import::ImportLimits;

/// Writes the body to a file and hands it over, rewound.
pub(super) async fn spool(payload: &mut Payload, limits: &ImportLimits) -> Result<File, Problem> {
    let mut file = tokio::fs::File::from_std(create_unnamed(limits).map_err(local)?);
    let mut left = limits.file_bytes_max;
    while let Some(chunk) = timeout(limits.silence_max, payload.next())
        .await
        .map_err(|_silent| broken("the file did not go on arriving"))?
    {
        let chunk = chunk.map_err(|_cut| broken("the file did not arrive whole"))?;
        left = left
            .checked_sub(chunk.len() as u64)
            .ok_or_else(|| too_large(limits))?;
        file.write_all(&chunk).await.map_err(local)?;
    }
    file.flush().await.map_err(local)?;
    let mut file = file.into_std().await;
    file.rewind().map_err(local)?;
    Ok(file)
}

/// Without a name from the first moment on: it goes with whoever holds it.
fn create_unnamed(limits: &ImportLimits) -> std::io::Result<File> {
    std::fs::create_dir_all(&limits.folder)?;
    tempfile::tempfile_in(&limits.folder)
}

pub(super) fn too_large(limits: &ImportLimits) -> Problem {
    let most = limits.file_bytes_max;
    Problem::new(
        Code::TooLarge,
        format!("an import may have {most} bytes; nothing was imported"),
    )
}

fn broken(why: &str) -> Problem {
    Problem::new(
        Code::Invalid,
        format!("{why}; nothing was imported, send it again"),
    )
}

fn local(cause: std::io::Error) -> Problem {
    log::error!("an import could not be spooled: {cause}");
    Problem::new(
        Code::Internal,
        "the file could not be kept here, and nothing was imported; the service's log says why",
    )
}
