//! One path for every call of every surface.

use std::sync::Arc;

use chrono_tz::Tz;
use sextant_actors::clock::Clock;
use sextant_actors::connections::ConnectionsHandle;
use sextant_actors::domain::{AnswerHold, Call, Caller, Obstacle, Reply, Sector, Served};
use sextant_actors::ports::{self, PortFuture};
use sextant_actors::random;

use super::clients::Clients;
use super::decide::{Wanted, decide, too_slow};
use super::room::Room;
use super::target::{self, Aim};
use super::verdict::{self, Answered, Failure};
use super::{actions, describe_context, fetch_live, get_record, get_schema, query};
use crate::db::Readers;
use crate::query::effort::Effort;
use crate::query::readers::{ReadError, Reader};
use crate::query::sources::Source;
use crate::query::standing;
use crate::query::time::LocalTime;

/// Bytes of the nonce that stands in fences.
const NONCE_BYTES: usize = 9;

/// What the desk works with.
pub struct Parts {
    pub readers: Readers,
    /// Whose calls they are.
    pub clients: Clients,
    pub connections: ConnectionsHandle,
    pub clock: Arc<dyn Clock>,
    /// The operator's zone.
    pub zone: Tz,
}

/// Serves the seven tools.
#[derive(Clone)]
pub struct Desk(Arc<Parts>);

/// One call that is served.
pub(super) struct Visit<'a> {
    pub(super) parts: &'a Parts,
    pub(super) caller: &'a Caller,
    pub(super) time: LocalTime,
}

impl Desk {
    /// A desk over these parts.
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }
}

impl ports::Desk for Desk {
    fn sector_of(&self, call: &Call) -> Option<Sector> {
        match target::aim(call.tool.parse().ok()?, &call.arguments) {
            Aim::Sector(sector) => Some(sector),
            Aim::None | Aim::Unknown(_) => None,
        }
    }

    fn serve(&self, caller: Caller, call: Call) -> PortFuture<Served> {
        let parts = self.0.clone();
        Box::pin(async move { serve(&parts, &caller, call).await })
    }
}

async fn serve(parts: &Parts, caller: &Caller, call: Call) -> Served {
    let time = LocalTime {
        now: parts.clock.now(),
        zone: parts.zone,
    };
    let decided = match decide(caller, &call, &time) {
        Ok(decided) => decided,
        Err(served) => return *served,
    };
    let visit = Visit {
        parts,
        caller,
        time,
    };
    // Before anything is read: what has no room is not asked for.
    let bytes = decided.wanted.answer_bytes_max();
    let (room, result) = match parts.clients.room(caller.agent.as_ref(), bytes) {
        Ok(room) => (room, dispatch(&visit, decided.wanted).await),
        Err(failure) => (None, Err(failure)),
    };
    let result = result.map_err(|failure| match failure {
        Failure::Read(ReadError::TooSlow) => {
            too_slow(caller, &call, &visit.time).map_or(failure, Failure::Fault)
        }
        other => other,
    });
    let served = verdict::served(decided.sector, &call.arguments, result);
    holding(served, room)
}

/// The answer, with the room that it takes.
fn holding(served: Served, room: Option<Room>) -> Served {
    let (Reply::Answer(text), Some(mut room)) = (&served.reply, room) else {
        return served;
    };
    room.settle(text.len());
    Served {
        hold: AnswerHold::of(room),
        ..served
    }
}

async fn dispatch(visit: &Visit<'_>, wanted: Wanted) -> Result<Answered, Failure> {
    match wanted {
        Wanted::Context => describe_context::run(visit).await,
        Wanted::Schema(tables) => get_schema::run(visit, &tables).await,
        Wanted::Rows(checked) => query::run(visit, &checked, None).await,
        Wanted::Record(wanted) => get_record::run(visit, &wanted).await,
        Wanted::Live(wanted) => fetch_live::run(visit, &wanted).await,
        Wanted::Actions => Ok(actions::list()),
    }
}

impl Visit<'_> {
    /// A connection for reads of this effort.
    pub(super) async fn reader(&self, effort: Effort) -> Result<Reader, ReadError> {
        let (parts, agent) = (self.parts, self.caller.agent.as_ref());
        parts.clients.reader(&parts.readers, agent, effort).await
    }

    /// The connections of these sectors.
    pub(super) async fn sources(
        &self,
        reader: &mut Reader,
        sectors: impl IntoIterator<Item = Sector>,
    ) -> Result<Vec<Source>, ReadError> {
        let statement = standing::covered(self.caller.user, sectors);
        Ok(standing::read_covered(&reader.run(&statement).await?)?)
    }

    /// A nonce for fences; its author cannot know it.
    pub(super) fn nonce(&self) -> Result<String, Failure> {
        random::bytes::<NONCE_BYTES>()
            .map(|bytes| random::base64url(&bytes))
            .map_err(|error| Failure::Plain(Obstacle::Service, error.to_string()))
    }
}
