//! The providers of connections: what may deliver data. Whoever creates or restores a connection checks against this list.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sextant_connectors::failure::SourceFailure;
use sextant_connectors::guard::{Diversions, Trust};
use sextant_connectors::provider::{ConsentedProvider, LinkedProvider, PastedProvider, Provider};
use sextant_connectors::providers::{self, SignInLegs, WayOut};

use crate::config::{ProviderSettings, ProviderWay};

/// A device that pushes.
pub(crate) use sextant_actors::domain::PUSH;

/// Every provider, by its word.
pub(crate) const ALL: &[&str] = &[
    PUSH,
    "icloud",
    "own_server",
    "home_assistant",
    "simplefin",
    "google",
    "microsoft",
    "whoop",
    "bank_app",
];

/// Those whose credential is entered.
pub(crate) const PASTED: &[&str] = &providers::PASTED_IDS;

/// Those at which banks are linked.
pub(crate) const LINKED: &[&str] = &providers::LINKED_IDS;

/// Those whose data is fetched.
pub(crate) const SOURCES: &[&str] = match ALL.split_first() {
    Some((_push, sources)) => sources,
    None => &[],
};

/// The largest file of authorities, in bytes.
const CA_FILE_BYTES_MAX: u64 = 1024 * 1024;

/// The providers whose data is fetched, each with the way out of its settings. Made once, and shared.
#[derive(Clone)]
pub struct SourceProviders {
    pasted: Arc<[Box<dyn PastedProvider>]>,
    consented: Arc<[Box<dyn ConsentedProvider>]>,
    linked: Arc<[Box<dyn LinkedProvider>]>,
}

/// Why they cannot be made.
#[derive(Debug)]
pub enum ProviderWayError {
    /// A file of authorities cannot be read.
    Unreadable(PathBuf, io::Error),
    /// It is longer than any such file.
    TooLarge(PathBuf),
    /// It holds no certificate.
    NoCertificate(PathBuf),
    /// An address of a provider is none.
    Address(SourceFailure),
}

impl SourceProviders {
    /// Those of the settings; reads the files of authorities that they name.
    ///
    /// # Errors
    /// Which file cannot be used.
    pub fn open(settings: &ProviderSettings) -> Result<Self, ProviderWayError> {
        let mut ways = Vec::new();
        for id in SOURCES {
            let way = settings.get(id).map(way_out).transpose()?;
            ways.push((*id, way.unwrap_or_default()));
        }
        let of = |id: &str| ways.iter().find(|(own, _)| *own == id);
        Self::reached(|id| of(id).map_or_else(WayOut::default, |(_, way)| way.clone()))
    }

    /// All of them, each by the way that it is given.
    ///
    /// # Errors
    /// When an address of one is none.
    pub fn reached(way_out: impl Fn(&str) -> WayOut) -> Result<Self, ProviderWayError> {
        let consented = providers::consented(&way_out).map_err(ProviderWayError::Address)?;
        Ok(Self {
            linked: providers::linked(&way_out).into(),
            pasted: providers::pasted(way_out).into(),
            consented: consented.into(),
        })
    }

    /// The one of this word, whatever the way to sign in there.
    pub fn get(&self, id: &str) -> Option<&dyn Provider> {
        self.iter().find(|provider| provider.id() == id)
    }

    /// The one of this word, if its credential is entered.
    pub fn pasted(&self, id: &str) -> Option<&dyn PastedProvider> {
        self.all_pasted().find(|provider| provider.id() == id)
    }

    /// The one of this word, if a person consents there.
    pub(crate) fn consented(&self, id: &str) -> Option<&dyn ConsentedProvider> {
        self.all_consented().find(|provider| provider.id() == id)
    }

    /// Those whose credential is entered, in the order in which they are shown.
    pub(crate) fn all_pasted(&self) -> impl Iterator<Item = &dyn PastedProvider> {
        self.pasted.iter().map(|provider| &**provider)
    }

    /// Those at which a person consents, in the order in which they are shown.
    pub(crate) fn all_consented(&self) -> impl Iterator<Item = &dyn ConsentedProvider> {
        self.consented.iter().map(|provider| &**provider)
    }

    /// The one of this word, if banks are linked there.
    pub(crate) fn linked(&self, id: &str) -> Option<&dyn LinkedProvider> {
        self.all_linked().find(|provider| provider.id() == id)
    }

    /// Those at which banks are linked, in the order in which they are shown.
    pub(crate) fn all_linked(&self) -> impl Iterator<Item = &dyn LinkedProvider> {
        self.linked.iter().map(|provider| &**provider)
    }

    fn iter(&self) -> impl Iterator<Item = &dyn Provider> {
        let pasted = self.all_pasted().map(|provider| provider as &dyn Provider);
        let consented = self.all_consented().map(|own| own as &dyn Provider);
        let linked = self.all_linked().map(|own| own as &dyn Provider);
        pasted.chain(consented).chain(linked)
    }
}

impl fmt::Debug for SourceProviders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.iter().map(|provider| provider.id());
        f.debug_list().entries(words).finish()
    }
}

fn way_out(way: &ProviderWay) -> Result<WayOut, ProviderWayError> {
    Ok(WayOut {
        diversions: Diversions::new(way.hosts.iter().cloned()),
        authorities: way.ca_file.as_deref().map(authorities).transpose()?,
        legs: SignInLegs {
            authorize: way.legs.authorize.clone(),
            token: way.legs.token.clone(),
            revoke: way.legs.revoke.clone(),
        },
    })
}

/// The text of a file of authorities, once it has been tried as one.
fn authorities(path: &Path) -> Result<String, ProviderWayError> {
    let unreadable = |cause| ProviderWayError::Unreadable(path.to_owned(), cause);
    let mut text = String::new();
    let file = File::open(path).map_err(unreadable)?;
    let mut file = file.take(CA_FILE_BYTES_MAX + 1);
    file.read_to_string(&mut text).map_err(unreadable)?;
    if text.len() as u64 > CA_FILE_BYTES_MAX {
        return Err(ProviderWayError::TooLarge(path.to_owned()));
    }
    match Trust::with_authorities(text.as_bytes()) {
        Ok(_) => Ok(text),
        Err(_) => Err(ProviderWayError::NoCertificate(path.to_owned())),
    }
}

impl fmt::Display for ProviderWayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, fault) = match self {
            Self::Unreadable(path, cause) => (path, format!("cannot be read: {cause}")),
            Self::TooLarge(path) => (path, "is larger than 1 MiB".to_owned()),
            Self::NoCertificate(path) => (path, "holds no certificate in PEM form".to_owned()),
            Self::Address(failure) => return write!(f, "a provider: {failure}"),
        };
        let path = path.display();
        write!(f, "{path}, which ca_file of a provider names, {fault}")
    }
}

impl std::error::Error for ProviderWayError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_pushes_and_every_provider_of_the_connectors() {
        let sources = SourceProviders::open(&ProviderSettings::default()).unwrap();
        let words: Vec<_> = [PUSH]
            .into_iter()
            .chain(sources.iter().map(Provider::id))
            .collect();
        assert_eq!(words, ALL);
        for word in ALL {
            assert_eq!(sources.get(word).is_some(), *word != PUSH, "{word}");
        }
    }
}
