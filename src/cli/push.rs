//! `sextant push PATH...`: what people have in files, through the ingest route (docs/pushing.md#files).
//!
//! `crate::intake` reads the files and routes every record by its table to one of the connections, in batches; here is the
//! sink that sends those batches, and the listener that prints. What the importer, the routing or the server refuses is told
//! by file, place and reason; the rest goes on. Ids come from the files, so a push may be repeated, and a batch whose answer
//! was lost is sent again. Ctrl-C ends it after the answer that is awaited: what the table names as stored is stored.
//!
//! ```text
//! http_sink.rs  where records go, over HTTP                 stop.rs    Ctrl-C
//! secrets.rs  which secret opens which connection           routes.rs  which connections there are to choose from
//! create.rs   connections that are made or taken over       listing.rs which connections there are
//! target.rs   which service it speaks to                    server.rs  the routes it calls
//! verdict.rs  what an answer means (pure)                   report.rs  the lines and the table that are printed
//! arguments.rs, file_options.rs  the command line           error.rs   why a push could not be made
//! ```
//!
//! Knows neither the environment nor the terminal: the caller hands over the secret, the writer and where a bar is drawn.

mod arguments;
mod create;
mod error;
mod exit_code;
mod file_options;
mod http_sink;
mod listing;
mod report;
mod routes;
mod secrets;
mod server;
mod stop;
mod target;
mod verdict;

use std::io::Write;
use std::process::ExitCode;

use indicatif::ProgressDrawTarget;
use sextant_formats::FileWalk;

pub use self::arguments::PushArguments;
pub use self::error::PushError;
use self::exit_code::exit_code;
use self::http_sink::HttpSink;
pub use self::report::Report;
pub use self::secrets::EnvironmentSecret;
use self::stop::on_interrupt;
use self::target::PushTarget;
use super::EXIT_INTERRUPTED;
use crate::config::Environment;
use crate::intake::{Answers, FileLoader, StopRequest};

/// Reading and sending on one thread, Ctrl-C heard on the other.
const THREADS: usize = 1;

const STOPPED: &str = "Stopped. What the table names as stored is stored; run the same push again for the rest, nothing is stored twice.";

/// Pushes and reports. 0: all is stored; 1: something was refused, left out or not read, and the report says what; 130: stopped.
pub fn run<'a>(
    arguments: &PushArguments,
    environment: Environment,
    output: &'a mut (dyn Write + Send + 'a),
    progress: Option<ProgressDrawTarget>,
) -> Result<ExitCode, PushError> {
    let environment = environment.with_dotenv().map_err(PushError::Config)?;
    let secret = environment.ingest_secret();
    let secret = EnvironmentSecret(secret.map(|secret| secret.expose().to_owned()));
    let mut report = Report::new(output, progress);
    match PushTarget::find(arguments, environment)? {
        PushTarget::Running(url) => to_running(arguments, &url, secret, &mut report),
        PushTarget::Own { config, silent_url } => {
            report.note(&format!(
                "nothing answers at {silent_url}: a Sextant is started on {} for this push",
                config.data_dir.display()
            ))?;
            target::with_own_service(*config, async |url| {
                push(arguments, url, secret, &mut report).await
            })
        }
    }
}

fn to_running(
    arguments: &PushArguments,
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
        let stop = on_interrupt();
        let is_all_stored = push_until(arguments, url, secret, report, &stop).await?;
        Ok(match stop.is_asked() {
            true => ExitCode::from(EXIT_INTERRUPTED),
            false => exit_code(is_all_stored),
        })
    })
}

/// Pushes all files to the service at `url`; whether everything in them was stored.
pub async fn push(
    arguments: &PushArguments,
    url: &str,
    secret: EnvironmentSecret,
    report: &mut Report<'_>,
) -> Result<bool, PushError> {
    push_until(arguments, url, secret, report, &StopRequest::default()).await
}

async fn push_until(
    arguments: &PushArguments,
    url: &str,
    secret: EnvironmentSecret,
    report: &mut Report<'_>,
    stop: &StopRequest,
) -> Result<bool, PushError> {
    if arguments.dry_run {
        report.rehearse();
    }
    let mut sink = HttpSink::new(arguments, url, secret, report).await?;
    let answers = Answers::of_all(arguments.options.clone().into());
    let mut walk = FileWalk::new(&arguments.files);
    let mut loader = FileLoader::new(answers, arguments.create, (&mut sink, report), stop);
    let pushed = loader.load(&mut walk).await;
    if stop.is_asked() {
        report.note(STOPPED)?;
    }
    // Whatever ended it, the table says what was stored.
    let is_all_stored = report.finish(walk.passed_over())?;
    pushed.map(|()| is_all_stored)
}
