//! What follows from a source's failure: another try after a while, or a person. Pure.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use sextant_actors::domain::Sector;
use sextant_actors::ports::{RoundEnd, RoundReport, SourceProblem};
use sextant_connectors::failure::{FailureKind, RetryAfter, SourceFailure};

use super::limits::{BUSY_REST_FIRST, MAIL_REFUSALS_APART};

/// The source did not take the credential.
pub(super) const CREDENTIAL_REFUSED: &str = "credential_refused";
/// The consent of a bank has ended.
pub(super) const CONSENT_ENDED: &str = "consent_ended";
/// There is no credential that could be opened.
pub(super) const CREDENTIAL_MISSING: &str = "credential_missing";
/// Something was left out of a round that went well otherwise.
pub(super) const LEFT_OUT: &str = "left_out";

/// A problem as `connections.problem` keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeptProblem {
    pub code: String,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// When it was met first.
    pub since: DateTime<Utc>,
    /// When it was met last.
    pub at: DateTime<Utc>,
    /// How often, without another between.
    pub count: u32,
}

impl KeptProblem {
    /// The problem as it is kept from now on. The same settlement a second time changes nothing.
    pub(super) fn of(problem: &SourceProblem, before: Option<Self>, now: DateTime<Utc>) -> Self {
        let before = before.filter(|before| before.code == problem.code);
        let (since, count) = match &before {
            Some(before) if before.at == now => (before.since, before.count),
            Some(before) => (before.since, before.count.saturating_add(1)),
            None => (now, 1),
        };
        Self {
            code: problem.code.to_owned(),
            message: problem.message.clone(),
            status: problem.status,
            since,
            at: now,
            count,
        }
    }
}

/// How a round ends in which the source failed.
pub(super) fn of_failure(
    failure: &SourceFailure,
    (sector, is_stream): (Sector, bool),
    before: Option<&KeptProblem>,
    now: DateTime<Utc>,
) -> RoundReport {
    let wish = failure.retry_after.map(|after| instant(after, now));
    let end = match failure.kind {
        FailureKind::CredentialRefused => of_refusal((sector, is_stream), before, wish, now),
        FailureKind::SignInEnded | FailureKind::CredentialMissing => RoundEnd::NeedsPerson,
        _ => RoundEnd::Failed { retry_at: wish },
    };
    let problem = SourceProblem {
        code: code(failure.kind),
        message: match (&end, failure.kind) {
            (RoundEnd::NeedsPerson, FailureKind::SignInEnded) => {
                format!("{}; sign in again", failure.message)
            }
            (RoundEnd::NeedsPerson, _) => {
                format!("{}; enter the credential again", failure.message)
            }
            _ => failure.message.clone(),
        },
        status: failure.status,
    };
    RoundReport {
        problem: Some(problem),
        ..RoundReport::of(end)
    }
}

/// What ends a link of a bank is its consent, which the person gives at the bank, by linking it again.
pub(super) fn of_link(report: RoundReport, failure: &SourceFailure) -> RoundReport {
    match (failure.kind, &report.end) {
        (FailureKind::SignInEnded, RoundEnd::NeedsPerson) => RoundReport {
            problem: Some(SourceProblem {
                code: CONSENT_ENDED,
                message: format!("{}; link the bank again", failure.message),
                status: failure.status,
            }),
            ..report
        },
        _ => report,
    }
}

/// A provider that throttles says that it is busy, often without saying for how long: it is asked ever less often then, up to its longest
/// rest (providers rule 24).
pub(super) fn rested(
    report: RoundReport,
    failure: &SourceFailure,
    longest: Option<Duration>,
    before: Option<&KeptProblem>,
    now: DateTime<Utc>,
) -> RoundReport {
    let is_busy = matches!(failure.status, Some(429 | 503));
    let (Some(longest), true, RoundEnd::Failed { retry_at: None }) =
        (longest, is_busy, &report.end)
    else {
        return report;
    };
    let before = before.filter(|before| before.code == code(failure.kind));
    let met = before.map_or(0, |before| before.count);
    let doubled = 1_u32.checked_shl(met).unwrap_or(u32::MAX);
    let rest = BUSY_REST_FIRST.saturating_mul(doubled).min(longest);
    let retry_at = now.checked_add_signed(delta(rest));
    RoundReport {
        end: RoundEnd::Failed { retry_at },
        ..report
    }
}

