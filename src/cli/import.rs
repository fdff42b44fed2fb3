//! `sextant import FILE`: sends an export to a service whose store has no rows (docs/operating.md#export-and-import).
//!
//! The service checks the file against its manifest and stores all of it or nothing. The command prints what was imported and what
//! is to be done next.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use futures_util::TryStreamExt as _;
use indicatif::ProgressDrawTarget;
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE};
use reqwest::{ClientBuilder, RequestBuilder, StatusCode};
use serde::Deserialize;
use tokio_util::io::ReaderStream;

use super::Terminal;
use super::client::client;
use super::counted::counted;
use super::exchange::{self, bar, refusal};
use super::service::{
    ANSWER_MAX, ServiceAddress, ServiceError, ServiceOptions, Store, configuration, report_outcome,
    with_service,
};
use super::table::align_columns;
use crate::config::Environment;

/// How long the service may say nothing: it stores all of it before it answers.
const SILENCE_MAX: Duration = Duration::from_secs(24 * 60 * 60);
const BAR: &str = "{spinner} {bytes} of {total_bytes} sent ({bytes_per_sec}) {msg}";
/// Bytes that are read of the file at a time.
const PIECE_BYTES: usize = 64 * 1024;

#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ImportArguments {
    /// The file that `sextant export` has saved
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    service: ServiceOptions,
}

/// Why nothing was imported.
#[derive(Debug)]
pub(crate) enum ImportCommandError {
    File {
        path: PathBuf,
        cause: io::Error,
    },
    /// The service could not be asked, or has not answered.
    Lost(String),
    /// The service refused, in its own words.
    Refused(String),
    Output(io::Error),
}

impl fmt::Display for ImportCommandError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, cause } => {
                write!(formatter, "{} cannot be read: {cause}", path.display())
            }
            Self::Lost(cause) => write!(
                formatter,
                "the import broke off: {cause}; all of it was imported, or nothing: GET /api/connections tells which"
            ),
            Self::Refused(words) => formatter.write_str(words),
            Self::Output(cause) => write!(
                formatter,
                "it was imported, but nothing can be printed: {cause}"
            ),
        }
    }
}

impl std::error::Error for ImportCommandError {}

/// What the service answers.
#[derive(Debug, Deserialize)]
struct ImportAnswer {
    imported: u64,
    tables: std::collections::BTreeMap<String, u64>,
    connections: u64,
    agents: u64,
    notes: Vec<String>,
}

/// Imports, and prints what was imported. 0: it is stored; 2: it is not; 130: stopped.
pub(crate) fn run(
    arguments: &ImportArguments,
    environment: Environment,
    terminal: &mut Terminal<'_>,
) -> ExitCode {
    let done = import(arguments, environment, terminal);
    report_outcome(done, terminal)
}

fn import(
    arguments: &ImportArguments,
    environment: Environment,
    terminal: &mut Terminal<'_>,
) -> Result<(), ServiceError<ImportCommandError>> {
    let config = configuration(&arguments.service, environment).map_err(ServiceError::Config)?;
    let path = arguments.file.as_path();
    // Before a service is started for it.
    std::fs::File::open(path).map_err(|cause| ServiceError::Work(unreadable(path, cause)))?;
    let bar = terminal.is_watched.then(ProgressDrawTarget::stderr);
    let send = async |place: &ServiceAddress| send_file(place, path, bar).await;
    let answer = with_service(&arguments.service, config, Store::MayBeNew, send)?;
    say(&answer, terminal.out)
        .map_err(|cause| ServiceError::Work(ImportCommandError::Output(cause)))
}

fn unreadable(path: &Path, cause: io::Error) -> ImportCommandError {
    let path = path.to_owned();
    ImportCommandError::File { path, cause }
}

async fn send_file(
    place: &ServiceAddress,
    path: &Path,
    target: Option<ProgressDrawTarget>,
) -> Result<ImportAnswer, ImportCommandError> {
    let file = tokio::fs::File::open(path).await;
    let file = file.map_err(|cause| unreadable(path, cause))?;
    let bytes = file
        .metadata()
        .await
        .map_err(|cause| unreadable(path, cause))?
        .len();
    let bar = bar(target, Some(bytes), BAR);
    let progress = bar.clone();
    let pieces = ReaderStream::with_capacity(file, PIECE_BYTES).inspect_ok(move |piece| {
        progress.inc(piece.len() as u64);
        if progress.position() >= bytes {
            progress.set_message("and is being stored");
        }
    });
    let limits =
        |limits: ClientBuilder| limits.connect_timeout(ANSWER_MAX).read_timeout(SILENCE_MAX);
    let client = client(limits).map_err(ImportCommandError::Lost)?;
    let import = client
        .post(format!("{}/api/import", place.url))
        .header(CONTENT_TYPE, "application/zip");
    check_accepted(&import).await?;
    let request = import
        .header(CONTENT_LENGTH, bytes)
        .body(reqwest::Body::wrap_stream(pieces));
    let answer = request.send().await.map_err(lost)?;
    bar.finish_and_clear();
    if answer.status().is_success() {
        return answer.json().await.map_err(lost);
    }
    Err(ImportCommandError::Refused(refusal(answer).await))
}

/// Asks without the file whether an import is accepted: a client that is still sending may miss the refusal.
async fn check_accepted(import: &RequestBuilder) -> Result<(), ImportCommandError> {
    let Some(empty) = import.try_clone() else {
        return Ok(());
    };
    let answer = empty.header(CONTENT_LENGTH, 0).send().await.map_err(lost)?;
    match answer.status() {
        StatusCode::CONFLICT => Err(ImportCommandError::Refused(refusal(answer).await)),
        _ => Ok(()),
    }
}

fn lost(cause: reqwest::Error) -> ImportCommandError {
    ImportCommandError::Lost(exchange::lost(&cause))
}

fn say(answer: &ImportAnswer, out: &mut (dyn Write + Send)) -> io::Result<()> {
    let mut rows = vec![vec![String::new(), "rows".to_owned()]];
    for (table, count) in &answer.tables {
        rows.push(vec![table.clone(), count.to_string()]);
    }
    for line in align_columns(&rows, &[1]) {
        writeln!(out, "{line}")?;
    }
    let ImportAnswer {
        imported,
        connections,
        agents,
        ..
    } = answer;
    let rows = counted(*imported, "row");
    let connections = counted(*connections, "connection");
    let agents = counted(*agents, "agent");
    writeln!(out, "\n{rows}, {connections} and {agents} came.")?;
    for note in &answer.notes {
        writeln!(out, "- {note}")?;
    }
    Ok(())
}
