//! The only writer of the published connections.

use std::sync::Arc;

use actix::{
    Actor, ActorFutureExt as _, AsyncContext as _, Context, Handler, Message, MessageResult,
    ResponseActFuture, Supervised, WrapFuture as _,
};
use tokio::sync::oneshot;

use super::fetch::unreached_connections;
use super::published::{ConnectionChange, ReadNumber};
use super::{Fetched, PUSH_ONLY, PublishedConnections};
use crate::domain::{KnownConnection, Sector};
use crate::limits::{CONNECTION_READS_AT_ONCE_MAX, LOAD_DEADLINE, STORE_BACKOFF};
use crate::port_calls::{retry_read, with_deadline};
use crate::ports::{ConnectionStore, PortError, PortFuture};

/// Something was written: read again (from whoever wrote it).
#[derive(Message)]
#[rtype(result = "Result<(), PortError>")]
pub(super) struct Reload {
    pub(super) change: ConnectionChange,
}

/// Fetches from every active connection of a sector (from `fetch_live`).
#[derive(Message)]
#[rtype(result = "Vec<Fetched>")]
pub(super) struct Fetch {
    pub(super) sector: Sector,
}

/// Connections halt at a page boundary (at stop).
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct HaltAll;

/// The actor. It loads before it takes messages, and again after a restart; the last snapshot serves meanwhile.
pub(crate) struct ConnectionsActor {
    store: Arc<dyn ConnectionStore>,
    published: Arc<PublishedConnections>,
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
    ) -> Self {
        Self {
            store,
            published,
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
        context.wait(load.into_actor(self));
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
            if outcome.is_err() {
                actor.published.mark_unread(message.change);
            }
            outcome
        }))
    }
}

impl Handler<Fetch> for ConnectionsActor {
    type Result = MessageResult<Fetch>;

    fn handle(&mut self, message: Fetch, _: &mut Self::Context) -> Self::Result {
        MessageResult(unreached_connections(
            &self.published.snapshot(),
            message.sector,
            PUSH_ONLY,
            "this connection is filled by its device; there is nothing to fetch",
        ))
    }
}

impl Handler<HaltAll> for ConnectionsActor {
    type Result = ();

    /// Push connections have nothing under way in here.
    fn handle(&mut self, _: HaltAll, _: &mut Self::Context) {}
}
