//! Why there is no sign-in, and which field is at fault.

use std::fmt;

use sextant_actors::random::Unavailable;
use sextant_connectors::failure::{FailureKind, SourceFailure};
use sextant_connectors::provider::{ExchangeError, FieldKind, FormRefusal, PastedProvider};

use crate::db::StoreError;
use crate::sealing::KeyringError;
use crate::store::provider_apps::AppError;
use crate::store::sign_ins::{CredentialError, SignInStoreError};

/// Why there is no sign-in.
#[derive(Debug)]
pub enum SignInError {
    /// What was entered in a field is none, or the source did not take it.
    Form(FormRefusal),
    /// None of the sectors is one that this credential leads to.
    NoSector(String),
    /// The source failed.
    Source(SourceFailure),
    /// There is no such sign-in.
    NotFound,
    /// The credential is another account's.
    OtherAccount,
    /// There is no credential to enter: the person signs in at the provider.
    AtProvider,
    /// No bank was named to link.
    NoBank,
    /// The aggregator has no bank of this name in that country.
    NoSuchBank,
    /// The operator's application has no address to which a browser may come back here.
    NoReturn,
    /// There is no app to ask the provider with.
    App(AppError),
    /// There is no key to seal it with.
    Keys(KeyringError),
    /// It could not be stored.
    Store(SignInStoreError),
    /// The system gave no randomness for an id.
    NoRandomness(Unavailable),
}

/// What follows when no sector answered. A refusal of the credential or of the address names the field; else the first failure that is
/// not a mere lack tells.
pub(super) fn of_failures(
    provider: &dyn PastedProvider,
    failures: Vec<SourceFailure>,
) -> SignInError {
    let mut telling = failures.into_iter();
    let first = telling.next();
    let told = telling.fold(first, |told, next| match told {
        Some(told) if weight(&told) >= weight(&next) => Some(told),
        _ => Some(next),
    });
    match told {
        Some(failure) => of_failure(provider, failure),
        None => SignInError::NoSector("tick at least one sector".to_owned()),
    }
}

/// What follows when nothing could be sealed.
pub(super) fn of_exchange(provider: &dyn PastedProvider, error: ExchangeError) -> SignInError {
    match error {
        ExchangeError::Form(refusal) => SignInError::Form(refusal),
        ExchangeError::Source(failure) => of_failure(provider, failure),
    }
}

/// What a person can act on tells before what only waiting helps.
const fn weight(failure: &SourceFailure) -> u8 {
    match failure.kind {
        FailureKind::CredentialRefused => 3,
        FailureKind::ForbiddenAddress => 2,
        FailureKind::NotFound => 0,
        _ => 1,
    }
}

fn of_failure(provider: &dyn PastedProvider, failure: SourceFailure) -> SignInError {
    let field = match failure.kind {
        FailureKind::CredentialRefused => field(provider, FieldKind::Secret),
        FailureKind::ForbiddenAddress => field(provider, FieldKind::Address),
        FailureKind::NotFound => return SignInError::NoSector(failure.message),
        _ => None,
    };
    match field {
        Some(field) => SignInError::Form(FormRefusal {
            field: field.to_owned(),
            message: failure.message,
        }),
        None => SignInError::Source(failure),
    }
}

/// The first field of a kind.
fn field(provider: &dyn PastedProvider, kind: FieldKind) -> Option<&'static str> {
    let mut fields = provider.fields().iter();
    let field = fields.find(|field| field.kind == kind);
    field.map(|field| field.name)
}

impl SignInError {
    /// Why a credential that is kept cannot be opened.
    pub(super) fn of_credential(error: CredentialError) -> Self {
        match error {
            CredentialError::Store(cause) => cause.into(),
            CredentialError::Sealed(cause) => SignInStoreError::Unseal(cause).into(),
            CredentialError::Revoked | CredentialError::Absent => Self::NotFound,
        }
    }

    /// The same of a credential that is kept, since it was given once only.
    pub(super) fn of_kept(self) -> Self {
        let failure = match self {
            Self::Source(failure) => failure,
            Self::Form(refusal) => SourceFailure::new(FailureKind::Rejected, refusal.message),
            Self::NoSector(message) => SourceFailure::new(FailureKind::NotFound, message),
            other => return other,
        };
        let message = format!(
            "{}. What was claimed is kept as a sign-in without connections: try again there",
            failure.message
        );
        Self::Source(SourceFailure { message, ..failure })
    }
}

impl From<SignInStoreError> for SignInError {
    fn from(cause: SignInStoreError) -> Self {
        Self::Store(cause)
    }
}

impl From<StoreError> for SignInError {
    fn from(cause: StoreError) -> Self {
        Self::Store(cause.into())
    }
}

impl fmt::Display for SignInError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(cause) => f.write_str(&cause.message),
            Self::NoSector(message) => f.write_str(message),
            Self::Source(cause) => cause.fmt(f),
            Self::NotFound => f.write_str("no sign-in has this id"),
            Self::OtherAccount => f.write_str(
                "this credential is another account's; connect that account as a source of its own",
            ),
            Self::NoBank => f.write_str("send country and bank, as GET /api/aggregator-apps/<provider>/banks lists them"),
            Self::NoSuchBank => {
                f.write_str("there is no such bank in that country; GET /api/aggregator-apps/<provider>/banks lists them")
            }
            Self::NoReturn => f.write_str(
                "the application has no redirect address of this Console any more; register one as Settings, Provider apps says",
            ),
            Self::AtProvider => f.write_str(
                "there is no credential to enter for this source: sign in again at its provider (POST /api/oauth/<provider>/start)",
            ),
            Self::App(cause) => cause.fmt(f),
            Self::Keys(cause) => cause.fmt(f),
            Self::Store(cause) => cause.fmt(f),
            Self::NoRandomness(cause) => cause.fmt(f),
        }
    }
}

impl std::error::Error for SignInError {}
