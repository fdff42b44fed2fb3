//! The way of one answer: past its session's gate, onto its connection.

use std::sync::Arc;

use actix_web::HttpRequest;
use sextant_actors::sessions::{Gate, GateClosed, Lease};

use super::held::Owner;
use super::line::Line;

/// The way of one answer, from before it begins until its last byte is in actix's hands.
pub struct Passage {
    gate: Gate,
    line: Arc<Line>,
    owner: Owner,
}

impl Passage {
    /// For the answer to this request, out of this session; none where the request came over no connection of ours.
    pub fn new(request: &HttpRequest, lease: &Lease) -> Option<Self> {
        let line = Arc::clone(request.conn_data::<Arc<Line>>()?);
        let ticket = lease.ticket();
        let owner = Owner {
            agent: ticket.agent.clone(),
            epoch: ticket.epoch,
        };
        line.begin(&owner);
        Some(Self {
            gate: lease.gate().clone(),
            line,
            owner,
        })
    }

    /// The session's gate.
    pub const fn gate(&self) -> &Gate {
        &self.gate
    }

    /// Hands a piece over while the gate is held open; from here on the connection counts as holding it.
    ///
    /// # Errors
    /// As [`Gate::pass`].
    pub fn pass<T>(&self, hand_over: impl FnOnce() -> T) -> Result<T, GateClosed> {
        self.gate.pass(|| {
            self.line.pass(&self.owner);
            hand_over()
        })
    }
}

impl Drop for Passage {
    fn drop(&mut self) {
        self.line.end(&self.owner);
    }
}
