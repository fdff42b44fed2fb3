//! The id of a legacy session, readable by the service alone: the run that opened it, its client, and under a seal (an HMAC) the edition
//! of the grant.
//!
//! ```text
//! base64url( random bytes | run | length of the name | client's name | client's version | seal )
//! seal = HMAC-SHA256, under the key's digest, of the agent, the edition and all that stands before the seal
//! ```
//!
//! Every edit makes a new edition, in the database too, so an id can never be taken for one of the present edition once the
//! grant it was drawn under has been edited, not even when the edit is undone later.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use super::{ClientInfo, SessionId};
use crate::domain::Ticket;
use crate::random;

/// Random bytes in an id.
const RANDOM_BYTES: usize = 16;
const SEAL_BYTES: usize = 32;
/// The block of SHA-256.
const BLOCK_BYTES: usize = 64;

/// A run of the service, told from every other by its random bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ServiceRun([u8; 8]);

impl ServiceRun {
    pub(super) fn begin() -> Result<Self, random::Unavailable> {
        random::bytes().map(Self)
    }
}

/// The contents of an id.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SealedId {
    pub(super) run: ServiceRun,
    pub(super) client: ClientInfo,
}

impl SealedId {
    /// A fresh id with these contents, sealed under the ticket's grant.
    pub(super) fn generate(&self, ticket: &Ticket) -> Result<SessionId, random::Unavailable> {
        let ClientInfo { name, version } = &self.client;
        let mut bytes = random::bytes::<RANDOM_BYTES>()?.to_vec();
        bytes.extend(self.run.0);
        // A client's name is cut to far less than this can count.
        bytes.extend(u16::try_from(name.len()).unwrap_or(u16::MAX).to_be_bytes());
        bytes.extend(name.bytes().chain(version.bytes()));
        let seal = seal(ticket, &bytes).finalize().into_bytes();
        bytes.extend(seal);
        Ok(random::base64url(&bytes).as_str().into())
    }

    /// The contents of an id, if it was sealed under the ticket's edition of the grant.
    pub(super) fn open(id: &SessionId, ticket: &Ticket) -> Option<Self> {
        let bytes = random::from_base64url(id.as_str())?;
        let (said, found) = bytes.split_last_chunk::<SEAL_BYTES>()?;
        seal(ticket, said).verify_slice(found).ok()?;
        let (_, said) = said.split_first_chunk::<RANDOM_BYTES>()?;
        let (run, said) = said.split_first_chunk()?;
        let (length, said) = said.split_first_chunk()?;
        let (name, version) = said.split_at_checked(u16::from_be_bytes(*length).into())?;
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
        Some(Self {
            run: ServiceRun(*run),
            client: ClientInfo {
                name: text(name)?,
                version: text(version)?,
            },
        })
    }
}

fn seal(ticket: &Ticket, said: &[u8]) -> Hmac<Sha256> {
    let mut block = [0; BLOCK_BYTES];
    if let Some(key) = block.first_chunk_mut() {
        *key = *ticket.digest.as_bytes();
    }
    // HMAC takes a key of one block as it is (RFC 2104).
    let mut seal = Hmac::<Sha256>::new(&block.into());
    seal.update(ticket.agent.as_str().as_bytes());
    // No agent's name holds this byte.
    seal.update(b"\0");
    seal.update(&ticket.edition.to_be_bytes());
    seal.update(said);
    seal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Digest, PresentedAs, SectorSet};

    fn ticket(agent: &str, key: &str, edition: i32) -> Ticket {
        Ticket {
            agent: agent.parse().unwrap(),
            epoch: 1,
            edition,
            digest: Digest::of(key),
            sectors: SectorSet::EMPTY,
            expires_at: None,
            presented: PresentedAs::Key,
        }
    }

    fn sealed() -> SealedId {
        SealedId {
            run: ServiceRun([7; 8]),
            client: ClientInfo {
                name: "a chat \u{1f600}".to_owned(),
                version: String::new(),
            },
        }
    }

    #[test]
    fn an_id_says_what_was_sealed_under_its_own_edition_only() {
        let (own, said) = (ticket("amy", "key", 3), sealed());
        let id = said.generate(&own).unwrap();
        assert_ne!(id, said.generate(&own).unwrap());
        assert_eq!(SealedId::open(&id, &own), Some(said));
        for other in [
            ticket("amy", "key", 4),
            ticket("amy", "key", 2),
            ticket("amy", "other", 3),
            ticket("bob", "key", 3),
        ] {
            assert_eq!(SealedId::open(&id, &other), None, "{other:?}");
        }
    }

    #[test]
    fn an_id_that_was_tampered_with_says_nothing() {
        let own = ticket("amy", "key", 3);
        let id = sealed().generate(&own).unwrap();
        let text = id.as_str();
        for place in 0..text.len() {
            for letter in ["A", "B", "_"] {
                let mut other = text.to_owned();
                other.replace_range(place..=place, letter);
                let read = SealedId::open(&other.as_str().into(), &own);
                assert_eq!(read.is_some(), other == text, "{place}");
            }
        }
        for other in [
            "",
            "A",
            "not base64!",
            &text[..text.len() - 1],
            &format!("{text}A"),
        ] {
            assert_eq!(SealedId::open(&other.into(), &own), None);
        }
    }
}
