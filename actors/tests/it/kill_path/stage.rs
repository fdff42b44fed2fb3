use std::sync::{Arc, Mutex};

use tokio::sync::oneshot;

/// How a waiting step goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// As it should.
    Go,
    /// The database refuses, and nothing was done.
    Refuse,
    /// The answer is lost; the work may still be done.
    Lose,
    /// The task that waits for the answer panics.
    Panic,
    /// No answer comes.
    Hang,
    /// The client ends the session at the very moment at which its call returns.
    Steal,
}

struct Point {
    name: String,
    mishaps: &'static [Fate],
    go: oneshot::Sender<Fate>,
}

/// Where every step of the play waits until the scheduler picks it.
#[derive(Clone, Default)]
pub struct Stage(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    open: bool,
    points: Vec<Point>,
}

impl Stage {
    /// From here on steps wait.
    pub fn open(&self) {
        self.0.lock().unwrap().open = true;
    }

    /// Waits to be picked; before the play begins steps do not wait.
    pub async fn point(&self, name: impl Into<String>, mishaps: &'static [Fate]) -> Fate {
        let picked = {
            let mut inner = self.0.lock().unwrap();
            if !inner.open {
                return Fate::Go;
            }
            let (go, picked) = oneshot::channel();
            inner.points.push(Point {
                name: name.into(),
                mishaps,
                go,
            });
            picked
        };
        picked.await.unwrap_or(Fate::Go)
    }

    /// The number of waiting steps; those whose task has ended do not count.
    pub fn waiting(&self) -> usize {
        let points = &mut self.0.lock().unwrap().points;
        points.retain(|point| !point.go.is_closed());
        points.len()
    }

    /// What may go wrong with a waiting step.
    pub fn mishaps(&self, index: usize) -> &'static [Fate] {
        self.0.lock().unwrap().points[index].mishaps
    }

    /// Lets a step go on; returns its name.
    pub fn release(&self, index: usize, fate: Fate) -> String {
        let Point { name, go, .. } = self.0.lock().unwrap().points.remove(index);
        // The task may have ended in this very round.
        let _ = go.send(fate);
        name
    }
}

/// Panics on purpose, without a backtrace, since there are too many of these.
pub fn crash(cause: &'static str) -> ! {
    std::panic::resume_unwind(Box::new(cause))
}
