//! The providers of connections: what may deliver data. Whoever creates or restores a connection checks against this list.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sextant_connectors::guard::{Diversions, Trust};
use sextant_connectors::provider::PastedProvider;
use sextant_connectors::providers::{self, WayOut};

use crate::config::{ProviderSettings, ProviderWay};

/// A device that pushes.
pub(crate) use sextant_actors::domain::PUSH;

/// Every provider, by its word.
pub(crate) const ALL: &[&str] = &[PUSH, "icloud", "own_server", "home_assistant"];

/// Those whose data is fetched.
pub(crate) const SOURCES: &[&str] = &providers::PASTED_IDS;

/// The largest file of authorities, in bytes.
const CA_FILE_BYTES_MAX: u64 = 1024 * 1024;

/// The providers whose data is fetched, each with the way out of its settings. Made once, and shared.
#[derive(Clone)]
pub struct SourceProviders(Arc<[Box<dyn PastedProvider>]>);

/// Why they cannot be made: a file of authorities that cannot be used.
#[derive(Debug)]
pub enum AuthorityFileError {
    /// It cannot be read.
    Unreadable(PathBuf, io::Error),
    /// It is longer than any such file.
    TooLarge(PathBuf),
    /// It holds no certificate.
    NoCertificate(PathBuf),
}

impl SourceProviders {
    /// Those of the settings; reads the files of authorities that they name.
    ///
    /// # Errors
    /// Which file cannot be used.
    pub fn open(settings: &ProviderSettings) -> Result<Self, AuthorityFileError> {
        let mut ways = Vec::new();
        for id in providers::PASTED_IDS {
            let way = settings.get(id).map(way_out).transpose()?;
            ways.push((id, way.unwrap_or_default()));
        }
        let of = |id: &str| ways.iter().find(|(own, _)| *own == id);
        Ok(Self::reached(|id| {
            of(id).map_or_else(WayOut::default, |(_, way)| way.clone())
        }))
    }

    /// All of them, each by the way that it is given.
    pub fn reached(way_out: impl Fn(&str) -> WayOut) -> Self {
        Self(providers::pasted(way_out).into())
    }

    /// The one of this word.
    pub fn get(&self, id: &str) -> Option<&dyn PastedProvider> {
        self.iter().find(|provider| provider.id() == id)
    }

    /// All of them, in the order in which they are shown.
    pub fn iter(&self) -> impl Iterator<Item = &dyn PastedProvider> {
        self.0.iter().map(|provider| &**provider)
    }
}

impl fmt::Debug for SourceProviders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.iter().map(|provider| provider.id());
        f.debug_list().entries(words).finish()
    }
}

fn way_out(way: &ProviderWay) -> Result<WayOut, AuthorityFileError> {
    Ok(WayOut {
        diversions: Diversions::new(way.hosts.iter().cloned()),
        authorities: way.ca_file.as_deref().map(authorities).transpose()?,
        ..WayOut::default()
    })
}

/// The text of a file of authorities, once it has been tried as one.
fn authorities(path: &Path) -> Result<String, AuthorityFileError> {
    let unreadable = |cause| AuthorityFileError::Unreadable(path.to_owned(), cause);
    let mut text = String::new();
    let file = File::open(path).map_err(unreadable)?;
    let mut file = file.take(CA_FILE_BYTES_MAX + 1);
    file.read_to_string(&mut text).map_err(unreadable)?;
    if text.len() as u64 > CA_FILE_BYTES_MAX {
        return Err(AuthorityFileError::TooLarge(path.to_owned()));
    }
    match Trust::with_authorities(text.as_bytes()) {
        Ok(_) => Ok(text),
        Err(_) => Err(AuthorityFileError::NoCertificate(path.to_owned())),
    }
}

impl fmt::Display for AuthorityFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, fault) = match self {
            Self::Unreadable(path, cause) => (path, format!("cannot be read: {cause}")),
            Self::TooLarge(path) => (path, "is larger than 1 MiB".to_owned()),
            Self::NoCertificate(path) => (path, "holds no certificate in PEM form".to_owned()),
        };
        let path = path.display();
        write!(f, "{path}, which ca_file of a provider names, {fault}")
    }
}

impl std::error::Error for AuthorityFileError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_pushes_and_every_provider_of_the_connectors() {
        let sources = SourceProviders::open(&ProviderSettings::default()).unwrap();
        let words: Vec<_> = [PUSH]
            .into_iter()
            .chain(sources.iter().map(|provider| provider.id()))
            .collect();
        assert_eq!(words, ALL);
        for word in ALL {
            assert_eq!(sources.get(word).is_some(), *word != PUSH, "{word}");
        }
    }
}
