//! What a check has found: a value for each step, and what it comes to.

use chrono::{DateTime, Utc};

use super::step::DoctorStep;

/// One step, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub step: DoctorStep,
    pub outcome: StepOutcome,
}

/// What became of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StepOutcome {
    /// What was seen.
    Passed(String),
    /// It goes on, and something is to be done.
    Warned(Trouble),
    /// Nothing after it was tried.
    Failed(Trouble),
    /// One before it failed.
    NotRun,
}

/// What is wrong, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trouble {
    pub what: String,
    pub remedy: String,
}

/// All steps of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DoctorReport {
    pub at: DateTime<Utc>,
    /// Whether no step failed.
    pub ok: bool,
    pub findings: Vec<Finding>,
}

/// What a step has seen that lets the next one be tried.
pub(super) struct Seen<T = ()> {
    outcome: StepOutcome,
    found: T,
}

/// What a step comes to.
pub(super) type StepVerdict<T = ()> = Result<Seen<T>, Trouble>;

/// A step has failed: there is nothing to try after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StepFailed;

/// The steps that were tried, in order.
#[derive(Default)]
pub(super) struct Findings(Vec<Finding>);

impl Trouble {
    pub(super) fn new(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            remedy: remedy.into(),
        }
    }
}

impl Seen {
    /// All is well with it.
    pub(super) fn well(what: impl Into<String>) -> Self {
        Seen {
            outcome: StepOutcome::Passed(what.into()),
            found: (),
        }
    }

    /// It goes on, but not as it should.
    pub(super) const fn doubtful(trouble: Trouble) -> Self {
        Seen {
            outcome: StepOutcome::Warned(trouble),
            found: (),
        }
    }

    /// The same, with what the next step works with.
    pub(super) fn with<T>(self, found: T) -> Seen<T> {
        Seen {
            outcome: self.outcome,
            found,
        }
    }
}

impl Findings {
    /// Notes what a step came to, and hands over what it found.
    pub(super) fn note<T>(
        &mut self,
        step: DoctorStep,
        verdict: StepVerdict<T>,
    ) -> Result<T, StepFailed> {
        let (outcome, found) = match verdict {
            Ok(Seen { outcome, found }) => (outcome, Ok(found)),
            Err(trouble) => (StepOutcome::Failed(trouble), Err(StepFailed)),
        };
        self.0.push(Finding { step, outcome });
        found
    }

    /// The whole report: steps that were not tried are named as such.
    pub(super) fn into_report(self, at: DateTime<Utc>) -> DoctorReport {
        let mut findings = self.0;
        let failed = |finding: &Finding| matches!(finding.outcome, StepOutcome::Failed(_));
        let ok = !findings.iter().any(failed);
        let untried = DoctorStep::ALL.into_iter().skip(findings.len());
        let untried: Vec<Finding> = untried
            .map(|step| Finding {
                step,
                outcome: StepOutcome::NotRun,
            })
            .collect();
        findings.extend(untried);
        DoctorReport { at, ok, findings }
    }
}

impl DoctorReport {
    /// The whole of it in a sentence or two: the first step that failed, else the first that should be better.
    pub(crate) fn message(&self) -> String {
        let troubles = self.findings.iter().filter_map(Finding::trouble);
        let failed = troubles.clone().find(|(is_failure, _)| *is_failure);
        match failed.or_else(|| troubles.clone().next()) {
            Some((_, Trouble { what, remedy })) => format!("{what} {remedy}"),
            None => "Hosted agents can reach this Sextant.".to_owned(),
        }
    }
}

impl Finding {
    /// What is wrong, and whether it ended the check.
    fn trouble(&self) -> Option<(bool, &Trouble)> {
        match &self.outcome {
            StepOutcome::Failed(trouble) => Some((true, trouble)),
            StepOutcome::Warned(trouble) => Some((false, trouble)),
            StepOutcome::Passed(_) | StepOutcome::NotRun => None,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// What a verdict comes to, and what was seen or is wrong.
    pub(in crate::doctor) fn told(verdict: StepVerdict) -> (&'static str, String) {
        match verdict.map(|seen| seen.outcome) {
            Ok(StepOutcome::Passed(what)) => ("passed", what),
            Ok(StepOutcome::Warned(trouble)) => ("warned", trouble.what),
            Ok(StepOutcome::Failed(trouble)) | Err(trouble) => ("failed", trouble.what),
            Ok(StepOutcome::NotRun) => ("not_run", String::new()),
        }
    }

    fn report(findings: Findings) -> DoctorReport {
        findings.into_report(DateTime::UNIX_EPOCH)
    }

    #[test]
    fn after_the_first_failure_nothing_was_tried() {
        let mut findings = Findings::default();
        assert!(
            findings
                .note(DoctorStep::Resolves, Ok(Seen::well("Seen.")))
                .is_ok()
        );
        let failed = findings.note::<()>(DoctorStep::Public, Err(Trouble::new("A.", "B.")));
        assert_eq!(failed, Err(StepFailed));
        let report = report(findings);
        assert!(!report.ok);
        assert_eq!(report.message(), "A. B.");
        let steps: Vec<_> = report.findings.iter().map(|finding| finding.step).collect();
        assert_eq!(steps, DoctorStep::ALL);
        let untried = report.findings.iter().skip(2);
        assert!(
            untried
                .clone()
                .all(|finding| finding.outcome == StepOutcome::NotRun)
        );
    }

    #[test]
    fn a_warning_is_told_but_does_not_fail_the_whole() {
        let mut findings = Findings::default();
        for step in DoctorStep::ALL {
            let seen = match step {
                DoctorStep::Funnel => Seen::doubtful(Trouble::new("Odd.", "Mend it.")),
                _ => Seen::well("Seen."),
            };
            findings.note(step, Ok(seen)).unwrap();
        }
        let report = report(findings);
        assert!(report.ok);
        assert_eq!(report.message(), "Odd. Mend it.");
    }

    #[test]
    fn every_step_has_a_word_of_its_own() {
        let mut words: Vec<_> = DoctorStep::ALL.map(DoctorStep::word).into();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), DoctorStep::ALL.len());
    }
}
