//! Sign-ins that a person has begun in a browser and not come back from, and what became of those that came back.
//!
//! They are kept in memory alone: a state and a verifier serve ten minutes, and are secrets that need not be stored. After a restart a
//! browser that comes back is told to begin anew.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use sextant_connectors::oauth::PkceVerifier;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::outcome::ConsentOutcome;

/// How long a browser may be away (providers rule 6).
const ATTEMPT_LIFE: Duration = Duration::from_secs(10 * 60);
/// Sign-ins that are under way at one time; one more ends the oldest.
const ATTEMPTS_MAX: usize = 32;
/// How long it is told what became of one.
const OUTCOME_LIFE: Duration = Duration::from_secs(60 * 60);
/// Outcomes that are kept at one time; one more ends the oldest.
const OUTCOMES_MAX: usize = 64;

/// The SHA-256 of a text that only one browser and this service know. How long two of them take to be compared tells nothing of the texts.
type Fingerprint = [u8; 32];

/// A sign-in that a person has begun.
#[derive(Clone, Debug)]
pub(super) struct ConsentAttempt {
    pub id: Uuid,
    /// The provider's word.
    pub provider: &'static str,
    /// What the token request is made with, where the provider takes a challenge.
    pub verifier: Option<PkceVerifier>,
    /// The sign-in that is to be renewed.
    pub renews: Option<Uuid>,
    state: Fingerprint,
    browser: Fingerprint,
    begun_at: DateTime<Utc>,
}

/// What is begun.
pub(super) struct NewAttempt<'a> {
    pub id: Uuid,
    pub provider: &'static str,
    pub verifier: Option<PkceVerifier>,
    pub renews: Option<Uuid>,
    /// What the provider sends back.
    pub state: &'a str,
    /// What the browser sends along.
    pub browser: &'a str,
}

/// All that are under way, and those that have ended; shared.
#[derive(Clone, Debug, Default)]
pub struct Attempts(Arc<Mutex<KeptAttempts>>);

#[derive(Debug, Default)]
struct KeptAttempts {
    open: VecDeque<ConsentAttempt>,
    ended: VecDeque<(DateTime<Utc>, ConsentOutcome)>,
}

impl Attempts {
    pub(super) fn begin(&self, new: NewAttempt<'_>, now: DateTime<Utc>) {
        let mut kept = self.kept(now);
        if kept.open.len() >= ATTEMPTS_MAX {
            kept.open.pop_front();
        }
        kept.open.push_back(ConsentAttempt {
            id: new.id,
            provider: new.provider,
            verifier: new.verifier,
            renews: new.renews,
            state: fingerprint(new.state),
            browser: fingerprint(new.browser),
            begun_at: now,
        });
    }

    /// Takes the attempt of this state, which serves once, whoever brings it; `None` unless it is of this provider and this browser.
    pub(super) fn take(
        &self,
        provider: &str,
        state: &str,
        browser: Option<&str>,
        now: DateTime<Utc>,
    ) -> Option<ConsentAttempt> {
        let state = fingerprint(state);
        let mut kept = self.kept(now);
        let mut open = kept.open.iter();
        let place = open.position(|own| own.state == state)?;
        let taken = kept.open.remove(place)?;
        let browser = fingerprint(browser?);
        let is_own = taken.browser == browser && taken.provider == provider;
        is_own.then_some(taken)
    }

    /// Keeps what became of one.
    pub(super) fn end(&self, outcome: ConsentOutcome, now: DateTime<Utc>) {
        let mut kept = self.kept(now);
        kept.ended.retain(|(_, before)| before.id != outcome.id);
        if kept.ended.len() >= OUTCOMES_MAX {
            kept.ended.pop_front();
        }
        kept.ended.push_back((now, outcome));
    }

    /// What became of one, as far as that is known.
    pub(super) fn outcome(&self, id: Uuid, now: DateTime<Utc>) -> Option<ConsentOutcome> {
        let kept = self.kept(now);
        let mut ended = kept.ended.iter();
        if let Some((_, outcome)) = ended.find(|(_, outcome)| outcome.id == id) {
            return Some(outcome.clone());
        }
        let open = kept.open.iter().find(|own| own.id == id)?;
        Some(ConsentOutcome::pending(id, open.provider))
    }

    /// All of them but those whose time is over.
    fn kept(&self, now: DateTime<Utc>) -> MutexGuard<'_, KeptAttempts> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.open
            .retain(|own| is_within(own.begun_at, ATTEMPT_LIFE, now));
        kept.ended
            .retain(|(at, _)| is_within(*at, OUTCOME_LIFE, now));
        kept
    }
}

fn is_within(since: DateTime<Utc>, life: Duration, now: DateTime<Utc>) -> bool {
    now - since < TimeDelta::from_std(life).unwrap_or(TimeDelta::MAX)
}

fn fingerprint(text: &str) -> Fingerprint {
    Sha256::digest(text).into()
}

#[cfg(test)]
mod tests {
    use sextant_actors::random;

    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)
    }

    fn begun(attempts: &Attempts, state: &str) -> Uuid {
        let id = random::identifier().unwrap();
        attempts.begin(
            NewAttempt {
                id,
                provider: "google",
                verifier: None,
                renews: None,
                state,
                browser: "cookie",
            },
            at(0),
        );
        id
    }

    #[test]
    fn a_state_serves_once_and_for_ten_minutes() {
        let attempts = Attempts::default();
        let id = begun(&attempts, "s");
        assert_eq!(attempts.outcome(id, at(1)).unwrap().id, id);
        let take = |seconds| attempts.take("google", "s", Some("cookie"), at(seconds));
        assert_eq!(take(599).unwrap().id, id);
        assert!(take(599).is_none());
        begun(&attempts, "s");
        assert!(take(600).is_none());
    }

    #[test]
    fn another_browser_or_provider_ends_it_and_gets_nothing() {
        for (provider, browser) in [
            ("google", Some("other")),
            ("google", None),
            ("whoop", Some("cookie")),
        ] {
            let attempts = Attempts::default();
            begun(&attempts, "s");
            assert!(attempts.take(provider, "s", browser, at(1)).is_none());
            assert!(
                attempts
                    .take("google", "s", Some("cookie"), at(1))
                    .is_none()
            );
        }
        let attempts = Attempts::default();
        begun(&attempts, "s");
        assert!(
            attempts
                .take("google", "forged", Some("cookie"), at(1))
                .is_none()
        );
        assert!(
            attempts
                .take("google", "s", Some("cookie"), at(1))
                .is_some()
        );
    }

    #[test]
    fn no_number_of_sign_ins_fills_the_memory() {
        let attempts = Attempts::default();
        for number in 0..=ATTEMPTS_MAX {
            begun(&attempts, &number.to_string());
        }
        assert!(
            attempts
                .take("google", "0", Some("cookie"), at(1))
                .is_none()
        );
        assert!(
            attempts
                .take("google", "1", Some("cookie"), at(1))
                .is_some()
        );
        for _ in 0..=OUTCOMES_MAX {
            let outcome = ConsentOutcome::pending(random::identifier().unwrap(), "google");
            attempts.end(outcome, at(1));
        }
        let kept = attempts.kept(at(2)).ended.len();
        assert_eq!(kept, OUTCOMES_MAX);
        assert!(attempts.kept(at(1) + TimeDelta::hours(1)).ended.is_empty());
    }
}
