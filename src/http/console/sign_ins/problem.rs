//! What is answered when there is no sign-in.

use crate::http::problem::{Code, Problem};
use crate::sealing::KeyringError;
use crate::sign_ins::SignInError;
use crate::store::provider_apps::AppError;
use crate::store::sign_ins::SignInStoreError;

/// What an id is answered that no sign-in has.
pub(super) fn not_found() -> Problem {
    Problem::new(
        Code::NotFound,
        "no sign-in has this id; GET /api/connections names each one's",
    )
}

impl From<SignInError> for Problem {
    fn from(error: SignInError) -> Self {
        match error {
            SignInError::Form(refusal) => Self::invalid(refusal.field, refusal.message),
            SignInError::NoSector(message) => Self::invalid("sectors", message),
            SignInError::Source(failure) => Self::new(Code::ProviderError, failure.message),
            SignInError::NotFound => not_found(),
            SignInError::Store(SignInStoreError::Store(cause)) => cause.into(),
            SignInError::App(AppError::Store(cause)) => cause.into(),
            SignInError::NoBank | SignInError::NoSuchBank => {
                Self::invalid("bank", error.to_string())
            }
            SignInError::OtherAccount
            | SignInError::AtProvider
            | SignInError::NoReturn
            | SignInError::App(_) => Self::new(Code::Conflict, error.to_string()),
            SignInError::Keys(KeyringError::NoKey) => Self::new(Code::Conflict, error.to_string()),
            SignInError::Keys(_)
            | SignInError::Store(SignInStoreError::Seal(_) | SignInStoreError::Unseal(_))
            | SignInError::NoRandomness(_) => {
                log::error!("a credential could not be sealed: {error}");
                Self::new(Code::Internal, error.to_string())
            }
        }
    }
}
