//! A signed-in WebSocket of a home. One task owns the socket, reads it all the time, and sends what those who ask give it; so a
//! slow reader of events holds up neither the answers nor the signs of life.

mod driver;
mod sign_in;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use self::driver::{Question, SessionDriver, Waiter};
use super::address::HomeAddress;
use super::wire::not_in_time;
use crate::failure::{FailureKind, SourceFailure};
use crate::guard::StreamGuard;
use crate::limits::{HOME_ANSWER_DEADLINE, HOME_EVENTS_QUEUED_MAX, HOME_QUESTIONS_QUEUED_MAX};
use crate::secret::SourceSecret;

/// The way to ask a home. The socket is closed when the last of its clones is dropped.
#[derive(Clone)]
pub(super) struct HomeSession {
    questions: mpsc::Sender<Question>,
    ended: Arc<OnceLock<SourceFailure>>,
}

/// The events of subscriptions, in their order.
pub(super) struct HomeEvents {
    ids: Vec<u64>,
    queue: mpsc::Receiver<Value>,
    session: HomeSession,
}

impl HomeSession {
    /// Connects and signs in; the token is tried once.
    pub(super) async fn open(
        streams: &StreamGuard,
        address: &HomeAddress,
        token: &SourceSecret,
    ) -> Result<Self, SourceFailure> {
        let stream = streams.connect(address.destination()).await?;
        let socket = sign_in::sign_in(stream, &address.web_socket(), token).await?;
        let (questions, asked) = mpsc::channel(HOME_QUESTIONS_QUEUED_MAX);
        let ended = Arc::new(OnceLock::new());
        tokio::spawn(SessionDriver::new(socket, asked, Arc::clone(&ended)).run());
        let session = Self { questions, ended };
        let features = json!({"type": "supported_features", "features": {"coalesce_messages": 1}});
        session.ask(features).await?;
        Ok(session)
    }

    /// Asks, and waits [`HOME_ANSWER_DEADLINE`] for the answer.
    pub(super) async fn ask(&self, question: Value) -> Result<Value, SourceFailure> {
        self.ask_within(question, HOME_ANSWER_DEADLINE).await
    }

    /// Asks, and waits as long as said. A question that was given up may have been taken.
    pub(super) async fn ask_within(
        &self,
        question: Value,
        deadline: Duration,
    ) -> Result<Value, SourceFailure> {
        let (told, answer) = oneshot::channel();
        let (_, answer) = self
            .send(question, Waiter::Answer(told), answer, deadline)
            .await?;
        Ok(answer)
    }

    /// Subscribes to types of the home's events. They wait in one queue of [`HOME_EVENTS_QUEUED_MAX`]; when it is full, the
    /// subscriptions end.
    pub(super) async fn subscribe(
        &self,
        event_types: &[&str],
    ) -> Result<HomeEvents, SourceFailure> {
        let (sender, queue) = mpsc::channel(HOME_EVENTS_QUEUED_MAX);
        let mut events = HomeEvents {
            ids: Vec::with_capacity(event_types.len()),
            queue,
            session: self.clone(),
        };
        for event_type in event_types {
            let question = json!({"type": "subscribe_events", "event_type": event_type});
            let (told, answer) = oneshot::channel();
            let waiter = Waiter::Subscription(told, sender.clone());
            let sent = self.send(question, waiter, answer, HOME_ANSWER_DEADLINE);
            events.ids.push(sent.await?.0);
        }
        // Nothing was read yet: a queue that is full may have lost events, and the subscriptions before that.
        if sender.capacity() == 0 {
            return Err(ended(&self.ended));
        }
        Ok(events)
    }

    async fn send(
        &self,
        question: Value,
        waiter: Waiter,
        answer: oneshot::Receiver<(u64, Result<Value, SourceFailure>)>,
        deadline: Duration,
    ) -> Result<(u64, Value), SourceFailure> {
        let asking = async {
            let question = Question { question, waiter };
            let is_sent = self.questions.send(question).await.is_ok();
            let answered = if is_sent { answer.await.ok() } else { None };
            answered.ok_or_else(|| ended(&self.ended))
        };
        let (id, answer) = timeout(deadline, asking)
            .await
            .unwrap_or_else(|_| Err(not_in_time()))?;
        Ok((id, answer?))
    }
}

impl HomeEvents {
    /// Whether none waits.
    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// The next event.
    ///
    /// # Errors
    /// When the session has ended, or the events came faster than they were read.
    pub(super) async fn next(&mut self) -> Result<Value, SourceFailure> {
        let event = self.queue.recv().await;
        event.ok_or_else(|| ended(&self.session.ended))
    }
}

impl Drop for HomeEvents {
    /// The home is told to send no more; whether it was is nobody's trouble.
    fn drop(&mut self) {
        for id in self.ids.drain(..) {
            let question = json!({"type": "unsubscribe_events", "subscription": id});
            let waiter = Waiter::Nobody;
            let _ = self
                .session
                .questions
                .try_send(Question { question, waiter });
        }
    }
}

/// Why there is nothing more. A subscription that ended before its session was full.
fn ended(ended: &OnceLock<SourceFailure>) -> SourceFailure {
    ended.get().cloned().unwrap_or_else(|| {
        let message = "the source's events came faster than they were stored";
        SourceFailure::new(FailureKind::Unavailable, message)
    })
}
