//! What one agent may hold of the port at one time, so that none can take what the others need: requests that are not answered
//! to their end, streams among them, and bytes of bodies that are arriving or being read.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use actix_web::HttpResponse;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::web::Bytes;
use sextant_actors::domain::AgentName;

use super::fault::Fault;
use super::limits::BODY_BYTES_PER_AGENT_MAX;

#[derive(Clone, Copy, Default)]
struct Held {
    requests: usize,
    body_bytes: usize,
}

/// What the agents hold.
#[derive(Clone)]
pub struct Shares {
    held: Arc<Mutex<HashMap<AgentName, Held>>>,
    requests_max: usize,
}

/// One request's part of its agent's share; given back when it is dropped.
pub struct Share {
    shares: Shares,
    agent: AgentName,
    body_bytes: usize,
}

impl Shares {
    pub fn new(requests_max: usize) -> Self {
        Self {
            held: Arc::default(),
            requests_max,
        }
    }

    /// A place for one more request of this agent.
    ///
    /// # Errors
    /// [`Fault::Crowded`].
    pub fn enter(&self, agent: &AgentName) -> Result<Share, Fault> {
        let mut held = self.lock();
        let own = held.entry(agent.clone()).or_default();
        if own.requests >= self.requests_max {
            return Err(Fault::Crowded);
        }
        own.requests += 1;
        Ok(Share {
            shares: self.clone(),
            agent: agent.clone(),
            body_bytes: 0,
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<AgentName, Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Share {
    /// Room for so many more bytes of the request's body.
    ///
    /// # Errors
    /// [`Fault::Crowded`].
    pub fn take(&mut self, bytes: usize) -> Result<(), Fault> {
        let mut held = self.shares.lock();
        let own = held.entry(self.agent.clone()).or_default();
        if bytes > BODY_BYTES_PER_AGENT_MAX.saturating_sub(own.body_bytes) {
            return Err(Fault::Crowded);
        }
        own.body_bytes += bytes;
        self.body_bytes += bytes;
        Ok(())
    }

    /// The body has been read, and is no more.
    pub fn give_back_body(&mut self) {
        let bytes = std::mem::take(&mut self.body_bytes);
        if let Some(own) = self.shares.lock().get_mut(&self.agent) {
            own.body_bytes = own.body_bytes.saturating_sub(bytes);
        }
    }

    /// Held on to until the answer has been sent, or cannot be.
    pub fn until_sent(self, answer: HttpResponse) -> HttpResponse {
        let carried = answer.map_body(|_, body| Carried { body, _share: self });
        carried.map_into_boxed_body()
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.give_back_body();
        if let Entry::Occupied(mut own) = self.shares.lock().entry(self.agent.clone()) {
            own.get_mut().requests = own.get().requests.saturating_sub(1);
            if own.get().requests == 0 {
                own.remove();
            }
        }
    }
}

/// A body, with what is given back after it.
struct Carried {
    body: BoxBody,
    _share: Share,
}

impl MessageBody for Carried {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(name: &str) -> AgentName {
        name.parse().unwrap()
    }

    #[test]
    fn an_agent_that_holds_its_share_takes_none_of_anothers() {
        let shares = Shares::new(2);
        let (amy, bob) = (agent("amy"), agent("bob"));
        let mut first = shares.enter(&amy).unwrap();
        let _second = shares.enter(&amy).unwrap();
        assert_eq!(shares.enter(&amy).err(), Some(Fault::Crowded));
        assert_eq!(first.take(BODY_BYTES_PER_AGENT_MAX), Ok(()));
        assert_eq!(first.take(1), Err(Fault::Crowded));
        assert_eq!(shares.enter(&bob).unwrap().take(1), Ok(()));
        drop(first);
        let mut third = shares.enter(&amy).unwrap();
        assert_eq!(third.take(BODY_BYTES_PER_AGENT_MAX), Ok(()));
        third.give_back_body();
        assert_eq!(third.take(1), Ok(()));
    }

    #[test]
    fn nothing_is_kept_of_an_agent_that_holds_nothing() {
        let shares = Shares::new(2);
        let answer = shares.enter(&agent("amy")).unwrap();
        let answer = answer.until_sent(HttpResponse::Ok().body("x"));
        assert_eq!(shares.lock().len(), 1);
        drop(answer);
        assert!(shares.lock().is_empty());
    }
}
