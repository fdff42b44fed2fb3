//! How an agent's request is admitted, at the agent port and at the read mirror alike.
//!
//! ```text
//! headers -> Admission::identify -> Identified (a ticket) -> admit -> Admitted (and its share of the port) -> open, find -> Lease
//! ```
//! Each step returns the type that the next one needs, so that none can be left out and none comes early: nothing of a body is read
//! before the key is known. How a refusal is answered, and whether it leaves an audit row, each surface decides.

use std::fmt;

use actix_web::http::header::HeaderMap;
use sextant_actors::domain::{AgentName, Digest, KeyRefusal, Ticket};
use sextant_actors::grants::GrantsHandle;
use sextant_actors::sessions::{ClientInfo, Era, Lease, OpenError, SessionId, SessionsHandle};

use super::agent_key::{Presented, presented};
use crate::capacity::{QuotaExceeded, Share};

/// What admits: the published grants and the sessions.
#[derive(Clone)]
pub(crate) struct Admission {
    grants: GrantsHandle,
    sessions: SessionsHandle,
    accepted: Accepted,
}

/// What may be presented.
#[derive(Clone, Copy)]
enum Accepted {
    Keys,
    /// Also the access tokens of the OAuth bridge, which are for the agent port alone (RFC 8707).
    KeysAndTokens,
}

/// A caller whose key opens a grant.
pub(crate) struct Identified<'a> {
    admission: &'a Admission,
    ticket: Ticket,
}

/// An identified caller that holds a share of its quota for this request.
pub(crate) struct Admitted<'a> {
    admission: &'a Admission,
    ticket: Ticket,
    /// What the request holds; given back with it.
    pub share: Share,
}

/// Why a request is not admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAdmitted {
    /// It presents no key.
    NoKey,
    /// What it presents is not one bearer key.
    MalformedKey,
    /// The key is refused.
    KeyRefused(KeyRefusal),
    /// The agent holds its whole share of the port.
    Crowded,
    /// The agent gets no session now.
    NoSession(OpenError),
}

impl Admission {
    /// Over these grants and sessions, by agents' keys alone.
    pub(crate) const fn of_keys(grants: GrantsHandle, sessions: SessionsHandle) -> Self {
        Self {
            grants,
            sessions,
            accepted: Accepted::Keys,
        }
    }

    /// The same, by the access tokens that stand for keys as well.
    pub(crate) const fn of_keys_and_tokens(grants: GrantsHandle, sessions: SessionsHandle) -> Self {
        Self {
            grants,
            sessions,
            accepted: Accepted::KeysAndTokens,
        }
    }

    /// Reads the key and looks up its grant; waits for nothing (r069).
    ///
    /// # Errors
    /// [`NotAdmitted::NoKey`], [`NotAdmitted::MalformedKey`] or [`NotAdmitted::KeyRefused`].
    pub(crate) fn identify(&self, headers: &HeaderMap) -> Result<Identified<'_>, NotAdmitted> {
        let ticket = match presented(headers) {
            Presented::Key(digest) => self.resolve(&digest)?,
            Presented::Malformed => return Err(NotAdmitted::MalformedKey),
            Presented::Nothing => return Err(NotAdmitted::NoKey),
        };
        Ok(Identified {
            admission: self,
            ticket,
        })
    }

    fn resolve(&self, digest: &Digest) -> Result<Ticket, NotAdmitted> {
        let resolved = match self.accepted {
            Accepted::Keys => self.grants.resolve(digest),
            Accepted::KeysAndTokens => self.grants.resolve_bearer(digest),
        };
        resolved.map_err(NotAdmitted::KeyRefused)
    }
}

impl<'a> Identified<'a> {
    /// Whose key it is.
    pub(crate) const fn agent(&self) -> &AgentName {
        &self.ticket.agent
    }

    /// Admits the request, which holds `share` until it is over.
    pub(crate) fn admit(self, share: Share) -> Admitted<'a> {
        let Self { admission, ticket } = self;
        Admitted {
            admission,
            ticket,
            share,
        }
    }
}

impl Admitted<'_> {
    /// Whose request it is.
    pub(crate) const fn agent(&self) -> &AgentName {
        &self.ticket.agent
    }

    /// Opens a session, or leases the one there is. A grant that was edited since the key was resolved is resolved once more.
    ///
    /// # Errors
    /// [`NotAdmitted::NoSession`], or [`NotAdmitted::KeyRefused`] when the edit took the key away.
    pub(crate) async fn open(&self, client: ClientInfo, era: Era) -> Result<Lease, NotAdmitted> {
        let Admission { sessions, .. } = self.admission;
        let opened = sessions.open(self.ticket.clone(), client.clone(), era);
        let opened = match opened.await {
            Err(OpenError::GrantChanged) => {
                let ticket = Ticket {
                    presented: self.ticket.presented,
                    ..self.admission.resolve(&self.ticket.digest)?
                };
                sessions.open(ticket, client, era).await
            }
            settled => settled,
        };
        opened.map_err(NotAdmitted::NoSession)
    }

    /// The live session of this id; another agent's is as unknown as one that never was.
    pub(crate) async fn find(&self, id: SessionId) -> Option<Lease> {
        self.admission.sessions.find(id, &self.ticket).await
    }
}

impl From<QuotaExceeded> for NotAdmitted {
    fn from(_: QuotaExceeded) -> Self {
        NotAdmitted::Crowded
    }
}

/// What the caller is to do.
impl fmt::Display for NotAdmitted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotAdmitted::NoKey | NotAdmitted::MalformedKey => {
                formatter.write_str("send the agent's key as `Authorization: Bearer <key>`")
            }
            NotAdmitted::KeyRefused(refusal) => write!(formatter, "the key is refused: {refusal}"),
            NotAdmitted::Crowded => formatter.write_str(
                "the agent has as many requests under way as it may have: retry shortly",
            ),
            NotAdmitted::NoSession(error) => write!(formatter, "{error}: retry shortly"),
        }
    }
}

impl std::error::Error for NotAdmitted {}
