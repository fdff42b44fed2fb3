//! The operator's application, and the tokens that it signs for itself (RFC 7519).

use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use rustls::SignatureScheme;
use rustls::crypto::ring::sign::any_supported_type;
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::sign::SigningKey;
use serde_json::{Value, json};

use crate::failure::{FailureKind, SourceFailure};
use crate::limits::{APPLICATION_TOKEN_BACKDATED, APPLICATION_TOKEN_LIFE};
use crate::provider::{FormRefusal, LinkingApplication};
use crate::secret::SourceSecret;

const ID: &str = "id";
const KEY: &str = "key";

/// Of RS256.
const SCHEMES: &[SignatureScheme] = &[SignatureScheme::RSA_PKCS1_SHA256];

/// An application whose key can sign.
#[derive(Clone)]
pub(crate) struct BankApplication {
    id: String,
    key: Arc<dyn SigningKey>,
}

impl BankApplication {
    /// Takes what the operator entered.
    ///
    /// # Errors
    /// On the field that is at fault, without what was entered.
    pub(crate) fn parse(entered: &LinkingApplication) -> Result<Self, FormRefusal> {
        let id = entered.id.trim();
        let is_id = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        if id.is_empty() || !id.chars().all(is_id) {
            let message = "it must be the application's id, letters and digits between dashes, as the control panel shows it";
            return Err(FormRefusal::new(ID, message));
        }
        let refused = || {
            let message = "it must be the application's private RSA key of at least 2048 bits, the whole file: from -----BEGIN to the last dash";
            FormRefusal::new(KEY, message)
        };
        let pem = entered.key.reveal().as_bytes();
        let key = PrivateKeyDer::from_pem_slice(pem).map_err(|_| refused())?;
        let key = any_supported_type(&key).map_err(|_| refused())?;
        match key.choose_scheme(SCHEMES) {
            Some(_) => Ok(Self {
                id: id.to_owned(),
                key,
            }),
            None => Err(refused()),
        }
    }

    /// Takes what was checked when it was entered.
    ///
    /// # Errors
    /// [`FailureKind::CredentialMissing`] where it is none any more.
    pub(crate) fn usable(kept: &LinkingApplication) -> Result<Self, SourceFailure> {
        Self::parse(kept).map_err(|_| unusable())
    }

    /// A token that is good for an hour.
    pub(super) fn token(&self, now: DateTime<Utc>) -> Result<SourceSecret, SourceFailure> {
        let made_at = now - APPLICATION_TOKEN_BACKDATED;
        let ends_at = now + APPLICATION_TOKEN_LIFE;
        let part = |part: &Value| BASE64_URL_SAFE_NO_PAD.encode(part.to_string());
        let head = part(&json!({"typ": "JWT", "alg": "RS256", "kid": self.id}));
        let body = part(&json!({
            "iss": "enablebanking.com",
            "aud": "api.enablebanking.com",
            "iat": made_at.timestamp(),
            "exp": ends_at.timestamp(),
        }));
        let signed = format!("{head}.{body}");
        let signer = self.key.choose_scheme(SCHEMES).ok_or_else(unusable)?;
        let signature = signer.sign(signed.as_bytes()).map_err(|_| unusable())?;
        let signature = BASE64_URL_SAFE_NO_PAD.encode(signature);
        Ok(SourceSecret::new(format!("{signed}.{signature}")))
    }
}

fn unusable() -> SourceFailure {
    let message = "the application's key cannot sign; enter the application again";
    SourceFailure::new(FailureKind::CredentialMissing, message)
}
