//! Receives the bundle: writes it to a file as it arrives, and then reads the file to check it.

use std::io::{Seek as _, Write as _};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget};
use reqwest::{ClientBuilder, Response};
use sextant_actors::domain::Sector;
use tempfile::NamedTempFile;

use super::super::client::client;
use super::super::exchange::{self, bar, refusal};
use super::super::service::ANSWER_MAX;
use super::{ExportCommandError, ServiceAddress};
use crate::export::bundle;
use crate::export::manifest::Manifest;

/// How long the service may say nothing: it may have a large table to sort.
const SILENCE_MAX: Duration = Duration::from_secs(600);
const BAR: &str = "{spinner} {bytes} received ({bytes_per_sec})";

/// A bundle that was received and checked.
pub(super) struct Received {
    pub file: NamedTempFile,
    pub manifest: Manifest,
}

/// Requests the bundle, saves it and checks it.
pub(super) async fn receive(
    place: &ServiceAddress,
    sector: Option<Sector>,
    file: NamedTempFile,
    target: Option<ProgressDrawTarget>,
) -> Result<Received, ExportCommandError> {
    let bar = bar(target, None, BAR);
    let answer = request(place, sector).await?;
    let file = save(answer, file, &bar).await?;
    bar.finish_and_clear();
    tokio::task::spawn_blocking(move || check(file))
        .await
        .map_err(|gone| ExportCommandError::Lost(gone.to_string()))?
}

async fn request(
    place: &ServiceAddress,
    sector: Option<Sector>,
) -> Result<Response, ExportCommandError> {
    let limits =
        |limits: ClientBuilder| limits.connect_timeout(ANSWER_MAX).read_timeout(SILENCE_MAX);
    let client = client(limits).map_err(ExportCommandError::Lost)?;
    let narrowed = sector.map_or_else(String::new, |sector| format!("?sector={sector}"));
    let request = client.get(format!("{}/api/export{narrowed}", place.url));
    let answer = request.send().await.map_err(lost)?;
    if answer.status().is_success() {
        return Ok(answer);
    }
    Err(ExportCommandError::Refused(refusal(answer).await))
}

async fn save(
    mut answer: Response,
    file: NamedTempFile,
    bar: &ProgressBar,
) -> Result<NamedTempFile, ExportCommandError> {
    while let Some(bytes) = answer.chunk().await.map_err(lost)? {
        // The `write_all` of `NamedTempFile` would add the path to the error once more.
        file.as_file().write_all(&bytes).map_err(|cause| {
            let path = file.path().to_owned();
            ExportCommandError::File { path, cause }
        })?;
        bar.inc(bytes.len() as u64);
    }
    Ok(file)
}

fn check(mut file: NamedTempFile) -> Result<Received, ExportCommandError> {
    let read = |cause| ExportCommandError::Damaged(bundle::BundleError::Read(cause));
    file.rewind().map_err(read)?;
    let reader = std::io::BufReader::new(file.as_file());
    let manifest = bundle::check(reader).map_err(ExportCommandError::Damaged)?;
    Ok(Received { file, manifest })
}

fn lost(cause: reqwest::Error) -> ExportCommandError {
    ExportCommandError::Lost(exchange::lost(&cause))
}
