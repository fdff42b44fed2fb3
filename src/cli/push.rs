//! `sextant push PATH...`: what people have in files, through the ingest route (docs/pushing.md#files).
//!
//! Walks the paths, reads each file entry by entry, routes every record by its table to one of the connections, and
//! sends them in batches. What the importer, the routing or the server refuses is told by file, place and reason;
//! the rest goes on. Ids come from the files, so a push may be repeated, and a batch whose answer was lost is sent
//! again. Ctrl-C ends it after the answer that is awaited: what the table names as stored is stored.
//!
//! ```text
//! pusher.rs   one file after another to the connections     stop.rs    Ctrl-C
//! secrets.rs  which secret opens which connection           routes.rs  which connection takes which table
//! create.rs   connections that are made or taken over       listing.rs which connections there are
//! target.rs   which service it speaks to                    server.rs  the routes it calls
//! batch.rs    rows to one gzipped body                      verdict.rs what an answer means (pure)
//! report.rs   what is told, and to whom
//! ```
//!
//! Knows neither the environment nor the terminal: the caller hands over the secret, the writer and where a bar is drawn.

pub mod batch;
mod create;
mod file_options;
mod listing;
mod pusher;
mod report;
mod routes;
mod secrets;
mod server;
mod stop;
mod target;
mod verdict;

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use indicatif::ProgressDrawTarget;

use self::file_options::FileOptions;
use self::pusher::Pusher;
pub use self::report::Report;
pub use self::secrets::EnvironmentSecret;
use self::stop::Stop;
use self::target::Target;
use super::EXIT_INTERRUPTED;
use super::service::ServiceOptions;
use crate::config::{ConfigError, Environment};

/// Exit code when all went well but something was refused or not read.
const SOMETHING_REFUSED: u8 = 1;
/// Reading and sending on one thread, Ctrl-C heard on the other.
const THREADS: usize = 1;

#[derive(Debug, Clone, Default, Args)]
pub struct Arguments {
    /// Files (also as .gz), folders, patterns such as 'mail/*.eml', Maildirs, and archives (.zip, .tgz, .tar)
    #[arg(required = true, value_name = "PATH")]
    pub files: Vec<PathBuf>,
    /// A push connection that takes the records of its table; may be given several times [default: those in the secret
    /// file]
    #[arg(long = "connection", value_name = "ID", value_parser = routes::connection_id)]
    pub connections: Vec<String>,
    /// Make the connections that are missing, on this computer, and append their secrets to the secret file
    #[arg(long, requires = "secret_file")]
    pub create: bool,
    /// With --create: take over the connections that are there under the labels of new ones; the secrets they have end
    #[arg(long, requires = "create")]
    pub adopt: bool,
    /// Say what would happen, and send nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Lines `<connection id> <secret>`; for a single connection SEXTANT_INGEST_SECRET does
    #[arg(long, value_name = "FILE")]
    pub secret_file: Option<PathBuf>,
    #[command(flatten)]
    pub options: FileOptions,
    #[command(flatten)]
    pub service: ServiceOptions,
}

/// Why a push could not be made, or not be finished. `main` prints it and exits with 2.
#[derive(Debug)]
pub enum PushError {
    /// No secret, or a secret file that cannot be used.
    Secret(String),
    /// A connection that does not exist, takes no pushes, or cannot be made.
    Connection(String),
    /// The server could not be reached or did not take the push; what was sent before is stored.
    Server(String),
    Output(io::Error),
    Config(ConfigError),
}

impl fmt::Display for PushError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Secret(text) | Self::Connection(text) | Self::Server(text) => f.write_str(text),
            Self::Output(error) => write!(f, "the report cannot be written: {error}"),
            Self::Config(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PushError {}

impl From<io::Error> for PushError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Pushes and reports. 0: all is stored; 1: something was refused, left out or not read, and the report says what; 130: stopped.
pub fn run<'a>(
    arguments: &Arguments,
    environment: Environment,
    output: &'a mut (dyn Write + Send + 'a),
    progress: Option<ProgressDrawTarget>,
) -> Result<ExitCode, PushError> {
    let environment = environment.with_dotenv().map_err(PushError::Config)?;
    let secret = environment.ingest_secret();
    let secret = EnvironmentSecret(secret.map(|secret| secret.expose().to_owned()));
    let mut report = Report::new(output, progress);
    match Target::find(arguments, environment)? {
        Target::Running(url) => to_running(arguments, &url, secret, &mut report),
        Target::Own { config, silent_url } => {
            report.note(&format!(
                "nothing answers at {silent_url}: a Sextant is started on {} for this push",
                config.data_dir.display()
            ))?;
            target::on_its_own(*config, async |url| {
                push(arguments, url, secret, &mut report).await
            })
        }
    }
}

fn to_running(
    arguments: &Arguments,
    url: &str,
    secret: EnvironmentSecret,
    report: &mut Report<'_>,
) -> Result<ExitCode, PushError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(THREADS)
        .enable_all()
        .build()?;
    report.note(&format!("to the Sextant at {url}"))?;
    runtime.block_on(async {
        let stop = Stop::on_interrupt();
        let is_all_stored = push_until(arguments, url, secret, report, &stop).await?;
        Ok(match stop.is_asked() {
            true => ExitCode::from(EXIT_INTERRUPTED),
            false => exit_code(is_all_stored),
        })
    })
}

fn exit_code(is_all_stored: bool) -> ExitCode {
    match is_all_stored {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(SOMETHING_REFUSED),
    }
}

/// Pushes all files to the service at `url`; whether everything in them was stored.
pub async fn push(
    arguments: &Arguments,
    url: &str,
    secret: EnvironmentSecret,
    report: &mut Report<'_>,
) -> Result<bool, PushError> {
    push_until(arguments, url, secret, report, &Stop::default()).await
}

async fn push_until(
    arguments: &Arguments,
    url: &str,
    secret: EnvironmentSecret,
    report: &mut Report<'_>,
    stop: &Stop,
) -> Result<bool, PushError> {
    let pusher = Pusher::new(arguments, url, secret, report, stop).await?;
    pusher.push_all(&arguments.files).await
}
