//! What a provider seals, as one text.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::failure::{Failure, FailureKind};
use crate::secret::Secret;

/// As it is sealed.
pub(super) fn write(what: &impl Serialize) -> Result<Secret, Failure> {
    let text = serde_json::to_string(what).map_err(|_| damaged())?;
    Ok(Secret::new(text))
}

/// What was sealed. What it says is in no error.
pub(super) fn read<T: DeserializeOwned>(sealed: &Secret) -> Result<T, Failure> {
    serde_json::from_str(sealed.reveal()).map_err(|_| damaged())
}

fn damaged() -> Failure {
    let message = "the stored credential cannot be read; enter it again";
    Failure::new(FailureKind::CredentialRefused, message)
}

/// That a sign-in has no way to a sector.
pub(super) fn no_way_to(sector: &str) -> Failure {
    let message = format!("this sign-in has nothing for {sector}");
    Failure::new(FailureKind::NotFound, message)
}
