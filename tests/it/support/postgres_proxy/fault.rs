//! One fault: which requests it matches, what happens to them, how often, and how often it has happened.

use tokio::sync::{Semaphore, watch};

use super::wire::RunStatement;
use crate::support::eventually::eventually;

/// Which requests a fault matches.
#[derive(Clone, Copy, Debug)]
pub enum When {
    /// A statement whose text contains this.
    Statement(&'static str),
    /// A statement whose text contains the first string and whose parameters contain the second.
    Carrying(&'static str, &'static str),
    /// The COMMIT of a transaction in which a statement with this text ran.
    CommitAfter(&'static str),
}

impl When {
    fn is_about(self, request: &RunStatement<'_>) -> bool {
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

/// What happens to a request that matches.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    /// The connection is cut before the request reaches the server.
    CutBefore,
    /// The server executes the request; the connection is cut before its answer.
    LoseAnswer,
    /// The client's connection is cut; the request reaches the server once the test lets it.
    Strand,
    /// The request waits until the test lets it pass.
    Hold,
    /// The server answers with this SQLSTATE, and has rolled back.
    Refuse(&'static str),
    /// The server answers with this SQLSTATE and hangs up.
    HangUp(&'static str),
}

/// A fault that a test has injected.
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

    /// Whether the fault applies to this request; if so, one of its times is used up.
    pub(super) fn strikes(&self, request: &RunStatement<'_>) -> bool {
        let is_about = self.when.is_about(request);
        self.left.send_if_modified(|left| {
            let strikes = is_about && *left > 0;
            *left -= usize::from(strikes);
            strikes
        })
    }

    /// How often it has been applied.
    pub fn count(&self) -> usize {
        self.times - *self.left.borrow()
    }

    /// Returns when it has been applied this often.
    pub async fn wait_for(&self, times: usize) {
        let what = format!("{:?} at {:?}", self.act, self.when);
        eventually(&what, async || self.count() >= times).await;
    }

    /// Lets the requests that it holds pass, now and later.
    pub fn release(&self) {
        self.gate.close();
    }

    pub(super) async fn wait_for_release(&self) {
        // Nobody adds permits: the test lets requests pass by closing the semaphore, so an error is expected.
        let _ = self.gate.acquire().await;
    }
}
