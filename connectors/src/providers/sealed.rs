//! What a provider seals, as one text.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::failure::{FailureKind, SourceFailure};
use crate::secret::SourceSecret;

/// As it is sealed.
pub(super) fn write(what: &impl Serialize) -> Result<SourceSecret, SourceFailure> {
    let text = serde_json::to_string(what).map_err(|_| damaged())?;
    Ok(SourceSecret::new(text))
}

/// What was sealed. What it says is in no error.
pub(super) fn read<T: DeserializeOwned>(sealed: &SourceSecret) -> Result<T, SourceFailure> {
    serde_json::from_str(sealed.reveal()).map_err(|_| damaged())
}

fn damaged() -> SourceFailure {
    let message = "the stored credential cannot be read; enter it again";
    SourceFailure::new(FailureKind::CredentialRefused, message)
}

/// That a sign-in has no way to a sector.
pub(super) fn no_way_to(sector: &str) -> SourceFailure {
    let message = format!("this sign-in has nothing for {sector}");
    SourceFailure::new(FailureKind::NotFound, message)
}
