use std::collections::VecDeque;
use std::future::pending;
use std::sync::{Arc, Mutex};

use sextant_actors::ports::PortError;
use tokio::sync::{Notify, watch};

/// What a port does instead of answering.
#[derive(Clone, Debug)]
pub enum Fault {
    /// Answers with this error, having done nothing.
    Fail(PortError),
    /// Does the work, and loses the answer.
    LoseAnswer,
    /// Panics.
    Panic,
    /// Panics as it is called, before there is a future.
    PanicWhenCalled,
    /// Never answers, and panics when it is given up.
    PanicWhenDropped,
    /// Never answers.
    Hang,
    /// Waits until it is released, then does the work.
    Hold(Arc<Notify>),
    /// Does the work, and answers when it is released.
    HoldAnswer(Arc<Notify>),
}

impl Fault {
    pub fn away() -> Self {
        Fault::Fail(PortError::Unavailable("away".to_owned()))
    }

    pub fn hold() -> (Self, Arc<Notify>) {
        let held = Arc::new(Notify::new());
        (Fault::Hold(Arc::clone(&held)), held)
    }

    pub fn hold_answer() -> (Self, Arc<Notify>) {
        let held = Arc::new(Notify::new());
        (Fault::HoldAnswer(Arc::clone(&held)), held)
    }

    /// Waits after the work, if that is the fault.
    pub async fn after(fault: Option<Self>) {
        if let Some(Fault::HoldAnswer(held)) = fault {
            held.notified().await;
        }
    }
}

/// The faults to come, one for each request; when none are left, requests succeed.
#[derive(Clone, Default)]
pub struct Script(Arc<Mutex<VecDeque<Fault>>>);

impl Script {
    pub fn add(&self, faults: impl IntoIterator<Item = Fault>) {
        self.0.lock().unwrap().extend(faults);
    }

    /// Acts as the script says; `Ok(true)` means that the answer must be lost afterwards.
    pub async fn act(fault: Option<Fault>) -> Result<bool, PortError> {
        match fault {
            None | Some(Fault::HoldAnswer(_)) => Ok(false),
            Some(Fault::LoseAnswer) => Ok(true),
            Some(Fault::Fail(error)) => Err(error),
            Some(Fault::Panic | Fault::PanicWhenCalled) => panic!("the port panics"),
            Some(Fault::PanicWhenDropped) => {
                let _bomb = Bomb;
                pending().await
            }
            Some(Fault::Hang) => pending().await,
            Some(Fault::Hold(held)) => {
                held.notified().await;
                Ok(false)
            }
        }
    }

    /// Whether every fault has met its request.
    pub fn is_used_up(&self) -> bool {
        self.0.lock().unwrap().is_empty()
    }

    /// The fault of the present request.
    pub fn next(&self) -> Option<Fault> {
        let fault = self.0.lock().unwrap().pop_front();
        assert!(
            !matches!(fault, Some(Fault::PanicWhenCalled)),
            "the port panics when called"
        );
        fault
    }
}

/// Panics when it is dropped.
pub struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        // A second panic at once would end the process.
        assert!(std::thread::panicking(), "what was in flight panics");
    }
}

pub fn lost() -> PortError {
    PortError::FateUnknown("the answer is lost".to_owned())
}

/// A counted event that can be awaited.
#[derive(Clone)]
pub struct Fact(watch::Sender<u64>);

impl Default for Fact {
    fn default() -> Self {
        Self(watch::channel(0).0)
    }
}

impl Fact {
    pub fn happened(&self) {
        self.0.send_modify(|count| *count += 1);
    }

    pub fn count(&self) -> u64 {
        *self.0.borrow()
    }

    /// Waits until it has occurred at least this often.
    pub async fn times(&self, count: u64) {
        let mut seen = self.0.subscribe();
        seen.wait_for(|happened| *happened >= count).await.unwrap();
    }
}
