//! A provider: how a person signs in there, and what can be read then.
//!
//! ```text
//! pasted.rs      a credential is entered in a form, and sealed      form.rs      what a person enters, field by field
//! consented.rs   a person consents in a browser, and access tokens are had from then on
//! linked.rs      the operator has an application of their own at an aggregator, and links one bank after another
//! ```

mod consented;
mod form;
mod linked;
mod pasted;

use std::time::Duration;

use crate::home_assistant::ActionDomains;
use crate::limits::{INTERVAL, INTERVAL_MIN};
use crate::request_ledger::SharedLedger;
use crate::round::{Feed, Watch};

pub use consented::{ConsentTerms, ConsentedAccount, ConsentedProvider, ReturnWay, ScopeUse};
pub use form::{FieldKind, Form, FormField, FormRefusal};
pub use linked::{
    AccountHolder, CheckedApplication, LinkAddress, LinkRequest, LinkableBank, LinkedBank,
    LinkedProvider, LinkingApplication,
};
pub use pasted::{Credential, ExchangeError, PastedProvider};

/// One provider, whatever the way to sign in there.
pub trait Provider: Send + Sync {
    /// The word for it in settings, rows and addresses.
    fn id(&self) -> &'static str;

    /// Its name for people.
    fn title(&self) -> &'static str;

    /// The sectors that it can fill.
    fn sectors(&self) -> &'static [&'static str];

    /// Whether its source tells its changes by itself.
    fn is_stream(&self) -> bool {
        false
    }

    /// Between two rounds, unless the operator says otherwise.
    fn interval(&self) -> Duration {
        INTERVAL
    }

    /// The least time between two rounds.
    fn interval_min(&self) -> Duration {
        INTERVAL_MIN
    }

    /// The longest rest while it says that it is busy, and not for how long; `None` where that is a failure as any other.
    fn busy_rest_max(&self) -> Option<Duration> {
        None
    }

    /// Where a person ends what they gave.
    fn revocation(&self) -> &'static str;
}

/// One sector of a sign-in.
pub enum Source {
    /// It is read in rounds.
    Rounds(Box<dyn Feed>),
    /// It tells its changes by itself.
    Stream(Box<dyn Watch>),
}

/// What one connection is read with besides its credential.
#[derive(Clone, Debug, Default)]
pub struct SourceOptions {
    /// What may be acted on; `None` for what is safe by default.
    pub action_domains: Option<ActionDomains>,
    /// Where its requests are counted.
    pub ledger: SharedLedger,
}
