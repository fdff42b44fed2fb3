//! A grant store that notes when the database has committed an edit.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use chrono::{DateTime, Utc};
use sextant_actors::domain::{AgentName, Grant};
use sextant_actors::ports::{GrantApplied, GrantChange, GrantStore, PortError, PortFuture};
use sextant_actors::tree::TreePorts;

/// When the latest edit was committed.
#[derive(Default)]
pub struct Moment(Mutex<Option<Instant>>);

impl Moment {
    pub fn get(&self) -> Instant {
        self.0.lock().unwrap().unwrap()
    }
}

/// Wraps the ports so that the moment is noted.
pub struct Committed(Arc<Moment>);

impl Committed {
    pub fn new() -> (Self, Arc<Moment>) {
        let moment = Arc::<Moment>::default();
        (Self(Arc::clone(&moment)), moment)
    }

    /// The real ports, with this around the grants.
    pub fn around(self, ports: TreePorts) -> TreePorts {
        let grants = Arc::new(Noted {
            real: ports.grants,
            moment: self.0,
        });
        TreePorts { grants, ..ports }
    }
}

struct Noted {
    real: Arc<dyn GrantStore>,
    moment: Arc<Moment>,
}

impl GrantStore for Noted {
    fn load(&self) -> PortFuture<Result<Vec<Grant>, PortError>> {
        self.real.load()
    }

    fn read(&self, agent: AgentName) -> PortFuture<Result<Option<Grant>, PortError>> {
        self.real.read(agent)
    }

    fn apply(
        &self,
        agent: AgentName,
        change: GrantChange,
        now: DateTime<Utc>,
    ) -> PortFuture<Result<GrantApplied, PortError>> {
        let applied = self.real.apply(agent, change, now);
        let moment = Arc::clone(&self.moment);
        Box::pin(async move {
            let applied = applied.await;
            *moment.0.lock().unwrap() = Some(Instant::now());
            applied
        })
    }

    fn revoke_all(&self, now: DateTime<Utc>) -> PortFuture<Result<Vec<Grant>, PortError>> {
        self.real.revoke_all(now)
    }
}
