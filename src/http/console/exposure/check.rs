use actix_web::web::{self, Json};
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;

use crate::doctor::{DoctorError, DoctorReport, DoctorStep, Finding, StepOutcome, Trouble};
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, NoFields};
use crate::http::schema;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/exposure/check",
    "Check, step by step, what stands between a hosted agent and an answer: the public address is called from here.",
    || web::to(check),
)
.answers(&[endpoint::json(200, schema::answer::<CheckReport>)])
.refuses(&[Code::Conflict, Code::Internal, Code::Unavailable]);

/// It runs to its end even when the caller leaves: the agent that it made is removed.
async fn check(
    parts: web::Data<Parts>,
    FromBody(NoFields {}): FromBody<NoFields>,
) -> Result<Json<CheckReport>, Problem> {
    to_the_end(async move {
        let is_console_name = |host: &_| parts.allowed_hosts.contains(host);
        let report = parts
            .doctor
            .run(|address| is_console_name(address.host()))
            .await?;
        Ok(Json(CheckReport::of(&report)))
    })
    .await
}

impl From<DoctorError> for Problem {
    fn from(error: DoctorError) -> Self {
        match error {
            DoctorError::NoAddress | DoctorError::Busy => {
                Self::new(Code::Conflict, error.to_string())
            }
            DoctorError::NoRandomness(cause) => cause.into(),
            DoctorError::Grants(cause) => cause.into(),
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct CheckReport {
    at: DateTime<Utc>,
    /// Whether no step failed.
    ok: bool,
    /// The first step that failed and what to do, else the first that should be better, else that all is well.
    message: String,
    /// All steps, in order.
    steps: Vec<StepView>,
}

#[derive(Serialize, JsonSchema)]
struct StepView {
    step: &'static str,
    /// What is checked.
    about: &'static str,
    outcome: OutcomeWord,
    /// What was seen, or is wrong; null where it was not tried.
    what: Option<String>,
    /// What to do; null where nothing is.
    remedy: Option<String>,
}

#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum OutcomeWord {
    /// It is as it should be.
    Passed,
    /// It goes on, and something is to be done.
    Warned,
    /// Nothing after it was tried.
    Failed,
    /// One before it failed.
    NotRun,
}

/// What was found last, in short.
#[derive(Serialize, JsonSchema)]
pub(in crate::http::console) struct LastCheck {
    at: DateTime<Utc>,
    /// Whether no step failed.
    ok: bool,
    /// The first step that failed and what to do, else the first that should be better, else that all is well.
    message: String,
}

impl LastCheck {
    /// As the doctor remembers it; nothing is reached.
    pub(in crate::http::console) fn of(parts: &Parts) -> Option<Self> {
        let report = parts.doctor.last()?;
        Some(Self {
            at: report.at,
            ok: report.ok,
            message: report.message(),
        })
    }
}

impl CheckReport {
    fn of(report: &DoctorReport) -> Self {
        Self {
            at: report.at,
            ok: report.ok,
            message: report.message(),
            steps: report.findings.iter().map(StepView::of).collect(),
        }
    }
}

impl StepView {
    fn of(finding: &Finding) -> Self {
        let told = |trouble: &Trouble| (Some(trouble.what.clone()), Some(trouble.remedy.clone()));
        let (outcome, (what, remedy)) = match &finding.outcome {
            StepOutcome::Passed(what) => (OutcomeWord::Passed, (Some(what.clone()), None)),
            StepOutcome::Warned(trouble) => (OutcomeWord::Warned, told(trouble)),
            StepOutcome::Failed(trouble) => (OutcomeWord::Failed, told(trouble)),
            StepOutcome::NotRun => (OutcomeWord::NotRun, (None, None)),
        };
        Self {
            step: DoctorStep::word(finding.step),
            about: finding.step.about(),
            outcome,
            what,
            remedy,
        }
    }
}
