//! One path for every call of every surface.

use std::sync::Arc;

use chrono_tz::Tz;
use serde_json::Value;
use sextant_actors::clock::Clock;
use sextant_actors::connections::ConnectionsHandle;
use sextant_actors::domain::{Call, Caller, Sector, SectorSet, Served, Tool};
use sextant_actors::ports::{self, PortFuture};
use sextant_actors::random;

use super::target::{self, Admitted, Aim};
use super::verdict::{self, Answered, Failure};
use super::{actions, describe_context, fetch_live, get_record, get_schema, query};
use crate::db::ReaderPool;
use crate::query::readers::{ReadError, Reader};
use crate::query::sources::{self, Source};
use crate::query::time::LocalTime;

/// Bytes of the nonce that stands in fences.
const NONCE_BYTES: usize = 9;

/// What the desk works with.
pub struct Parts {
    pub readers: ReaderPool,
    pub connections: ConnectionsHandle,
    pub clock: Arc<dyn Clock>,
    /// The operator's zone.
    pub zone: Tz,
}

/// Serves the seven tools.
#[derive(Clone)]
pub struct Desk(Arc<Parts>);

/// One call that was let through.
pub(super) struct Visit<'a> {
    pub(super) parts: &'a Parts,
    pub(super) caller: &'a Caller,
    pub(super) arguments: &'a Value,
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
    let Ok(tool) = call.tool.parse() else {
        return verdict::unknown_tool(call.tool);
    };
    let aim = target::aim(tool, &call.arguments);
    let Admitted(sector) = match target::admit(aim, caller.sectors) {
        Ok(admitted) => admitted,
        Err(denied) => return verdict::denied(denied),
    };
    let time = LocalTime {
        now: parts.clock.now(),
        zone: parts.zone,
    };
    let visit = Visit {
        parts,
        caller,
        arguments: &call.arguments,
        time,
    };
    let result = dispatch(&visit, tool, sector).await;
    verdict::served(sector, &call.arguments, result)
}

async fn dispatch(
    visit: &Visit<'_>,
    tool: Tool,
    sector: Option<Sector>,
) -> Result<Answered, Failure> {
    match tool {
        Tool::DescribeContext => describe_context::run(visit).await,
        Tool::GetSchema => get_schema::run(visit, sector).await,
        Tool::Query => query::run(visit).await,
        Tool::GetRecord => get_record::run(visit).await,
        Tool::FetchLive => fetch_live::run(visit, sector).await,
        Tool::ListActions => actions::list(visit),
        Tool::InvokeAction => actions::invoke(visit, sector),
    }
}

impl Visit<'_> {
    /// The granted sectors, or the one that was named (which is granted, or the call would not be here).
    pub(super) fn sectors(&self, named: Option<Sector>) -> SectorSet {
        named.map_or(self.caller.sectors, |sector| SectorSet::EMPTY.with(sector))
    }

    /// A connection for this call's reads.
    pub(super) async fn reader(&self) -> Result<Reader, ReadError> {
        Reader::open(&self.parts.readers).await
    }

    /// The connections of these sectors.
    pub(super) async fn sources(
        &self,
        reader: &mut Reader,
        sectors: impl IntoIterator<Item = Sector>,
    ) -> Result<Vec<Source>, ReadError> {
        let statement = sources::statement(self.caller.user, sectors);
        Ok(sources::read(&reader.run(&statement).await?)?)
    }

    /// A nonce for fences; its author cannot know it.
    pub(super) fn nonce(&self) -> Result<String, Failure> {
        random::bytes::<NONCE_BYTES>()
            .map(|bytes| random::base64url(&bytes))
            .map_err(|error| Failure::Plain(error.to_string()))
    }
}
