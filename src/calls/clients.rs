//! Whose calls are served, and what of the database and of memory they may have at one time.

use std::time::Duration;

use sextant_actors::domain::{AgentName, Obstacle};
use tokio::time::timeout;

use super::verdict::CallFailure;
use crate::capacity::{Quota, Quotas, Resource, Share};
use crate::db::Readers;
use crate::query::effort::Effort;
use crate::query::readers::{CallReader, ReadError};

/// The longest that a call waits for its turn.
const TURN_WAIT_MAX: Duration = Duration::from_secs(5);
/// Bytes of answers that one agent may have under way: what a client does not read is held in memory.
const ANSWER_BYTES_PER_AGENT_MAX: usize = 16 * 1024 * 1024;

/// What an agent reads whose answers hold all of their bytes.
const NO_ROOM: &str = "as many bytes of answers are under way to this agent as may be: nothing is wrong with the call, read the answers before it to their end, then make it again";

/// Whose calls are served.
pub enum Clients {
    /// Agents', each of which keeps within its quotas.
    Agents(AgentQuotas),
    /// The operator's own, and what it asks as an agent would: the connections that are kept for it are bound enough.
    Operator,
}

/// What each agent may have under way.
pub struct AgentQuotas {
    quotas: Quotas,
    answer_bytes: Quota,
    /// Reads that are not cheap.
    reads_max: usize,
}

impl Clients {
    /// Agents that read over `readers` and are counted in `quotas`.
    pub fn agents(readers: &Readers, quotas: &Quotas) -> Self {
        Clients::Agents(AgentQuotas {
            quotas: quotas.clone(),
            answer_bytes: quotas.limit(Resource::AnswerBytes, ANSWER_BYTES_PER_AGENT_MAX),
            reads_max: readers.agent_share(),
        })
    }

    /// Takes room for an answer of at most `bytes`, where answers have to have some.
    pub(super) fn reserve(
        &self,
        agent: Option<&AgentName>,
        bytes: usize,
    ) -> Result<Option<Share>, CallFailure> {
        let (Clients::Agents(quotas), Some(agent)) = (self, agent) else {
            return Ok(None);
        };
        let room = quotas.answer_bytes.take(agent, bytes);
        room.map(Some)
            .map_err(|_exceeded| CallFailure::Plain(Obstacle::Busy, NO_ROOM.to_owned()))
    }

    /// A connection for reads of this effort, when it is the call's turn.
    pub(super) async fn reader(
        &self,
        readers: &Readers,
        agent: Option<&AgentName>,
        effort: Effort,
    ) -> Result<CallReader, ReadError> {
        let Clients::Agents(quotas) = self else {
            return CallReader::open(&readers.operator, effort, None).await;
        };
        match (effort, agent) {
            (Effort::Cheap, _) => CallReader::open(&readers.cheap, effort, None).await,
            (Effort::Other, None) => CallReader::open(&readers.other, effort, None).await,
            (Effort::Other, Some(agent)) => {
                let turn = quotas.reader(readers, agent, effort);
                let in_time = timeout(TURN_WAIT_MAX, turn).await;
                in_time.unwrap_or(Err(ReadError::Crowded))
            }
        }
    }
}

impl AgentQuotas {
    /// The agent's own slot first: a call that waits for that keeps no other agent from a connection.
    async fn reader(
        &self,
        readers: &Readers,
        agent: &AgentName,
        effort: Effort,
    ) -> Result<CallReader, ReadError> {
        let slot = self.quotas.reads(agent, self.reads_max).take(1).await;
        CallReader::open(&readers.other, effort, Some(slot)).await
    }
}
