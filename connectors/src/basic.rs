//! A name and a password in a header (RFC 7617).

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use reqwest::header::HeaderValue;

use crate::failure::{FailureKind, SourceFailure};
use crate::secret::SourceSecret;

/// The value of `Authorization`, marked as a secret.
///
/// # Errors
/// [`FailureKind::CredentialRefused`] for what no header can carry.
pub(crate) fn basic_authorization(
    user: &str,
    password: &SourceSecret,
) -> Result<HeaderValue, SourceFailure> {
    let unsendable = || {
        let message = "the name and the password cannot be sent";
        SourceFailure::new(FailureKind::CredentialRefused, message)
    };
    // What follows the first colon would be the password's.
    if user.contains(':') {
        return Err(unsendable());
    }
    let credential = BASE64_STANDARD.encode(format!("{user}:{}", password.reveal()));
    let header = HeaderValue::try_from(format!("Basic {credential}"));
    let mut header = header.map_err(|_| unsendable())?;
    header.set_sensitive(true);
    Ok(header)
}
