//! The connections of both ports, as an edit of a grant clears them (r504).

use std::sync::{Arc, Weak};
use std::time::Duration;

use sextant_actors::domain::AgentName;
use sextant_actors::ports::{Outlets, PortFuture};
use tokio::time::sleep;

use super::held::GrantEpoch;
use super::limits::ConnectionLimits;
use super::port_sockets::{PortSockets, WhenFull};
use super::socket::Socket;

/// How long the other end of a connection may take to acknowledge what it was sent last: somewhat longer than systems wait with that
/// for something to send it along with.
const ACKNOWLEDGED_WITHIN: Duration = Duration::from_millis(250);
/// How often it is asked whether it has.
const STEP: Duration = Duration::from_millis(5);
/// How long a connection may take to close, where its queue cannot be thrown away before.
const CLOSED_WITHIN: Duration = Duration::from_secs(1);

/// The connections of both ports.
#[derive(Clone)]
pub struct AllSockets {
    /// Those of the Console port.
    pub console: PortSockets,
    /// Those of the agent port.
    pub agents: PortSockets,
}

impl AllSockets {
    /// None yet.
    pub fn new(limits: &ConnectionLimits) -> Self {
        let console = WhenFull::Evicts(limits.console_connections_max);
        let agents = WhenFull::Waits(limits.agent_connections_max);
        Self {
            console: PortSockets::new(console, limits.stall_max),
            agents: PortSockets::new(agents, limits.stall_max),
        }
    }

    fn holding(&self, is_meant: impl Fn(&GrantEpoch) -> bool) -> Vec<Weak<Socket>> {
        let all = [&self.console, &self.agents].map(PortSockets::all);
        let holding = all
            .iter()
            .flatten()
            .filter(|socket| socket.holds(&is_meant));
        holding.map(Arc::downgrade).collect()
    }
}

impl Outlets for AllSockets {
    fn clear(&self, agent: AgentName, epoch: u64) -> PortFuture<()> {
        let all = self.clone();
        Box::pin(async move {
            let is_old = |grant: &GrantEpoch| grant.agent == agent && grant.epoch < epoch;
            let mut left = all.holding(is_old);
            wait_until_done(&mut left, ACKNOWLEDGED_WITHIN, |socket| {
                !socket.holds(is_old)
            })
            .await;
            left.iter()
                .filter_map(Weak::upgrade)
                .for_each(|socket| socket.reset());
            wait_until_done(&mut left, CLOSED_WITHIN, |socket| socket.is_purged()).await;
        })
    }
}

/// Waits until each connection is done or gone, and no longer than so.
async fn wait_until_done(
    left: &mut Vec<Weak<Socket>>,
    within: Duration,
    is_done: impl Fn(&Socket) -> bool,
) {
    let mut waited = Duration::ZERO;
    loop {
        left.retain(|socket| socket.upgrade().is_some_and(|socket| !is_done(&socket)));
        if left.is_empty() || waited >= within {
            return;
        }
        sleep(STEP).await;
        waited += STEP;
    }
}