/// A refused credential ends the trying: of a home at once, since it counts failed logins; of others when it was refused in two
/// rounds, since partitions and login limits refuse good ones now and then (providers rules 23, 24, 27).
fn of_refusal(
    (sector, is_stream): (Sector, bool),
    before: Option<&KeptProblem>,
    wish: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> RoundEnd {
    let apart = match sector {
        Sector::Mail => delta(MAIL_REFUSALS_APART),
        _ => TimeDelta::zero(),
    };
    let refused_since = before
        .filter(|before| before.code == CREDENTIAL_REFUSED)
        .map(|before| before.since);
    let is_hard = is_stream || refused_since.is_some_and(|since| now - since >= apart);
    if is_hard {
        return RoundEnd::NeedsPerson;
    }
    let again = refused_since.unwrap_or(now) + apart;
    let retry_at = (!apart.is_zero()).then_some(again);
    RoundEnd::Failed {
        retry_at: retry_at.max(wish),
    }
}

/// That the credential was revoked.
pub(super) fn revoked() -> RoundReport {
    person_needed(
        "revoked",
        "the credential was revoked here; enter it again".to_owned(),
    )
}

/// That the operator's application is gone, in words that say what to do.
pub(super) fn without_application(why: &str) -> RoundReport {
    person_needed(CREDENTIAL_MISSING, why.to_owned())
}

/// That there is no credential, in words that say what to do.
pub(super) fn without_credential(why: &str) -> RoundReport {
    person_needed(
        CREDENTIAL_MISSING,
        format!("{why}; enter the credential again"),
    )
}

fn person_needed(code: &'static str, message: String) -> RoundReport {
    let problem = SourceProblem {
        code,
        message,
        status: None,
    };
    RoundReport {
        problem: Some(problem),
        ..RoundReport::of(RoundEnd::NeedsPerson)
    }
}

/// The word for a kind of failure.
const fn code(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::CredentialRefused => CREDENTIAL_REFUSED,
        FailureKind::SignInEnded => "sign_in_ended",
        FailureKind::CredentialMissing => CREDENTIAL_MISSING,
        FailureKind::RateLimited => "rate_limited",
        FailureKind::Unavailable => "unavailable",
        FailureKind::Malformed => "malformed",
        FailureKind::TooLarge => "too_large",
        FailureKind::ForbiddenAddress => "forbidden_address",
        FailureKind::NotFound => "not_found",
        FailureKind::PositionLost => "position_lost",
        FailureKind::Rejected => "rejected",
    }
}

/// No wish of a source reaches beyond what a calendar holds.
fn instant(after: RetryAfter, now: DateTime<Utc>) -> DateTime<Utc> {
    now.checked_add_signed(delta(after.after(now.into())))
        .unwrap_or(DateTime::<Utc>::MAX_UTC)
}

