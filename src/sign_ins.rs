//! From what a person enters, or consents to in a browser, to a sign-in with its connections: exchanged, tried at the source, sealed and
//! stored (r129).
//!
//! ```text
//! trial.rs      each sector is tried, all at once, each in its time      error.rs   why there is no sign-in, and which field is at fault
//! consent.rs    to the provider's page and back with a code              finishing.rs  whose it is, and the sign-in that comes of it
//! returning.rs  the browser that comes back, from either
//! linking.rs    to a bank, by the operator's application at an aggregator    linked.rs   and back with a code
//! attempts.rs   who is away there now, and what became of who came back  outcome.rs  that in words for the person (pure)
//! claimed.rs    what is given once: kept before it is tried, and completed later
//! apps.rs       what the operator has registered at providers            ending.rs  the end of a consent at its provider
//! ```
//!
//! Nothing that was pasted is stored unless at least one sector has answered, but what is given once only. Publishing what was changed is the caller's.

mod apps;
mod attempts;
mod claimed;
mod consent;
mod ending;
mod error;
mod finishing;
mod linked;
mod linking;
mod outcome;
mod returning;
mod trial;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use sextant_actors::clock::Clock;
use sextant_actors::domain::Sector;
use sextant_actors::random;
use sextant_actors::sign_ins::SignInsHandle;
use sextant_connectors::provider::{
    Credential, ExchangeError, Form, PastedProvider, Provider, SourceOptions,
};
use uuid::Uuid;

use crate::catalog;
use crate::db::ServicePool;
use crate::providers::SourceProviders;
use crate::sealing::CredentialKeys;
use crate::store::sign_ins::{self, NewPulled, NewSignIn, Resealed, SignIn};

pub use self::attempts::Attempts;
pub(crate) use self::consent::{BegunConsent, Returned};
pub(crate) use self::ending::ConsentEnd;
pub use self::error::SignInError;
pub(crate) use self::finishing::CompletedSignIn;
pub(crate) use self::outcome::{
    ConsentOutcome, ConsentResult, EndedConsent, MissingGrant, covered, missing,
};
pub(crate) use self::returning::AwayAt;
pub use self::trial::{MissingSector, TRIAL_DEADLINE};

/// How far back mail is read unless the operator says otherwise, in days. All else is read whole.
const MAIL_WINDOW_DAYS: i32 = 365;

/// Makes, renews and ends sign-ins.
#[derive(Clone)]
pub struct SignIns {
    /// What there is to sign in to.
    pub providers: SourceProviders,
    /// What secrets are sealed with.
    pub keys: CredentialKeys,
    pub pool: ServicePool,
    pub clock: Arc<dyn Clock>,
    /// Access tokens of those at which a person has consented.
    pub tokens: SignInsHandle,
    /// Browsers that are away at a provider.
    pub attempts: Attempts,
    /// Where browsers come back to, on this computer.
    pub console_port: u16,
}

/// What a person entered to make connections.
pub struct EnteredSignIn<'a> {
    pub provider: &'a dyn PastedProvider,
    /// By the names of the provider's fields.
    pub fields: Vec<(String, String)>,
    /// The sectors that were ticked, none of them twice; `None` for all that the provider has.
    pub sectors: Option<Vec<Sector>>,
    pub label: Option<String>,
}

/// What came of it.
#[derive(Debug)]
pub struct SignedIn {
    pub sign_in: SignIn,
    /// The connections of the sectors that answered.
    pub connections: Vec<Uuid>,
    /// The others.
    pub missing: Vec<MissingSector>,
}

/// A credential that at least one sector has answered to.
pub struct TriedSignIn {
    new: NewSignIn,
    answered: Vec<Sector>,
    missing: Vec<MissingSector>,
    provider_interval: Duration,
    label: String,
}

impl SignIns {
    /// Exchanges what was entered, and tries it. Nothing is stored but what is given once only.
    ///
    /// # Errors
    /// What was entered is none, or no sector answered.
    pub(crate) async fn attempt(
        &self,
        entered: EnteredSignIn<'_>,
    ) -> Result<TriedSignIn, SignInError> {
        let EnteredSignIn {
            provider,
            fields,
            sectors,
            label,
        } = entered;
        let sectors = sectors.unwrap_or_else(|| sectors_of(provider));
        let credential = exchange(provider, fields).await?;
        let mut new = NewSignIn {
            id: random::identifier().map_err(SignInError::NoRandomness)?,
            provider: provider.id(),
            identity: credential.identity,
            account: credential.account,
            secret: credential.sealed,
            ends_at: credential.ends_at,
        };
        let kept = match provider.is_claimed_once() {
            true => Some(self.keep_claimed(&new).await?),
            false => None,
        };
        new.id = kept.unwrap_or(new.id);
        let options = self.options(kept);
        let tried = trial::of_sectors(provider, (&new.secret, &options), &sectors).await;
        let told = trial::told_apart(provider, tried);
        let (answered, missing) = told.map_err(|error| match kept {
            Some(_) => error.of_kept(),
            None => error,
        })?;
        Ok(TriedSignIn {
            new,
            answered,
            missing,
            provider_interval: provider.interval(),
            label: label.unwrap_or_else(|| provider.title().to_owned()),
        })
    }

