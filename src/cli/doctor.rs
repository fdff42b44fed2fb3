//! `sextant doctor`: asks the running service what stands between a hosted agent and an answer (docs/operating.md#doctor).
//!
//! The service checks; the command prints a line a step, and what to do below the one that failed.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use serde::Deserialize;

use super::client::client;
use super::exchange::{self, refusal};
use super::service::{
    ANSWER_MAX, ServiceError, ServiceOptions, answers, configuration, report_outcome,
};
use super::{Terminal, logging};
use crate::config::Environment;

/// How long the service may check: each of its steps has a limit of its own.
const CHECK_MAX: Duration = Duration::from_secs(5 * 60);

#[derive(Debug, Clone, Default, Args)]
pub(crate) struct DoctorArguments {
    #[command(flatten)]
    service: ServiceOptions,
}

/// Why nothing was checked.
#[derive(Debug)]
pub(crate) enum DoctorCommandError {
    /// The service could not be asked, or has not answered.
    Lost(String),
    /// The service refused, in its own words.
    Refused(String),
    Output(io::Error),
}

impl fmt::Display for DoctorCommandError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost(cause) => write!(formatter, "the check broke off: {cause}"),
            Self::Refused(words) => formatter.write_str(words),
            Self::Output(cause) => write!(formatter, "nothing can be printed: {cause}"),
        }
    }
}

impl std::error::Error for DoctorCommandError {}

/// What the service answers.
#[derive(Debug, Deserialize)]
struct CheckAnswer {
    ok: bool,
    message: String,
    steps: Vec<CheckedStep>,
}

#[derive(Debug, Deserialize)]
struct CheckedStep {
    step: String,
    outcome: CheckedOutcome,
    what: Option<String>,
    remedy: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum CheckedOutcome {
    Passed,
    Warned,
    Failed,
    NotRun,
}

/// Checks, and prints what was found. 0: no step failed; 1: one did; 2: nothing was checked; 130: stopped.
pub(crate) fn run(
    arguments: &DoctorArguments,
    environment: Environment,
    terminal: &mut Terminal<'_>,
) -> ExitCode {
    match check(arguments, environment, terminal) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => report_outcome(Err(error), terminal),
    }
}

/// Whether no step failed. No service is started for it: what is checked is the one that others reach.
fn check(
    arguments: &DoctorArguments,
    environment: Environment,
    terminal: &mut Terminal<'_>,
) -> Result<bool, ServiceError<DoctorCommandError>> {
    let config = configuration(&arguments.service, environment).map_err(ServiceError::Config)?;
    logging::start(&config.log_filter);
    let url = arguments.service.url(&config);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(ServiceError::System)?;
    if !runtime.block_on(answers(&url)) {
        return Err(ServiceError::Silent(url));
    }
    let asking = async {
        tokio::select! {
            biased;
            _ = tokio::signal::ctrl_c() => Err(ServiceError::Interrupted),
            asked = ask(&url) => asked.map_err(ServiceError::Work),
        }
    };
    let report = runtime.block_on(asking)?;
    say(&report, terminal.out)
        .map_err(|cause| ServiceError::Work(DoctorCommandError::Output(cause)))?;
    Ok(report.ok)
}

async fn ask(url: &str) -> Result<CheckAnswer, DoctorCommandError> {
    let lost = |cause: reqwest::Error| DoctorCommandError::Lost(exchange::lost(&cause));
    let client = client(|limits| limits.connect_timeout(ANSWER_MAX).timeout(CHECK_MAX));
    let client = client.map_err(DoctorCommandError::Lost)?;
    let check = client.post(format!("{url}/api/exposure/check"));
    let answer = check.send().await.map_err(lost)?;
    if answer.status().is_success() {
        return answer.json().await.map_err(lost);
    }
    Err(DoctorCommandError::Refused(refusal(answer).await))
}

fn say(report: &CheckAnswer, out: &mut (dyn Write + Send)) -> io::Result<()> {
    for step in &report.steps {
        let what = step.what.as_deref().unwrap_or("not tried");
        writeln!(out, "{} {}: {what}", step.outcome.mark(), step.step)?;
        if let Some(remedy) = &step.remedy {
            writeln!(out, "       {remedy}")?;
        }
    }
    if report.ok {
        writeln!(out, "\n{}", report.message)?;
    }
    out.flush()
}

impl CheckedOutcome {
    const fn mark(self) -> &'static str {
        match self {
            Self::Passed => "[ ok ]",
            Self::Warned => "[warn]",
            Self::Failed => "[fail]",
            Self::NotRun => "[    ]",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_a_line_and_what_to_do_stands_below_it() {
        let report = serde_json::json!({
            "ok": false, "message": "m",
            "steps": [
                { "step": "resolves", "outcome": "passed", "what": "Found.", "remedy": null },
                { "step": "public", "outcome": "failed", "what": "Private.", "remedy": "Publish it." },
                { "step": "port", "outcome": "not_run", "what": null, "remedy": null },
            ]
        });
        let report = serde_json::from_value(report).unwrap();
        let mut out = Vec::new();
        say(&report, &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "[ ok ] resolves: Found.\n[fail] public: Private.\n       Publish it.\n[    ] port: not tried\n"
        );
    }
}
