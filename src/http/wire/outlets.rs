//! The connections of both ports, as an edit of a grant clears them (r504).

use std::sync::{Arc, Weak};
use std::time::Duration;

use sextant_actors::domain::AgentName;
use sextant_actors::ports::{Outlets, PortFuture};
use tokio::time::sleep;

use super::held::Owner;
use super::limits::Limits;
use super::line::Line;
use super::lines::{Full, Lines};

/// How long the other end of a connection may take to acknowledge what it was sent last: somewhat longer than systems wait with that
/// for something to send it along with.
const ACKNOWLEDGED_WITHIN: Duration = Duration::from_millis(250);
/// How often it is asked whether it has.
const STEP: Duration = Duration::from_millis(5);
/// How long a connection may take to close, where its queue cannot be thrown away before.
const CLOSED_WITHIN: Duration = Duration::from_secs(1);

/// The connections of both ports.
#[derive(Clone)]
pub struct AllLines {
    /// Those of the Console port.
    pub console: Lines,
    /// Those of the agent port.
    pub agents: Lines,
}

impl AllLines {
    /// None yet.
    pub fn new(limits: &Limits) -> Self {
        let console = Full::Evicts(limits.console_connections_max);
        let agents = Full::Waits(limits.agent_connections_max);
        Self {
            console: Lines::new(console, limits.stall_max),
            agents: Lines::new(agents, limits.stall_max),
        }
    }

    fn holding(&self, is_meant: impl Fn(&Owner) -> bool) -> Vec<Weak<Line>> {
        let all = [&self.console, &self.agents].map(Lines::all);
        let holding = all.iter().flatten().filter(|line| line.holds(&is_meant));
        holding.map(Arc::downgrade).collect()
    }
}

impl Outlets for AllLines {
    fn clear(&self, agent: AgentName, epoch: u64) -> PortFuture<()> {
        let all = self.clone();
        Box::pin(async move {
            let is_old = |owner: &Owner| owner.agent == agent && owner.epoch < epoch;
            let mut left = all.holding(is_old);
            wait_until_done(&mut left, ACKNOWLEDGED_WITHIN, |line| !line.holds(is_old)).await;
            left.iter()
                .filter_map(Weak::upgrade)
                .for_each(|line| line.reset());
            wait_until_done(&mut left, CLOSED_WITHIN, |line| line.is_purged()).await;
        })
    }
}

/// Waits until each connection is done or gone, and no longer than so.
async fn wait_until_done(
    left: &mut Vec<Weak<Line>>,
    within: Duration,
    is_done: impl Fn(&Line) -> bool,
) {
    let mut waited = Duration::ZERO;
    loop {
        left.retain(|line| line.upgrade().is_some_and(|line| !is_done(&line)));
        if left.is_empty() || waited >= within {
            return;
        }
        sleep(STEP).await;
        waited += STEP;
    }
}
