//! The connections of both ports; clears them of an old grant's bytes when the grant is edited (r504).

use std::sync::{Arc, Weak};
use std::time::Duration;

use sextant_actors::domain::AgentName;
use sextant_actors::ports::{Outlets, PortFuture};
use tokio::time::sleep;

use super::held::GrantEpoch;
use super::limits::ConnectionLimits;
use super::port_sockets::{PortSockets, WhenFull};
use super::socket::Socket;

/// How long a peer may take to acknowledge what it was sent last: somewhat longer than systems delay an acknowledgement.
const ACKNOWLEDGE_WAIT_MAX: Duration = Duration::from_millis(250);
/// How often the send queues are asked about meanwhile.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// How long a connection may take to close where its send queue cannot be discarded before.
const CLOSE_WAIT_MAX: Duration = Duration::from_secs(1);

/// The connections of both ports.
#[derive(Clone)]
pub struct AllSockets {
    /// The connections of the Console port.
    pub console: PortSockets,
    /// The connections of the agent port.
    pub agents: PortSockets,
}

impl AllSockets {
    /// No connections yet.
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
            wait_until_done(&mut left, ACKNOWLEDGE_WAIT_MAX, |socket| {
                !socket.holds(is_old)
            })
            .await;
            left.iter()
                .filter_map(Weak::upgrade)
                .for_each(|socket| socket.reset());
            wait_until_done(&mut left, CLOSE_WAIT_MAX, |socket| socket.is_purged()).await;
        })
    }
}

/// Waits until each connection is done or gone, and at most `wait_max`.
async fn wait_until_done(
    left: &mut Vec<Weak<Socket>>,
    wait_max: Duration,
    is_done: impl Fn(&Socket) -> bool,
) {
    let mut waited = Duration::ZERO;
    loop {
        left.retain(|socket| socket.upgrade().is_some_and(|socket| !is_done(&socket)));
        if left.is_empty() || waited >= wait_max {
            return;
        }
        sleep(POLL_INTERVAL).await;
        waited += POLL_INTERVAL;
    }
}
