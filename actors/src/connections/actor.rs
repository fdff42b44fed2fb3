//! The only writer of the published connections.

use std::sync::Arc;

use actix::{
    Actor, ActorFutureExt as _, AsyncContext as _, Context, Handler, Message, MessageResult,
    ResponseActFuture, Supervised, WrapFuture as _,
};
use uuid::Uuid;

use super::fetch::unreached_connections;
use super::published::ReadNumber;
use super::{Fetched, PUSH_ONLY, PublishedConnections};
use crate::domain::{PushConnection, Sector};
use crate::limits::{LOAD_DEADLINE, STORE_BACKOFF};
use crate::port_calls::{retry_read, with_deadline};
use crate::ports::{ConnectionStore, PortError, PortFuture};

/// A connection was written: read again (from whoever wrote it).
#[derive(Message)]
#[rtype(result = "Result<(), PortError>")]
pub(super) struct Reload {
    pub(super) id: Uuid,
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

/// The actor. It loads before it takes messages, and again after a crash; the last snapshot serves meanwhile.
pub(crate) struct ConnectionsActor {
    store: Arc<dyn ConnectionStore>,
    published: Arc<PublishedConnections>,
    failures: u32,
    retrying: bool,
}

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
        }
    }

    /// Reads the table once and publishes it, unless a later read was faster.
    fn read(&self) -> ResponseActFuture<Self, Result<(), PortError>> {
        let reading = self.published.begin_read();
        let rows = with_deadline(LOAD_DEADLINE, self.store.load());
        Box::pin(
            rows.into_actor(self)
                .map(move |rows, actor, context| actor.publish_read(reading, rows, context)),
        )
    }

    fn publish_read(
        &mut self,
        reading: ReadNumber,
        rows: Result<Vec<PushConnection>, PortError>,
        context: &mut Context<Self>,
    ) -> Result<(), PortError> {
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

    /// Tries again after the backoff, until no connection is refused because it was not read.
    fn read_later(&mut self, context: &mut Context<Self>) {
        if std::mem::replace(&mut self.retrying, true) {
            return;
        }
        context.run_later(STORE_BACKOFF.after(self.failures), |actor, context| {
            actor.retrying = false;
            if actor.published.has_unread() {
                // The result is in the published snapshot.
                context.spawn(actor.read().map(|_, _, _| ()));
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
    }
}

impl Handler<Reload> for ConnectionsActor {
    type Result = ResponseActFuture<Self, Result<(), PortError>>;

    fn handle(&mut self, message: Reload, _: &mut Self::Context) -> Self::Result {
        let id = message.id;
        Box::pin(self.read().map(move |read, actor, _| {
            if read.is_err() {
                actor.published.refuse(id);
            }
            read
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
