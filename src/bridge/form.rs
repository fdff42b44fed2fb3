//! The sign-in form: everything of the request travels in it, sealed, so that an open page costs the service nothing and nobody can write
//! one themselves. A form of an earlier run of the service does not open any more.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sextant_actors::domain::Digest;
use sextant_actors::random::{self, Unavailable};
use uuid::Uuid;

use super::limits::FORM_LIFE;
use super::sign_in_request::{CarriedRequest, SignInRequest};
use crate::config::Secret;
use crate::sealing::{SealingKey, SealingKeys};

/// What forms are sealed for: nothing else is sealed with their key.
const FORMS: Uuid = Uuid::nil();

/// Seals and opens the forms of this run.
pub(super) struct FormSeal(SealingKeys);

/// What a form holds: the request, and the key that was shown already, if any.
pub(crate) struct SignInForm {
    pub request: SignInRequest,
    pub key: Option<Digest>,
}

/// The form is too old, of an earlier run, or of nobody's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StaleForm;

#[derive(Deserialize, Serialize)]
struct CarriedForm {
    request: CarriedRequest,
    key: Option<String>,
    made_at: DateTime<Utc>,
}

impl FormSeal {
    /// With a key of its own.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub(super) fn generate() -> Result<Self, Unavailable> {
        Ok(Self(SealingKeys::new(Some(SealingKey::generate()?), None)))
    }

    /// The text of a form's hidden field; `None` without randomness.
    pub(super) fn seal(
        &self,
        request: &SignInRequest,
        key: Option<&Digest>,
        now: DateTime<Utc>,
    ) -> Option<String> {
        let carried = CarriedForm {
            request: request.carried(),
            key: key.map(|key| random::base64url(key.as_bytes())),
            made_at: now,
        };
        let text = serde_json::to_string(&carried).ok()?;
        let sealed = self.0.seal(FORMS, &Secret::new(text)).ok()?;
        Some(random::base64url(&sealed))
    }

    /// What a form holds that came back.
    ///
    /// # Errors
    /// [`StaleForm`].
    pub(super) fn open(&self, text: &str, now: DateTime<Utc>) -> Result<SignInForm, StaleForm> {
        let sealed = random::from_base64url(text).ok_or(StaleForm)?;
        let opened = self.0.open(FORMS, &sealed).map_err(|_| StaleForm)?;
        let carried: CarriedForm = serde_json::from_str(opened.expose()).map_err(|_| StaleForm)?;
        if carried.made_at > now || now - carried.made_at > FORM_LIFE {
            return Err(StaleForm);
        }
        let key = match carried.key {
            Some(text) => {
                let bytes = random::from_base64url(&text).ok_or(StaleForm)?;
                Some(Digest::from_stored(&bytes).ok_or(StaleForm)?)
            }
            None => None,
        };
        Ok(SignInForm {
            request: carried.request.restored().ok_or(StaleForm)?,
            key,
        })
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::super::client::{BridgeClient, ClientId, RedirectAddress};
    use super::*;

    fn request() -> SignInRequest {
        let redirect = RedirectAddress::parse("https://client.example/cb").unwrap();
        SignInRequest {
            client: BridgeClient {
                id: ClientId::parse("sxc_1").unwrap(),
                name: None,
                redirects: vec![redirect.clone()],
            },
            redirect,
            state: Some("s".to_owned()),
            challenge: "c".to_owned(),
        }
    }

    #[test]
    fn r035_a_form_opens_for_ten_minutes_in_the_run_that_made_it() {
        let (seal, now) = (FormSeal::generate().unwrap(), DateTime::UNIX_EPOCH);
        let key = Digest::of("sxt_key");
        let text = seal.seal(&request(), Some(&key), now).unwrap();
        let opened = seal.open(&text, now + FORM_LIFE).unwrap();
        assert_eq!(opened.request, request());
        assert_eq!(opened.key, Some(key));
        let late = now + FORM_LIFE + TimeDelta::seconds(1);
        assert!(seal.open(&text, late).is_err());
        assert!(seal.open(&text, now - TimeDelta::seconds(1)).is_err());
        assert!(FormSeal::generate().unwrap().open(&text, now).is_err());
    }

    #[test]
    fn r035_a_form_that_was_changed_or_made_elsewhere_does_not_open() {
        let (seal, now) = (FormSeal::generate().unwrap(), DateTime::UNIX_EPOCH);
        let text = seal.seal(&request(), None, now).unwrap();
        for place in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[place] = if changed[place] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            assert!(seal.open(&changed, now).is_err(), "{place}");
        }
        for forged in ["", "AAAA", "{}", "not base64!"] {
            assert!(seal.open(forged, now).is_err(), "{forged}");
        }
    }
}
