//! `sextant export [FILE]`: everything that is stored, or one sector of it, in one file (docs/operating.md#export-and-import).
//!
//! The bundle is received into a temporary file beside its target, checked against its manifest, and only then renamed: a file with
//! that name is whole. Nobody but its owner may read it.

mod error;
mod received;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use indicatif::ProgressDrawTarget;
use sextant_actors::clock::{Clock as _, SystemClock};
use sextant_actors::domain::Sector;

use self::received::Received;
use super::Terminal;
use super::counted::counted;
use super::service::{
    ServiceAddress, ServiceError, ServiceOptions, Store, configuration, report_outcome,
    with_service,
};
use super::table::align_columns;
use crate::config::Environment;
use crate::export::manifest::Manifest;

pub(crate) use error::ExportCommandError;

/// The file that stands for standard output.
const STANDARD_OUTPUT: &str = "-";

#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ExportArguments {
    #[expect(rustdoc::invalid_html_tags, reason = "a help text")]
    /// Where to save it; - is standard output [default: sextant-<date>.zip in this folder]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Only this sector, and nothing of the record
    #[arg(long, value_parser = sector)]
    sector: Option<Sector>,
    /// Replace FILE if it is there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    service: ServiceOptions,
}

/// Exports, and prints what is inside. 0: the file is there, and whole; 2: it is not; 130: stopped.
pub(crate) fn run(
    arguments: ExportArguments,
    environment: Environment,
    terminal: &mut Terminal<'_>,
) -> ExitCode {
    let done = export(arguments, environment, terminal);
    report_outcome(done, terminal)
}

fn export(
    arguments: ExportArguments,
    environment: Environment,
    terminal: &mut Terminal<'_>,
) -> Result<(), ServiceError<ExportCommandError>> {
    let config = configuration(&arguments.service, environment).map_err(ServiceError::Config)?;
    let today = SystemClock
        .now()
        .with_timezone(&config.zone.zone)
        .date_naive();
    let usual = || match arguments.sector {
        Some(sector) => PathBuf::from(format!("sextant-{sector}-{today}.zip")),
        None => PathBuf::from(format!("sextant-{today}.zip")),
    };
    let target = OutputFile {
        path: arguments.file.clone().unwrap_or_else(usual),
        replaces: arguments.force,
    };
    target.check().map_err(ServiceError::Work)?;
    let bar = terminal.is_watched.then(ProgressDrawTarget::stderr);
    let receive = async |place: &ServiceAddress| {
        let into = target.receiving()?;
        received::receive(place, arguments.sector, into, bar).await
    };
    let work = with_service(&arguments.service, config, Store::MustBeThere, receive)?;
    target.keep(work, terminal).map_err(ServiceError::Work)
}

/// The file to write, or standard output.
struct OutputFile {
    path: PathBuf,
    replaces: bool,
}

impl OutputFile {
    fn is_standard_output(&self) -> bool {
        self.path.as_os_str() == STANDARD_OUTPUT
    }

    /// Refuses a file that is there already, before the service is asked.
    fn check(&self) -> Result<(), ExportCommandError> {
        match self.path.symlink_metadata() {
            Ok(_) if !self.replaces && !self.is_standard_output() => {
                Err(ExportCommandError::Present(self.path.clone()))
            }
            _ => Ok(()),
        }
    }

    /// A temporary file beside it that nobody else may read; it is deleted unless it is renamed.
    fn receiving(&self) -> Result<tempfile::NamedTempFile, ExportCommandError> {
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix(".sextant-export-");
        let folder = self
            .path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let made = match folder {
            _ if self.is_standard_output() => builder.tempfile(),
            Some(folder) => builder.tempfile_in(folder),
            None => builder.tempfile_in("."),
        };
        made.map_err(|cause| self.file(pathless(cause)))
    }

    /// Renames it, and prints what is inside; with standard output as the target the file is printed there, and the summary on
    /// standard error.
    fn keep(
        &self,
        received: Received,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), ExportCommandError> {
        let Received { mut file, manifest } = received;
        if self.is_standard_output() {
            io::Seek::rewind(&mut file).map_err(|cause| self.file(cause))?;
            io::copy(&mut file, terminal.out).map_err(ExportCommandError::Output)?;
            terminal.out.flush().map_err(ExportCommandError::Output)?;
            return say(&manifest, "standard output", terminal.err);
        }
        file.as_file()
            .sync_all()
            .map_err(|cause| self.file(cause))?;
        let kept = match self.replaces {
            true => file.persist(&self.path),
            false => file.persist_noclobber(&self.path),
        };
        kept.map_err(|refused| match refused.error.kind() {
            io::ErrorKind::AlreadyExists => ExportCommandError::Present(self.path.clone()),
            _ => self.file(refused.error),
        })?;
        say(&manifest, &self.path.display().to_string(), terminal.out)
    }

    fn file(&self, cause: io::Error) -> ExportCommandError {
        let path = self.path.clone();
        ExportCommandError::File { path, cause }
    }
}

/// The cause without the path of the temporary file.
fn pathless(cause: io::Error) -> io::Error {
    match cause.kind() {
        io::ErrorKind::NotFound => io::Error::new(cause.kind(), "there is no such folder"),
        kind => kind.into(),
    }
}

fn say(
    manifest: &Manifest,
    place: &str,
    out: &mut (dyn Write + Send),
) -> Result<(), ExportCommandError> {
    let row = |name: &str, rows: &str, bytes: u64| {
        vec![name.to_owned(), rows.to_owned(), bytes.to_string()]
    };
    let mut rows = vec![vec!["".to_owned(), "rows".to_owned(), "bytes".to_owned()]];
    for (name, table) in &manifest.tables {
        rows.push(row(name, &table.rows.to_string(), table.bytes));
    }
    for (name, file) in &manifest.files {
        rows.push(row(name, "", file.bytes));
    }
    let mut told = align_columns(&rows, &[1, 2]).join("\n");
    told += &format!(
        "\n\n{} in {place}, whole by its own account",
        counted(manifest.rows(), "row")
    );
    writeln!(out, "{told}").map_err(ExportCommandError::Output)
}

fn sector(word: &str) -> Result<Sector, String> {
    word.parse().map_err(|_unknown| {
        let names = Sector::ALL.map(Sector::name).join(", ");
        format!("there is no such sector; there are {names}")
    })
}
