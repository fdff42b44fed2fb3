//! `sextant push FILE... --connection ID`: files people have, through the ingest route (`interfaces.md` §1).
//!
//! Reads each file entry by entry, routes every record by its table to one of the connections, and sends them in
//! batches. What the importer, the routing or the server refuses is told by file, place and reason; the rest
//! goes on. Ids come from the files, so a push may be repeated, and a batch whose answer was lost is sent again.
//!
//! ```text
//! secrets.rs  which secret opens which connection     routes.rs  which connection takes which table
//! batch.rs    rows to one gzipped body                server.rs  the two routes it calls
//! verdict.rs  what an answer means (pure)             report.rs  what is told, and to whom
//! ```
//!
//! Knows neither the environment nor the terminal: `main` hands over the secret and the writers.

mod batch;
mod report;
mod routes;
mod secrets;
mod server;
mod verdict;

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use self::batch::{Batch, RECORD_BYTES_MAX};
pub use self::report::Report;
use self::routes::Routes;
pub use self::secrets::EnvironmentSecret;
use self::secrets::Secrets;
use self::server::Server;
use self::verdict::{Stored, Verdict};
use crate::import::{Entry, Fields, Options, Place, Source, entries};

/// Exit code when all went well but something was refused.
const SOMETHING_REFUSED: u8 = 1;

#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// Files to push: .ics, .ofx, .qfx, .jsonl
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// A push connection that takes the records of its table; may be given several times
    #[arg(long = "connection", required = true, value_name = "ID", value_parser = routes::connection_id)]
    pub connections: Vec<String>,
    /// Where Sextant listens
    #[arg(long, default_value = "http://127.0.0.1:8787")]
    pub url: String,
    /// Lines `<connection id> <secret>`; for a single connection SEXTANT_INGEST_SECRET does
    #[arg(long, value_name = "FILE")]
    pub secret_file: Option<PathBuf>,
    #[command(flatten)]
    pub options: Options,
}

/// Why a push could not be made, or not be finished. `main` prints it and exits with 2.
#[derive(Debug)]
pub enum PushError {
    /// No secret, or a secret file that cannot be used.
    Secret(String),
    /// A connection that does not exist or takes no pushes.
    Connection(String),
    /// The server could not be reached or did not take the push; what was sent before is stored.
    Server(String),
    Output(io::Error),
}

impl fmt::Display for PushError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Secret(text) | Self::Connection(text) | Self::Server(text) => f.write_str(text),
            Self::Output(error) => write!(f, "the report cannot be written: {error}"),
        }
    }
}

impl std::error::Error for PushError {}

impl From<io::Error> for PushError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Pushes and reports. 0: all is stored; 1: something was refused, and the report says what.
pub fn run<'a>(
    arguments: &Arguments,
    secret: EnvironmentSecret,
    output: &'a mut (dyn Write + Send + 'a),
    progress: Option<&'a mut (dyn Write + Send + 'a)>,
) -> Result<ExitCode, PushError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut report = Report::new(output, progress);
    let is_all_stored = runtime.block_on(push(arguments, secret, &mut report))?;
    Ok(match is_all_stored {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(SOMETHING_REFUSED),
    })
}

/// Pushes all files; whether everything in them was stored.
pub async fn push(
    arguments: &Arguments,
    secret: EnvironmentSecret,
    report: &mut Report<'_>,
) -> Result<bool, PushError> {
    let secrets = Secrets::read(
        &arguments.connections,
        arguments.secret_file.as_deref(),
        secret,
    )?;
    let server = Server::new(&arguments.url)?;
    let routes = Routes::new(&arguments.connections, server.connections().await)?;
    let batches = arguments
        .connections
        .iter()
        .map(|_| Batch::default())
        .collect();
    let mut pusher = Pusher {
        options: arguments.options.clone(),
        server,
        secrets,
        routes,
        batches,
        report,
    };
    for file in &arguments.files {
        pusher.push_file(file).await?;
    }
    Ok(pusher.report.finish()?)
}

struct Pusher<'a, 'b> {
    options: Options,
    server: Server,
    secrets: Secrets,
    routes: Routes,
    /// One for each connection.
    batches: Vec<Batch>,
    report: &'a mut Report<'b>,
}

impl Pusher<'_, '_> {
    async fn push_file(&mut self, path: &Path) -> Result<(), PushError> {
        self.report.begin(path)?;
        match entries(&Source::File(path.to_owned()), &self.options) {
            Err(error) => self.report.fail(&error.to_string())?,
            Ok(entries) => {
                for entry in entries {
                    match entry {
                        Ok(entry) => self.take(entry).await?,
                        Err(error) => {
                            self.report.fail(&error.to_string())?;
                            break;
                        }
                    }
                }
            }
        }
        for connection in 0..self.batches.len() {
            self.send(connection).await?;
        }
        self.report.end()?;
        Ok(())
    }

    async fn take(&mut self, entry: Entry) -> Result<(), PushError> {
        let (target, place, fields) = match entry {
            Entry::Record {
                target,
                place,
                fields,
            } => (target, place, fields),
            Entry::Refused { place, reason } => return Ok(self.report.refuse(&place, &reason)?),
        };
        match self.routes.find(target.as_deref()) {
            Ok(connection) => self.add(connection, place, &fields).await,
            Err(reason) => Ok(self.report.refuse(&place, &reason)?),
        }
    }

    async fn add(
        &mut self,
        connection: usize,
        place: Place,
        fields: &Fields,
    ) -> Result<(), PushError> {
        let Ok(row) = serde_json::to_vec(fields) else {
            return Ok(self.report.refuse(&place, "it cannot be written as JSON")?);
        };
        if row.len() > RECORD_BYTES_MAX {
            let reason = format!("the record is longer than {RECORD_BYTES_MAX} bytes");
            return Ok(self.report.refuse(&place, &reason)?);
        }
        if self
            .batches
            .get(connection)
            .is_some_and(|batch| !batch.has_room_for(&row))
        {
            self.send(connection).await?;
        }
        if let Some(batch) = self.batches.get_mut(connection) {
            batch.push(place, row);
        }
        Ok(())
    }

    /// Sends what waits for a connection, in halves if the server finds the whole too large.
    async fn send(&mut self, connection: usize) -> Result<(), PushError> {
        let waiting = self
            .batches
            .get_mut(connection)
            .map(std::mem::take)
            .unwrap_or_default();
        let id = self.routes.id(connection).to_owned();
        let secret = self.secrets.of(&id).to_owned();
        let mut pending = vec![waiting];
        while let Some(batch) = pending.pop().filter(|batch| !batch.is_empty()) {
            match self.server.push(&id, &secret, &batch).await? {
                Verdict::Stored(stored) => self.tell(&batch, &stored)?,
                Verdict::TooLarge if batch.len() > 1 => {
                    let (first, second) = batch.halves();
                    pending.extend([second, first]);
                }
                Verdict::TooLarge => self.refuse_all(&batch, verdict::TOO_LARGE)?,
                Verdict::Refused(reason) => self.refuse_all(&batch, &reason)?,
            }
        }
        Ok(())
    }

    fn tell(&mut self, batch: &Batch, stored: &Stored) -> io::Result<()> {
        for (index, reason) in &stored.rejected {
            if let Some(place) = batch.place(*index) {
                self.report.refuse(place, reason)?;
            }
        }
        self.report.store(stored, batch.len())
    }

    fn refuse_all(&mut self, batch: &Batch, reason: &str) -> io::Result<()> {
        batch
            .places()
            .try_for_each(|place| self.report.refuse(place, reason))
    }
}
