//! One fault: which requests it is about, what happens to them, how often, and whether it has happened.

use tokio::sync::{Semaphore, watch};

use super::wire::Request;
use crate::support::eventually::eventually;

/// Which requests.
#[derive(Clone, Copy, Debug)]
pub enum When {
    /// A statement with this in its text.
    Statement(&'static str),
    /// A statement with the first in its text and the second among its values.
    Carrying(&'static str, &'static str),
    /// The COMMIT of a transaction in which such a statement ran.
    CommitAfter(&'static str),
}

impl When {
    fn is_about(self, request: &Request<'_>) -> bool {
        match self {
            Self::Statement(piece) => request.sql.contains(piece),
            Self::Carrying(piece, value) => {
                let mut windows = request.bytes.windows(value.len());
                request.sql.contains(piece) && windows.any(|bytes| bytes == value.as_bytes())
            }
            Self::CommitAfter(piece) => {
                request.sql == "COMMIT" && request.before.iter().any(|sql| sql.contains(piece))
            }
        }
    }
}

/// What happens.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    /// The line is cut before the request reaches the server.
    CutBefore,
    /// The server does what it was asked; the line is cut before its answer.
    LoseAnswer,
    /// The client's line is cut; the request reaches the server when the test lets it.
    Strand,
    /// The request waits until the test lets it go on.
    Hold,
    /// The server refuses with this SQLSTATE, and has rolled back.
    Refuse(&'static str),
    /// The server says this SQLSTATE and hangs up.
    HangUp(&'static str),
}

/// A fault that was asked for.
pub struct Fault {
    when: When,
    pub(super) act: Act,
    left: watch::Sender<usize>,
    times: usize,
    gate: Semaphore,
}

impl Fault {
    pub(super) fn new(when: When, act: Act, times: usize) -> Self {
        Self {
            when,
            act,
            left: watch::Sender::new(times),
            times,
            gate: Semaphore::new(0),
        }
    }

    /// Takes one of its times, if it is about this request and any is left.
    pub(super) fn strikes(&self, request: &Request<'_>) -> bool {
        let is_about = self.when.is_about(request);
        self.left.send_if_modified(|left| {
            let strikes = is_about && *left > 0;
            *left -= usize::from(strikes);
            strikes
        })
    }

    /// How often it has struck.
    pub fn count(&self) -> usize {
        self.times - *self.left.borrow()
    }

    /// Returns when it has struck so often.
    pub async fn has_struck(&self, times: usize) {
        let what = format!("{:?} at {:?}", self.act, self.when);
        eventually(&what, async || self.count() >= times).await;
    }

    /// What it holds goes on, now and later.
    pub fn let_go(&self) {
        self.gate.close();
    }

    pub(super) async fn is_let_go(&self) {
        // Nobody ever adds a permit: the gate is closed when it opens.
        let _ = self.gate.acquire().await;
    }
}
