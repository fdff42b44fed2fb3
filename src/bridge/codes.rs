//! Codes between the sign-in page and the exchange for tokens: in memory alone, since they serve for a minute and once.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sextant_actors::domain::Digest;
use uuid::Uuid;

use super::limits::{CODE_LIFE, CODES_MAX};
use super::sign_in_request::SignInRequest;

/// What a person has consented to.
#[derive(Clone)]
pub(super) struct Consent {
    pub request: SignInRequest,
    /// The key that was shown.
    pub key: Digest,
}

/// The codes by their hash.
#[derive(Default)]
pub(super) struct Codes(HashMap<Digest, IssuedCode>);

struct IssuedCode {
    consent: Consent,
    at: DateTime<Utc>,
    /// The sign-in that it was exchanged for.
    used_for: Option<Uuid>,
}

/// What a code is that was presented.
pub(super) enum PresentedCode {
    Good(Box<Consent>),
    /// It was used before: whoever has it beside its client may have the tokens too (RFC 6749 §4.1.2).
    Used(Uuid),
    Unknown,
}

impl Codes {
    /// Keeps a code. False when there are as many as may be.
    pub(super) fn keep(&mut self, code: Digest, consent: Consent, now: DateTime<Utc>) -> bool {
        self.0.retain(|_, issued| serves(issued, now));
        if self.0.len() >= CODES_MAX {
            return false;
        }
        let issued = IssuedCode {
            consent,
            at: now,
            used_for: None,
        };
        self.0.insert(code, issued);
        true
    }

    /// Takes a code for this sign-in: it serves nobody else from now on.
    pub(super) fn take(
        &mut self,
        code: &Digest,
        sign_in: Uuid,
        now: DateTime<Utc>,
    ) -> PresentedCode {
        match self.0.get_mut(code) {
            Some(issued) if serves(issued, now) => match issued.used_for {
                Some(used) => PresentedCode::Used(used),
                None => {
                    issued.used_for = Some(sign_in);
                    PresentedCode::Good(Box::new(issued.consent.clone()))
                }
            },
            _ => PresentedCode::Unknown,
        }
    }

    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// A clock that was set back ends a code too.
fn serves(issued: &IssuedCode, now: DateTime<Utc>) -> bool {
    issued.at <= now && now - issued.at <= CODE_LIFE
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::super::client::{BridgeClient, ClientId, RedirectAddress};
    use super::*;

    fn consent() -> Consent {
        let redirect = RedirectAddress::parse("https://client.example/cb").unwrap();
        Consent {
            request: SignInRequest {
                client: BridgeClient {
                    id: ClientId::parse("sxc_1").unwrap(),
                    name: None,
                    redirects: vec![redirect.clone()],
                },
                redirect,
                state: None,
                challenge: String::new(),
            },
            key: Digest::of("key"),
        }
    }

    #[test]
    fn a_code_serves_once_and_tells_afterwards_what_it_was_used_for() {
        let (mut codes, now) = (Codes::default(), DateTime::UNIX_EPOCH);
        let (code, first) = (Digest::of("code"), Uuid::from_u128(1));
        assert!(codes.keep(code, consent(), now));
        let taken = codes.take(&code, first, now + CODE_LIFE);
        assert!(matches!(taken, PresentedCode::Good(_)));
        let again = codes.take(&code, Uuid::from_u128(2), now + CODE_LIFE);
        assert!(matches!(again, PresentedCode::Used(used) if used == first));
        let other = codes.take(&Digest::of("other"), first, now);
        assert!(matches!(other, PresentedCode::Unknown));
    }

    #[test]
    fn a_code_serves_for_a_minute_and_there_are_not_too_many() {
        let (mut codes, now) = (Codes::default(), DateTime::UNIX_EPOCH);
        let code = |number: usize| Digest::of(&number.to_string());
        for number in 0..CODES_MAX {
            assert!(codes.keep(code(number), consent(), now));
        }
        assert!(!codes.keep(code(CODES_MAX), consent(), now));
        let late = now + CODE_LIFE + TimeDelta::seconds(1);
        let taken = codes.take(&code(0), Uuid::from_u128(1), late);
        assert!(matches!(taken, PresentedCode::Unknown));
        assert!(
            codes.keep(code(CODES_MAX), consent(), late),
            "the old ones are gone"
        );
    }
}
