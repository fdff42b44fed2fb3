//! Why there is no token: in the words of the actors, and in those of the connectors. Pure.

use chrono::{DateTime, TimeDelta, Utc};
use sextant_actors::ports::{SourceProblem, TokenRefusal};
use sextant_connectors::failure::{FailureKind, RetryAfter, SourceFailure};

use crate::store::provider_apps::AppError;
use crate::store::sign_ins::CredentialError;

/// The provider has ended the sign-in.
const ENDED: &str = "sign_in_ended";
/// There is nothing to ask with.
const MISSING: &str = "credential_missing";
/// The source asks for fewer requests.
const RATE_LIMITED: &str = "rate_limited";
/// It refuses what was asked, and no patience helps.
const REJECTED: &str = "rejected";
/// It does not work now.
const UNAVAILABLE: &str = "unavailable";

/// What a failure of the provider comes to; `hint` says what a dead sign-in there often has for its cause.
pub(super) fn of_failure(failure: &SourceFailure, hint: &str, now: DateTime<Utc>) -> TokenRefusal {
    let told = |code: &'static str, message: String| SourceProblem {
        code,
        message,
        status: failure.status,
    };
    match failure.kind {
        FailureKind::SignInEnded => {
            let message = match hint.trim_end_matches('.') {
                "" => failure.message.clone(),
                hint => format!("{} ({hint})", failure.message),
            };
            TokenRefusal::Ended(told(ENDED, message))
        }
        FailureKind::CredentialMissing => {
            TokenRefusal::Missing(told(MISSING, failure.message.clone()))
        }
        kind => TokenRefusal::Later {
            problem: told(
                match kind {
                    FailureKind::RateLimited => RATE_LIMITED,
                    FailureKind::Rejected => REJECTED,
                    _ => UNAVAILABLE,
                },
                failure.message.clone(),
            ),
            retry_at: failure.retry_after.map(|after| instant(after, now)),
        },
    }
}

/// What a credential that cannot be read comes to.
pub(super) fn of_credential(error: &CredentialError) -> TokenRefusal {
    match error {
        CredentialError::Store(cause) => {
            log::warn!("the tokens of a sign-in could not be read: {cause}");
            TokenRefusal::StoreAway
        }
        CredentialError::Revoked => missing("the sign-in was revoked here"),
        CredentialError::Absent => missing("there is no sign-in here"),
        CredentialError::Sealed(cause) => missing(&cause.to_string()),
    }
}

/// What an app that cannot be read comes to.
pub(super) fn of_app(error: &AppError) -> TokenRefusal {
    match error {
        AppError::Store(cause) => {
            log::warn!("the app of a provider could not be read: {cause}");
            TokenRefusal::StoreAway
        }
        // The credential is good, and is used again once the app is there: no verdict on it.
        AppError::Absent | AppError::Sealed(_) => TokenRefusal::Later {
            problem: SourceProblem {
                code: "app_missing",
                message: error.to_string(),
                status: None,
            },
            retry_at: None,
        },
    }
}

/// A provider that this version does not know.
pub(super) fn of_unknown_provider() -> TokenRefusal {
    missing("this version knows no such source")
}

/// The same for whoever asks a source; `None` when the database is away, which says nothing of the source.
pub(super) fn to_failure(refusal: TokenRefusal) -> Option<SourceFailure> {
    let (kind, problem, retry_at) = match refusal {
        TokenRefusal::Ended(problem) => (FailureKind::SignInEnded, problem, None),
        TokenRefusal::Missing(problem) => (FailureKind::CredentialMissing, problem, None),
        TokenRefusal::Later { problem, retry_at } => match problem.code {
            RATE_LIMITED => (FailureKind::RateLimited, problem, retry_at),
            REJECTED => (FailureKind::Rejected, problem, retry_at),
            _ => (FailureKind::Unavailable, problem, retry_at),
        },
        TokenRefusal::Lost => {
            let message = "no access token was had in time";
            return Some(SourceFailure::new(FailureKind::Unavailable, message));
        }
        TokenRefusal::StoreAway => return None,
    };
    Some(SourceFailure {
        status: problem.status,
        retry_after: retry_at.map(|at| RetryAfter::At(at.into())),
        ..SourceFailure::new(kind, problem.message)
    })
}

fn missing(why: &str) -> TokenRefusal {
    TokenRefusal::Missing(SourceProblem {
        code: MISSING,
        message: why.to_owned(),
        status: None,
    })
}

/// No wish of a provider reaches beyond what a calendar holds.
fn instant(after: RetryAfter, now: DateTime<Utc>) -> DateTime<Utc> {
    let wait = TimeDelta::from_std(after.after(now.into())).unwrap_or(TimeDelta::MAX);
    now.checked_add_signed(wait)
        .unwrap_or(DateTime::<Utc>::MAX_UTC)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn round_trip(failure: &SourceFailure, hint: &str) -> SourceFailure {
        to_failure(of_failure(failure, hint, DateTime::UNIX_EPOCH)).unwrap()
    }

    #[test]
    fn a_failure_is_the_same_on_both_sides() {
        for kind in [
            FailureKind::SignInEnded,
            FailureKind::CredentialMissing,
            FailureKind::RateLimited,
            FailureKind::Rejected,
            FailureKind::Unavailable,
        ] {
            let failure = SourceFailure {
                status: Some(400),
                ..SourceFailure::new(kind, "no")
            };
            assert_eq!(round_trip(&failure, ""), failure);
        }
    }

    #[test]
    fn a_dead_sign_in_tells_what_is_often_its_cause() {
        let failure = SourceFailure::new(FailureKind::SignInEnded, "ended");
        assert_eq!(round_trip(&failure, "Do this.").message, "ended (Do this)");
    }

    #[test]
    fn the_wish_of_a_provider_is_an_instant() {
        let mut failure = SourceFailure::new(FailureKind::RateLimited, "slower");
        failure.retry_after = Some(RetryAfter::Wait(Duration::from_secs(60)));
        let at = DateTime::UNIX_EPOCH + Duration::from_secs(60);
        let told = round_trip(&failure, "").retry_after;
        assert_eq!(told, Some(RetryAfter::At(at.into())));
        failure.retry_after = Some(RetryAfter::Wait(Duration::MAX));
        assert!(round_trip(&failure, "").retry_after.is_some());
    }

    #[test]
    fn a_database_that_is_away_says_nothing_of_the_source() {
        assert_eq!(to_failure(TokenRefusal::StoreAway), None);
    }
}
