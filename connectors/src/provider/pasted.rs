//! A credential that is entered in a form.
//!
//! A sign-in is made in two steps. `exchange` turns what was entered into what is sealed, and is told to the store before anything else
//! is tried, since some sources give it once only. `source` then makes of what was sealed the way to one sector.

use std::fmt;

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::form::{Form, FormField, FormRefusal};
use super::{Provider, Source, SourceOptions};
use crate::failure::SourceFailure;
use crate::secret::SourceSecret;

/// One provider, reached by the ways of its settings.
#[async_trait]
pub trait PastedProvider: Provider {
    /// What a person enters.
    fn fields(&self) -> &'static [FormField];

    /// Whether what is entered gives its credential once: then that is kept before anything is tried with it, and renews a sign-in
    /// whatever its identity.
    fn is_claimed_once(&self) -> bool {
        false
    }

    /// Turns what was entered into what is sealed.
    ///
    /// # Errors
    /// On the field that is at fault, or when the source does not take it.
    async fn exchange(&self, form: &Form) -> Result<Credential, ExchangeError>;

    /// The way to one sector of a sign-in.
    ///
    /// # Errors
    /// When the sign-in has no way to that sector, or leads where nothing may be sent.
    fn source(
        &self,
        sector: &str,
        sealed: &SourceSecret,
        options: &SourceOptions,
    ) -> Result<Source, SourceFailure>;
}

/// What a sign-in keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credential {
    /// What decides whether it is the account of another sign-in, which is renewed by it then. It need not mean anything to people.
    pub identity: String,
    /// Whose it is, for people.
    pub account: String,
    /// What is sealed.
    pub sealed: SourceSecret,
    /// When it ends by itself, if the provider says so.
    pub ends_at: Option<DateTime<Utc>>,
}

/// Why nothing could be sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExchangeError {
    /// What was entered is none.
    Form(FormRefusal),
    /// The source failed.
    Source(SourceFailure),
}

impl fmt::Display for ExchangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(refusal) => refusal.fmt(f),
            Self::Source(failure) => failure.fmt(f),
        }
    }
}

impl std::error::Error for ExchangeError {}

impl From<FormRefusal> for ExchangeError {
    fn from(refusal: FormRefusal) -> Self {
        Self::Form(refusal)
    }
}
