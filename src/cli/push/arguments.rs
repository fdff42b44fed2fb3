//! The command line of `sextant push`.
//!
//! The comments of its fields are the text of `sextant push --help`.

use std::path::PathBuf;

use clap::Args;

use super::file_options::FileOptions;
use crate::cli::service::ServiceOptions;
use crate::intake::connection_id;

#[derive(Debug, Clone, Default, Args)]
pub struct PushArguments {
    /// Files (also as .gz), folders, patterns such as 'mail/*.eml', Maildirs, and archives (.zip, .tgz, .tar)
    #[arg(required = true, value_name = "PATH")]
    pub files: Vec<PathBuf>,
    /// A push connection that takes the records of its table; may be given several times [default: those in the secret
    /// file]
    #[arg(long = "connection", value_name = "ID", value_parser = connection_id)]
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
