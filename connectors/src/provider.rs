//! A provider: what a person enters to sign in there, and what can be read then.
//!
//! A sign-in is made in two steps. `exchange` turns what was entered into what is sealed, and is told to the store before anything else
//! is tried, since some sources give it once only. `source` then makes of what was sealed the way to one sector.

mod form;

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use crate::failure::SourceFailure;
use crate::home_assistant::ActionDomains;
use crate::limits::INTERVAL_MIN;
use crate::round::{Feed, Watch};
use crate::secret::SourceSecret;

pub use form::{FieldKind, Form, FormField, FormRefusal};

/// One provider, reached by the ways of its settings.
#[async_trait]
pub trait Provider: Send + Sync {
    /// The word for it in settings, rows and addresses.
    fn id(&self) -> &'static str;

    /// Its name for people.
    fn title(&self) -> &'static str;

    /// The sectors that it can fill.
    fn sectors(&self) -> &'static [&'static str];

    /// What a person enters.
    fn fields(&self) -> &'static [FormField];

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

    /// Whether its source tells its changes by itself.
    fn is_stream(&self) -> bool {
        false
    }

    /// The least time between two rounds.
    fn interval_min(&self) -> Duration {
        INTERVAL_MIN
    }

    /// The longest rest while it says that it is busy, and not for how long; `None` where that is a failure as any other.
    fn busy_rest_max(&self) -> Option<Duration> {
        None
    }

    /// Where a person ends the credential, if the provider can only be told so by them.
    fn revocation(&self) -> Revocation;
}

/// One sector of a sign-in.
pub enum Source {
    /// It is read in rounds.
    Rounds(Box<dyn Feed>),
    /// It tells its changes by itself.
    Stream(Box<dyn Watch>),
}

/// What a person has set for one connection.
#[derive(Clone, Debug, Default)]
pub struct SourceOptions {
    /// What may be acted on; `None` for what is safe by default.
    pub action_domains: Option<ActionDomains>,
}

/// What a sign-in keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credential {
    /// Whose it is, in the provider's words: entered again, the same account renews the sign-in.
    pub account: String,
    /// What is sealed.
    pub sealed: SourceSecret,
    /// When it ends by itself, if the provider says so.
    pub ends_at: Option<DateTime<Utc>>,
}

/// How a credential is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revocation {
    /// By the person: a sentence that says where.
    ByPerson(&'static str),
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
