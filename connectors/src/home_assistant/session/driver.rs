//! The task that owns the socket of a session.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::tungstenite::{Error, Message};

use super::super::wire::{self, HomeMessage, malformed, not_in_time};
use super::sign_in::{HomeSocket, lost};
use crate::failure::SourceFailure;
use crate::limits::{HOME_ANSWER_DEADLINE, HOME_PING_DEADLINE, HOME_PING_INTERVAL};

/// The id of a question, and what was answered.
pub(super) type Told = oneshot::Sender<(u64, Result<Value, SourceFailure>)>;

/// What is to be asked: an object without its id.
pub(super) struct Question {
    pub(super) question: Value,
    pub(super) waiter: Waiter,
}

/// Who waits for an answer.
pub(super) enum Waiter {
    Answer(Told),
    /// The events follow the answer.
    Subscription(Told, mpsc::Sender<Value>),
    /// What is answered does not matter.
    Nobody,
}

/// When the next sign of life is asked for, or must have come.
enum Life {
    AskAt(Instant),
    ExpectBy(u64, Instant),
}

pub(super) struct SessionDriver {
    socket: HomeSocket,
    questions: mpsc::Receiver<Question>,
    ended: Arc<OnceLock<SourceFailure>>,
    last_id: u64,
    waiting: HashMap<u64, Waiter>,
    subscriptions: HashMap<u64, mpsc::Sender<Value>>,
    life: Life,
}

impl SessionDriver {
    pub(super) fn new(
        socket: HomeSocket,
        questions: mpsc::Receiver<Question>,
        ended: Arc<OnceLock<SourceFailure>>,
    ) -> Self {
        Self {
            socket,
            questions,
            ended,
            last_id: 0,
            waiting: HashMap::new(),
            subscriptions: HashMap::new(),
            life: Life::AskAt(Instant::now() + HOME_PING_INTERVAL),
        }
    }

    /// Serves until nobody asks any more, or the socket fails. Those who still wait learn why.
    pub(super) async fn run(mut self) {
        let failure = loop {
            match self.step().await {
                Ok(true) => {}
                Ok(false) => {
                    // A close that is not answered is nobody's trouble.
                    let _ = timeout(HOME_PING_DEADLINE, self.socket.close(None)).await;
                    return;
                }
                Err(failure) => break failure,
            }
        };
        // Before the waiting are dropped, so that each finds the reason.
        let _ = self.ended.set(failure);
    }

    /// One thing that happens; whether there is anybody left to ask.
    async fn step(&mut self) -> Result<bool, SourceFailure> {
        let (Life::AskAt(at) | Life::ExpectBy(_, at)) = self.life;
        tokio::select! {
            question = self.questions.recv() => match question {
                Some(question) => self.ask(question).await?,
                None => return Ok(false),
            },
            message = self.socket.next() => {
                let message = message.unwrap_or(Err(Error::ConnectionClosed));
                self.take(message.map_err(|cause| lost(&cause))?)?;
            }
            () = sleep_until(at) => self.show_life().await?,
        }
        Ok(true)
    }

    async fn ask(&mut self, question: Question) -> Result<(), SourceFailure> {
        // Those that were given up meanwhile are forgotten.
        self.waiting.retain(|_, waiter| !waiter.gave_up());
        if question.waiter.gave_up() {
            return Ok(());
        }
        let id = self.send(question.question).await?;
        self.waiting.insert(id, question.waiter);
        Ok(())
    }

    /// Sends under the next id.
    async fn send(&mut self, mut question: Value) -> Result<u64, SourceFailure> {
        self.last_id += 1;
        if let Some(question) = question.as_object_mut() {
            question.insert("id".to_owned(), self.last_id.into());
        }
        let sending = self.socket.send(Message::text(question.to_string()));
        let sent = timeout(HOME_ANSWER_DEADLINE, sending).await;
        sent.map_err(|_| not_in_time())?
            .map_err(|cause| lost(&cause))?;
        Ok(self.last_id)
    }

    async fn show_life(&mut self) -> Result<(), SourceFailure> {
        if let Life::ExpectBy(..) = self.life {
            return Err(not_in_time());
        }
        let id = self.send(json!({"type": "ping"})).await?;
        self.life = Life::ExpectBy(id, Instant::now() + HOME_PING_DEADLINE);
        Ok(())
    }

    fn take(&mut self, message: Message) -> Result<(), SourceFailure> {
        match message {
            Message::Text(text) => {
                for message in wire::read(&text)? {
                    self.deliver(message);
                }
                Ok(())
            }
            Message::Ping(_) | Message::Pong(_) => Ok(()),
            Message::Close(_) => Err(lost(&Error::ConnectionClosed)),
            Message::Binary(_) | Message::Frame(_) => Err(malformed()),
        }
    }

    fn deliver(&mut self, message: HomeMessage) {
        match message {
            HomeMessage::Answer(id, answer) => self.answer(id, answer),
            HomeMessage::Event(id, event) => self.report(id, event),
            HomeMessage::Pong(id) => {
                if matches!(self.life, Life::ExpectBy(expected, _) if expected == id) {
                    self.life = Life::AskAt(Instant::now() + HOME_PING_INTERVAL);
                }
            }
            HomeMessage::Other => {}
        }
    }

    /// Who gave up a question does not hear its answer.
    fn answer(&mut self, id: u64, answer: Result<Value, SourceFailure>) {
        match self.waiting.remove(&id) {
            Some(Waiter::Answer(told)) => {
                let _ = told.send((id, answer));
            }
            Some(Waiter::Subscription(told, events)) => {
                if answer.is_ok() {
                    self.subscriptions.insert(id, events);
                }
                let _ = told.send((id, answer));
            }
            Some(Waiter::Nobody) | None => {}
        }
    }

    /// The subscriptions of a queue that is full, or that nobody reads any more, end together.
    fn report(&mut self, id: u64, event: Value) {
        let Some(events) = self.subscriptions.get(&id).cloned() else {
            return;
        };
        if events.try_send(event).is_err() {
            let stays = |other: &mpsc::Sender<Value>| !other.same_channel(&events);
            self.subscriptions.retain(|_, other| stays(other));
        }
    }
}

impl Waiter {
    fn gave_up(&self) -> bool {
        match self {
            Self::Answer(told) | Self::Subscription(told, _) => told.is_closed(),
            Self::Nobody => false,
        }
    }
}