fn delta(wait: Duration) -> TimeDelta {
    TimeDelta::from_std(wait).unwrap_or(TimeDelta::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minutes: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::minutes(minutes)
    }

    fn refused(sector: Sector, is_stream: bool, since: Option<i64>, now: i64) -> RoundEnd {
        let failure = SourceFailure::new(FailureKind::CredentialRefused, "no");
        let problem = SourceProblem {
            code: CREDENTIAL_REFUSED,
            message: String::new(),
            status: None,
        };
        let before = since.map(|since| KeptProblem::of(&problem, None, at(since)));
        of_failure(&failure, (sector, is_stream), before.as_ref(), at(now)).end
    }

    #[test]
    fn a_refused_credential_is_believed_when_it_was_refused_often_enough() {
        let again = |minutes| RoundEnd::Failed {
            retry_at: Some(at(minutes)),
        };
        let soon = RoundEnd::Failed { retry_at: None };
        for (sector, is_stream, since, now, expected) in [
            (Sector::Home, true, None, 5, RoundEnd::NeedsPerson),
            (Sector::Calendar, false, None, 5, soon),
            (Sector::Calendar, false, Some(5), 6, RoundEnd::NeedsPerson),
            (Sector::Mail, false, None, 5, again(65)),
            (Sector::Mail, false, Some(5), 30, again(65)),
            (Sector::Mail, false, Some(5), 65, RoundEnd::NeedsPerson),
        ] {
            assert_eq!(refused(sector, is_stream, since, now), expected);
        }
    }

    #[test]
    fn what_only_a_person_can_mend_is_not_tried_again() {
        for (kind, message) in [
            (FailureKind::SignInEnded, "over; sign in again"),
            (
                FailureKind::CredentialMissing,
                "over; enter the credential again",
            ),
        ] {
            let failure = SourceFailure::new(kind, "over");
            let report = of_failure(&failure, (Sector::Mail, false), None, at(0));
            assert_eq!(report.end, RoundEnd::NeedsPerson);
            assert_eq!(report.problem.unwrap().message, message);
        }
    }

    #[test]
    fn a_wish_of_the_source_is_an_instant() {
        let mut failure = SourceFailure::new(FailureKind::RateLimited, "slower");
        failure.retry_after = RetryAfter::parse("120");
        let report = of_failure(&failure, (Sector::Calendar, false), None, at(0));
        let retry_at = Some(at(2));
        assert_eq!(report.end, RoundEnd::Failed { retry_at });
        assert_eq!(report.problem.unwrap().code, "rate_limited");
    }

    #[test]
    fn a_busy_provider_is_asked_ever_less_often_up_to_its_longest_rest() {
        let busy = SourceFailure::of_status(503, None, "");
        let problem = SourceProblem {
            code: "unavailable",
            message: String::new(),
            status: Some(503),
        };
        let rest = |failure: &SourceFailure, longest: Option<u64>, met: u32| {
            let before = KeptProblem {
                count: met,
                ..KeptProblem::of(&problem, None, at(0))
            };
            let before = (met > 0).then_some(&before);
            let kind = (Sector::Calendar, false);
            let report = of_failure(failure, kind, before, at(0));
            let longest = longest.map(|hours| Duration::from_secs(hours * 3600));
            rested(report, failure, longest, before, at(0)).end
        };
        let minutes = |minutes| RoundEnd::Failed {
            retry_at: Some(at(minutes)),
        };
        let rests: Vec<_> = [0, 1, 4, 8, 9, 400]
            .into_iter()
            .map(|met| rest(&busy, Some(6), met))
            .collect();
        assert_eq!(rests, [1, 2, 16, 256, 360, 360].map(minutes));
        let as_any = RoundEnd::Failed { retry_at: None };
        assert_eq!(rest(&busy, None, 9), as_any);
        let broken = SourceFailure::of_status(500, None, "");
        assert_eq!(rest(&broken, Some(6), 9), as_any);
        let wished = SourceFailure::of_status(503, RetryAfter::parse("120"), "");
        assert_eq!(rest(&wished, Some(6), 9), minutes(2));
    }

    #[test]
    fn a_problem_is_counted_once_a_settlement() {
        let problem = SourceProblem {
            code: "unavailable",
            message: "away".to_owned(),
            status: None,
        };
        let first = KeptProblem::of(&problem, None, at(1));
        let again = KeptProblem::of(&problem, Some(first.clone()), at(1));
        assert_eq!(first, again);
        let second = KeptProblem::of(&problem, Some(first), at(2));
        assert_eq!((second.since, second.count), (at(1), 2));
    }
}
