//! The way of one answer: past its session's gate, onto its connection.

use std::sync::Arc;

use actix_web::HttpRequest;
use sextant_actors::sessions::{CloseReason, Gate, GateClosed, Lease};

use super::held::GrantEpoch;
use super::socket::Socket;

/// The way of one answer, from before it begins until its last byte is in actix's hands.
pub struct Passage {
    gate: Gate,
    socket: Arc<Socket>,
    grant: GrantEpoch,
}

/// Why an answer has no way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassageError {
    /// Its session has ended.
    Closed(CloseReason),
    /// Its request came over no connection of ours.
    NoConnection,
}

impl Passage {
    /// For the answer to this request, out of this session.
    ///
    /// # Errors
    /// When the gate is closed already, which is better said than cut, or the request came over no connection of ours.
    pub fn open(request: &HttpRequest, lease: &Lease) -> Result<Self, PassageError> {
        if let Some(reason) = lease.gate().state() {
            return Err(PassageError::Closed(reason));
        }
        let socket = request.conn_data::<Arc<Socket>>();
        let socket = Arc::clone(socket.ok_or(PassageError::NoConnection)?);
        let ticket = lease.ticket();
        let grant = GrantEpoch {
            agent: ticket.agent.clone(),
            epoch: ticket.epoch,
        };
        socket.begin(&grant);
        Ok(Self {
            gate: lease.gate().clone(),
            socket,
            grant,
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
            self.socket.pass(&self.grant);
            hand_over()
        })
    }
}

impl Drop for Passage {
    fn drop(&mut self) {
        self.socket.end(&self.grant);
    }
}
