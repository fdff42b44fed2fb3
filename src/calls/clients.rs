//! Whose calls are served, and how many connections and how much memory they may use at one time.

use std::time::Duration;

use sextant_actors::domain::{AgentName, Obstacle};
use tokio::time::timeout;

use super::verdict::CallFailure;
use crate::capacity::{Quota, Quotas, Resource, Share};
use crate::db::Readers;
use crate::query::effort::Effort;
use crate::query::readers::{CallReader, ReadError};

/// The longest that a call waits for a connection.
const READER_WAIT_MAX: Duration = Duration::from_secs(5);
/// Bytes of answers that one agent may have under way: an answer that its client does not read stays in memory.
const ANSWER_BYTES_PER_AGENT_MAX: usize = 16 * 1024 * 1024;

/// The message to an agent whose unread answers take up all of its bytes.
const ANSWERS_FULL: &str = "as many bytes of answers are under way to this agent as may be: nothing is wrong with the call, read the answers before it to their end, then make it again";

/// Whose calls are served.
pub enum Clients {
    /// Calls of agents, each within its quotas.
    Agents(AgentQuotas),
    /// Calls of the operator, also those made as an agent; the connections reserved for the operator bound them.
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

    /// Reserves the memory of an answer of at most `bytes`; `None` for the operator, whose answers are not counted.
    ///
    /// # Errors
    /// [`Obstacle::Busy`] when the agent's answers take up all of its bytes.
    pub(super) fn reserve(
        &self,
        agent: Option<&AgentName>,
        bytes: usize,
    ) -> Result<Option<Share>, CallFailure> {
        let (Clients::Agents(quotas), Some(agent)) = (self, agent) else {
            return Ok(None);
        };
        let share = quotas.answer_bytes.take(agent, bytes);
        share
            .map(Some)
            .map_err(|_exceeded| CallFailure::Plain(Obstacle::Busy, ANSWERS_FULL.to_owned()))
    }

    /// A connection for reads of this effort.
    ///
    /// # Errors
    /// [`ReadError::Crowded`] when none becomes free in time; [`ReadError::Unavailable`] without a database.
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
            (Effort::Cheap, _) => Ok(CallReader::piped(&readers.pipes, &readers.cheap)),
            (Effort::Other, None) => CallReader::open(&readers.other, effort, None).await,
            (Effort::Other, Some(agent)) => {
                let reader = quotas.reader(readers, agent, effort);
                let in_time = timeout(READER_WAIT_MAX, reader).await;
                in_time.unwrap_or(Err(ReadError::Crowded))
            }
        }
    }
}

impl AgentQuotas {
    /// Takes the agent's own slot first, so that a call that waits for it holds no connection back from other agents.
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
