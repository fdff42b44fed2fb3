//! Whose calls a desk serves, and what of the database they may have at one time.

use std::time::Duration;

use sextant_actors::domain::{AgentName, Obstacle};
use tokio::time::timeout;

use super::permits::Permits;
use super::room::{NO_ROOM, Room, Rooms};
use super::verdict::Failure;
use crate::db::Readers;
use crate::query::effort::Effort;
use crate::query::readers::{ReadError, Reader};

/// The longest that a call waits for its turn.
const TURN_WAIT_MAX: Duration = Duration::from_secs(5);

/// Whose calls a desk serves.
pub enum Clients {
    /// Agents', each of which keeps within its share.
    Agents(Shares),
    /// The operator's own, and what it asks as an agent would: the connections that are kept for it are bound enough.
    Operator,
}

/// What the agents hold.
pub struct Shares {
    permits: Permits,
    rooms: Rooms,
}

impl Clients {
    /// Agents that read over `readers`; none of them holds anything.
    pub fn agents(readers: &Readers) -> Self {
        Clients::Agents(Shares {
            permits: Permits::new(readers.agent_share()),
            rooms: Rooms::default(),
        })
    }

    /// Room for an answer of at most so many bytes, where answers have to have some.
    pub(super) fn room(
        &self,
        agent: Option<&AgentName>,
        bytes: usize,
    ) -> Result<Option<Room>, Failure> {
        let (Clients::Agents(shares), Some(agent)) = (self, agent) else {
            return Ok(None);
        };
        let room = shares.rooms.reserve(agent, bytes);
        let no_room = || Failure::Plain(Obstacle::Busy, NO_ROOM.to_owned());
        room.map(Some).ok_or_else(no_room)
    }

    /// A connection for reads of this effort, when it is the call's turn.
    pub(super) async fn reader(
        &self,
        readers: &Readers,
        agent: Option<&AgentName>,
        effort: Effort,
    ) -> Result<Reader, ReadError> {
        let Clients::Agents(shares) = self else {
            return Reader::open(&readers.operator, effort, None).await;
        };
        match (effort, agent) {
            (Effort::Cheap, _) => Reader::open(&readers.cheap, effort, None).await,
            (Effort::Other, None) => Reader::open(&readers.other, effort, None).await,
            (Effort::Other, Some(agent)) => {
                let turn = shares.turn(readers, agent, effort);
                let in_time = timeout(TURN_WAIT_MAX, turn).await;
                in_time.unwrap_or(Err(ReadError::Crowded))
            }
        }
    }
}

impl Shares {
    /// The agent's own turn first: whoever waits for that keeps nobody else from a connection.
    async fn turn(
        &self,
        readers: &Readers,
        agent: &AgentName,
        effort: Effort,
    ) -> Result<Reader, ReadError> {
        let permit = self.permits.take(agent).await;
        let permit = permit.map_err(|_| ReadError::Unavailable)?;
        Reader::open(&readers.other, effort, Some(permit)).await
    }
}