    /// Seals and stores what was tried. The same account renews its sign-in, and has each sector once.
    ///
    /// # Errors
    /// It cannot be sealed or stored.
    pub(crate) async fn establish(&self, tried: TriedSignIn) -> Result<SignedIn, SignInError> {
        let connections: Result<Vec<_>, _> = tried
            .answered
            .iter()
            .map(|sector| new_connection(*sector, &tried.label, tried.provider_interval))
            .collect();
        let turn = self.keys.turn().await.map_err(SignInError::Keys)?;
        let sign_in = sign_ins::establish(
            &self.pool,
            &turn,
            &tried.new,
            &connections?,
            self.clock.now(),
        )
        .await?;
        let answered = sign_in.connections.iter();
        let answered = answered.filter(|connection| tried.answered.contains(&connection.sector));
        Ok(SignedIn {
            connections: answered.map(|connection| connection.id).collect(),
            missing: tried.missing,
            sign_in,
        })
    }

    /// Takes another credential for a sign-in in place of the one that there was: it must be of the same account, and one of its sectors
    /// must answer. What is given once only is kept as it is, and tried by the round that follows.
    ///
    /// # Errors
    /// What was entered is none, of another account, or no sector answered; it cannot be sealed or stored, or the sign-in is gone
    /// meanwhile.
    pub(crate) async fn renew(
        &self,
        id: Uuid,
        fields: Vec<(String, String)>,
    ) -> Result<SignIn, SignInError> {
        let known = sign_ins::read(&self.pool, id).await?;
        let known = known.ok_or(SignInError::NotFound)?;
        let is_given_there = self.providers.consented(&known.provider).is_some()
            || self.providers.linked(&known.provider).is_some();
        if is_given_there {
            return Err(SignInError::AtProvider);
        }
        let provider = self.providers.pasted(&known.provider);
        let provider = provider.ok_or(SignInError::NotFound)?;
        let credential = exchange(provider, fields).await?;
        if !provider.is_claimed_once() {
            try_again(provider, &credential, &known).await?;
        }
        self.keep_renewed(id, &credential).await
    }

    /// Stores a credential in place of the one that a sign-in has.
    async fn keep_renewed(&self, id: Uuid, credential: &Credential) -> Result<SignIn, SignInError> {
        let turn = self.keys.turn().await.map_err(SignInError::Keys)?;
        let secret = (&credential.sealed, credential.ends_at);
        let renewed = sign_ins::renew(&self.pool, &turn, id, secret, self.clock.now()).await?;
        renewed.ok_or(SignInError::NotFound)
    }

    /// Replaces the key of all credentials: the next one is on the disk before the first is sealed with it, and the old one goes when all
    /// are. Cut off at any moment, all open, and the next call goes on from there.
    ///
    /// # Errors
    /// There is no key, or the disk or the database failed.
    pub(crate) async fn rotate_key(&self) -> Result<Resealed, SignInError> {
        let rotation = self.keys.begin_rotation().await;
        let rotation = rotation.map_err(SignInError::Keys)?;
        let done = sign_ins::reseal(&self.pool, &rotation).await?;
        rotation.finish().await.map_err(SignInError::Keys)?;
        Ok(done)
    }
}

impl fmt::Debug for SignIns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SignIns").field(&self.providers).finish()
    }
}

/// What the provider has, as sectors.
pub(crate) fn sectors_of<P: Provider + ?Sized>(provider: &P) -> Vec<Sector> {
    let words = provider.sectors().iter();
    words.filter_map(|word| word.parse().ok()).collect()
}

/// Tries a credential with the sectors that the sign-in has.
async fn try_again(
    provider: &dyn PastedProvider,
    credential: &Credential,
    known: &SignIn,
) -> Result<(), SignInError> {
    if credential.identity != known.identity {
        return Err(SignInError::OtherAccount);
    }
    let connections = known.connections.iter();
    let sectors: Vec<_> = connections.map(|connection| connection.sector).collect();
    let options = SourceOptions::default();
    let tried = trial::of_sectors(provider, (&credential.sealed, &options), &sectors).await;
    trial::told_apart(provider, tried).map(drop)
}

async fn exchange(
    provider: &dyn PastedProvider,
    fields: Vec<(String, String)>,
) -> Result<Credential, SignInError> {
    let form = Form::new(provider.fields(), fields).map_err(SignInError::Form)?;
    let exchanging = provider.exchange(&form);
    let exchanged = match provider.is_claimed_once() {
        // What is given once is waited for: it would be lost.
        true => exchanging.await,
        false => tokio::time::timeout(TRIAL_DEADLINE, exchanging)
            .await
            .unwrap_or_else(|_| Err(ExchangeError::Source(trial::too_late()))),
    };
    exchanged.map_err(|error| error::of_exchange(provider, error))
}

fn new_connection(
    sector: Sector,
    label: &str,
    interval: Duration,
) -> Result<NewPulled, SignInError> {
    let table = catalog::push_default(sector).ok_or(SignInError::NotFound)?;
    Ok(NewPulled {
        id: random::identifier().map_err(SignInError::NoRandomness)?,
        label: label.to_owned(),
        table,
        interval_s: i32::try_from(interval.as_secs()).unwrap_or(i32::MAX),
        window_days: (sector == Sector::Mail).then_some(MAIL_WINDOW_DAYS),
    })
}
