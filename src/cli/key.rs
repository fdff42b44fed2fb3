//! `sextant key rotate`: has the service seal all credentials with a new key (docs/operating.md#credentials).

use std::fmt;
use std::io;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand};
use reqwest::ClientBuilder;
use serde::Deserialize;

use super::Terminal;
use super::client::client;
use super::counted::counted;
use super::exchange::{self, refusal};
use super::service::{
    ANSWER_MAX, ServiceAddress, ServiceError, ServiceOptions, Store, configuration, report_outcome,
    with_service,
};
use crate::config::Environment;

/// How long the service may take: it seals some credentials, and writes a file twice.
const SILENCE_MAX: Duration = Duration::from_secs(120);

#[derive(Debug, Clone, Args)]
pub(crate) struct KeyArguments {
    #[command(subcommand)]
    act: KeyAct,
}

#[derive(Debug, Clone, Subcommand)]
enum KeyAct {
    /// Seal all credentials with a new key
    ///
    /// The old key goes when all are sealed with the new one. Where SEXTANT_KEY holds the key, start the service with a new one there
    /// and the old one in SEXTANT_KEY_PREVIOUS first.
    Rotate(ServiceOptions),
}

/// Why the key stayed.
#[derive(Debug)]
pub(crate) enum KeyCommandError {
    /// The service could not be asked, or has not answered.
    Lost(String),
    /// The service refused, in its own words.
    Refused(String),
    Output(io::Error),
}

/// What the service answers.
#[derive(Debug, Deserialize)]
struct KeySummary {
    resealed: u64,
    lost: u64,
}

/// Rotates, and says how many credentials were sealed. 0: done; 2: not done; 130: stopped.
pub(crate) fn run(
    arguments: &KeyArguments,
    environment: Environment,
    terminal: &mut Terminal<'_>,
) -> ExitCode {
    let KeyAct::Rotate(service) = &arguments.act;
    let done = rotate(service, environment, terminal);
    report_outcome(done, terminal)
}

fn rotate(
    service: &ServiceOptions,
    environment: Environment,
    terminal: &mut Terminal<'_>,
) -> Result<(), ServiceError<KeyCommandError>> {
    let config = configuration(service, environment).map_err(ServiceError::Config)?;
    let summary = with_service(service, config, Store::MustBeThere, ask)?;
    say(&summary, terminal).map_err(|cause| ServiceError::Work(KeyCommandError::Output(cause)))
}

async fn ask(place: &ServiceAddress) -> Result<KeySummary, KeyCommandError> {
    let limits =
        |limits: ClientBuilder| limits.connect_timeout(ANSWER_MAX).read_timeout(SILENCE_MAX);
    let client = client(limits).map_err(KeyCommandError::Lost)?;
    let lost = |cause: reqwest::Error| KeyCommandError::Lost(exchange::lost(&cause));
    let request = client.post(format!("{}/api/key/rotate", place.url));
    let answer = request.send().await.map_err(lost)?;
    match answer.status().is_success() {
        true => answer.json().await.map_err(lost),
        false => Err(KeyCommandError::Refused(refusal(answer).await)),
    }
}

fn say(summary: &KeySummary, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let resealed = counted(summary.resealed, "credential");
    writeln!(terminal.out, "{resealed} sealed with the new key")?;
    if summary.lost > 0 {
        let lost = counted(summary.lost, "credential");
        writeln!(
            terminal.out,
            "{lost} left: the key is not here; enter them again"
        )?;
    }
    terminal.out.flush()
}

impl fmt::Display for KeyCommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost(cause) => write!(
                f,
                "the answer broke off: {cause}; every credential opens still, and the command can be repeated"
            ),
            Self::Refused(words) => f.write_str(words),
            Self::Output(cause) => write!(f, "it is done, but nothing can be printed: {cause}"),
        }
    }
}

impl std::error::Error for KeyCommandError {}
