use std::sync::{Arc, Mutex};

use sextant_actors::domain::AgentName;
use sextant_actors::ports::{Outlets, PortFuture};

use super::faults::{Fact, Script};

/// The connections of a port: what was cleared of them, in order.
#[derive(Clone, Default)]
pub struct FakeOutlets {
    pub on_clear: Script,
    pub clearing: Fact,
    cleared: Arc<Mutex<Vec<(AgentName, u64)>>>,
}

impl FakeOutlets {
    pub fn cleared(&self) -> Vec<(AgentName, u64)> {
        self.cleared.lock().unwrap().clone()
    }
}

impl Outlets for FakeOutlets {
    fn clear(&self, agent: AgentName, epoch: u64) -> PortFuture<()> {
        let (outlets, fault) = (self.clone(), self.on_clear.next());
        Box::pin(async move {
            outlets.clearing.happened();
            // The connections are cleared in the end, whatever the script said before.
            let _ended = Script::act(fault).await;
            outlets.cleared.lock().unwrap().push((agent, epoch));
        })
    }
}
