use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use chrono::{DateTime, Utc};
use sextant_actors::clock::{Clock, FrozenClock};

use super::stage::crash;
use crate::support::noon;

/// The reader's number for no client: then an actor reads the clock.
const NOBODY: usize = 0;

type Theft = (usize, Box<dyn FnOnce() + Send>);

/// The wall clock of the play. Since everything runs on one thread it knows who reads it: it can crash the actor that
/// reads it next, and it can run something between two instructions of a client, as a second thread would.
#[derive(Clone)]
pub struct StagedClock {
    pub time: FrozenClock,
    reader: Arc<AtomicUsize>,
    broken: Arc<AtomicBool>,
    theft: Arc<Mutex<Option<Theft>>>,
}

impl StagedClock {
    pub fn new() -> Self {
        Self {
            time: FrozenClock::at(noon()),
            reader: Arc::default(),
            broken: Arc::default(),
            theft: Arc::default(),
        }
    }

    /// Crashes the next actor that reads the clock.
    pub fn break_once(&self) {
        self.broken.store(true, Ordering::SeqCst);
    }

    pub fn mend(&self) {
        self.broken.store(false, Ordering::SeqCst);
    }

    /// Runs `theft` when this client reads the clock next.
    pub fn steal(&self, client: usize, theft: impl FnOnce() + Send + 'static) {
        *self.theft.lock().unwrap() = Some((client, Box::new(theft)));
    }

    /// Runs a part of the play that is no actor.
    pub fn outside<T>(&self, reader: usize, part: impl FnOnce() -> T) -> T {
        let before = self.reader.swap(reader, Ordering::SeqCst);
        let done = part();
        self.reader.store(before, Ordering::SeqCst);
        done
    }

    /// The same for a task.
    pub fn task<F: Future<Output = ()>>(&self, reader: usize, task: F) -> Outside<F> {
        Outside {
            clock: self.clone(),
            reader,
            task: Box::pin(task),
        }
    }

    fn theft_on(&self, reader: usize) -> Option<Theft> {
        let mut theft = self.theft.lock().unwrap();
        theft.take_if(|(client, _)| *client == reader)
    }
}

impl Clock for StagedClock {
    fn now(&self) -> DateTime<Utc> {
        let reader = self.reader.load(Ordering::SeqCst);
        if reader == NOBODY {
            if self.broken.swap(false, Ordering::SeqCst) {
                crash("the clock is broken");
            }
        } else if let Some((_, happen)) = self.theft_on(reader) {
            happen();
        }
        self.time.now()
    }
}

/// A task whose readings of the clock are not an actor's.
pub struct Outside<F> {
    clock: StagedClock,
    reader: usize,
    task: Pin<Box<F>>,
}

impl<F: Future<Output = ()>> Future for Outside<F> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let this = self.get_mut();
        let (reader, clock) = (this.reader, this.clock.clone());
        clock.outside(reader, || this.task.as_mut().poll(context))
    }
}
