//! The only writer of the published connections; it starts and halts the actors of those that are read from their sources.

use std::sync::Arc;

use actix::{
    Actor, ActorFutureExt as _, AsyncContext as _, Context, Handler, Message, ResponseActFuture,
    Supervised, WrapFuture as _,
};
use tokio::sync::oneshot;

use super::published::{ConnectionChange, ReadNumber};
use super::{PublishedConnections, SourceReaders};
use crate::domain::KnownConnection;
use crate::limits::{CONNECTION_READS_AT_ONCE_MAX, LOAD_DEADLINE, STORE_BACKOFF};
use crate::port_calls::{retry_read, with_deadline};
use crate::ports::{ConnectionStore, PortError, PortFuture};

/// Something was written: read again (from whoever wrote it).
#[derive(Message)]
#[rtype(result = "Result<(), PortError>")]
pub(super) struct Reload {
    pub(super) change: ConnectionChange,
}

/// The actor. It loads before it takes messages, and again after a restart; the last snapshot serves meanwhile.
pub(crate) struct ConnectionsActor {
    store: Arc<dyn ConnectionStore>,
    published: Arc<PublishedConnections>,
    readers: Arc<SourceReaders>,
    failures: u32,
    retrying: bool,
    reads_under_way: usize,
    /// Those who wait for a read that has not begun; `None` when none is wanted.
    waiting: Option<Vec<oneshot::Sender<ReadOutcome>>>,
}

type ReadOutcome = Result<(), PortError>;

impl ConnectionsActor {
    pub(crate) fn new(
        store: Arc<dyn ConnectionStore>,
        published: Arc<PublishedConnections>,
        readers: Arc<SourceReaders>,
    ) -> Self {
        Self {
            store,
            published,
            readers,
            failures: 0,
            retrying: false,
            reads_under_way: 0,
            waiting: None,
        }
    }

    /// Begins a read for all who wait for one, unless as many as may be are under way; then the end of one begins it.
    fn begin_read(&mut self, context: &mut Context<Self>) {
        if self.reads_under_way >= CONNECTION_READS_AT_ONCE_MAX {
            return;
        }
        let Some(waiting) = self.waiting.take() else {
            return;
        };
        self.reads_under_way += 1;
        let reading = self.published.begin_read();
        let rows = with_deadline(LOAD_DEADLINE, self.store.load()).into_actor(self);
        context.spawn(rows.map(move |rows, actor, context| {
            actor.reads_under_way -= 1;
            let outcome = actor.publish_read(reading, rows, context);
            for writer in waiting {
                // A writer may have stopped waiting.
                let _ = writer.send(outcome.clone());
            }
            actor.begin_read(context);
        }));
    }

    fn publish_read(
        &mut self,
        reading: ReadNumber,
        rows: Result<Vec<KnownConnection>, PortError>,
        context: &mut Context<Self>,
    ) -> ReadOutcome {
        match rows {
            Ok(rows) => {
                self.failures = 0;
                self.published.publish(reading, rows);
                self.follow();
                Ok(())
            }
            Err(error) => {
                self.failures = self.failures.saturating_add(1);
                log::warn!("connections could not be read: {error}");
                self.read_later(context);
                Err(error)
            }
        }
    }

    /// Starts and ends actors as the published connections want it.
    fn follow(&self) {
        self.readers.follow(&self.published.snapshot());
    }

    /// What becomes of the actor of a changed connection.
    fn pass_on(&self, change: ConnectionChange, outcome: &ReadOutcome) {
        match (change, outcome) {
            (ConnectionChange::Connection(changed), Ok(())) => self.readers.reload(changed),
            (_, Err(_)) => {
                self.published.mark_unread(change);
                self.follow();
            }
            (ConnectionChange::Progress, Ok(())) => {}
        }
    }

    /// Tries again after the backoff, until every change has been read.
    fn read_later(&mut self, context: &mut Context<Self>) {
        if std::mem::replace(&mut self.retrying, true) {
            return;
        }
        context.run_later(STORE_BACKOFF.after(self.failures), |actor, context| {
            actor.retrying = false;
            if !actor.published.is_current() {
                actor.waiting.get_or_insert_default();
                actor.begin_read(context);
            }
        });
    }
}

impl Actor for ConnectionsActor {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        let (store, published) = (Arc::clone(&self.store), Arc::clone(&self.published));
        let load = async move {
            let read = || -> PortFuture<_> {
                let (reading, rows) = (published.begin_read(), store.load());
                Box::pin(async move { Ok((reading, rows.await?)) })
            };
            let (reading, rows) = retry_read("connections", read).await;
            published.publish(reading, rows);
        };
        context.wait(load.into_actor(self).map(|(), actor, _| actor.follow()));
    }
}

impl Supervised for ConnectionsActor {
    fn restarting(&mut self, _: &mut Self::Context) {
        self.retrying = false;
        self.reads_under_way = 0;
        self.waiting = None;
    }
}

impl Handler<Reload> for ConnectionsActor {
    type Result = ResponseActFuture<Self, ReadOutcome>;

    fn handle(&mut self, message: Reload, context: &mut Self::Context) -> Self::Result {
        let (writer, outcome) = oneshot::channel();
        self.waiting.get_or_insert_default().push(writer);
        self.begin_read(context);
        let unread = || PortError::Unavailable("the connections' actor was restarted".to_owned());
        Box::pin(outcome.into_actor(self).map(move |outcome, actor, _| {
            let outcome = outcome.unwrap_or_else(|_| Err(unread()));
            actor.pass_on(message.change, &outcome);
            outcome
        }))
    }
}
