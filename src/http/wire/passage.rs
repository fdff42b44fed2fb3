//! One answer's way through its session's gate onto its connection.

use std::sync::Arc;

use actix_web::HttpRequest;
use sextant_actors::sessions::{CloseReason, Gate, GateClosed, Lease};

use super::held::GrantEpoch;
use super::socket::Socket;

/// Lets the bytes of one answer through its session's gate and notes on the connection that it holds them. Exists from before the
/// answer begins until its last byte is in actix's buffer.
pub struct Passage {
    gate: Gate,
    socket: Arc<Socket>,
    grant: GrantEpoch,
}

/// Why an answer cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassageError {
    /// Its session has ended.
    Closed(CloseReason),
    /// Its request came over a connection that is not a [`Socket`].
    NoConnection,
}

impl Passage {
    /// For the answer to this request, computed in the session of this lease.
    ///
    /// # Errors
    /// When the gate is closed already, so that the surface can say so instead of being cut; or the request came over a connection
    /// that is not a [`Socket`].
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

    /// Runs `hand_over` while the gate is held open; from then on the connection counts as holding the piece.
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
