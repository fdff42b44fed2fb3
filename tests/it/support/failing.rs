//! The real ports with a fuse: once it has blown, one of the ports panics whenever it is called.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::{DateTime, Utc};
use sextant_actors::domain::{AgentName, Grant, KnownConnection};
use sextant_actors::ports::{
    AuditStore, ConnectionStore, Flush, Flushed, GrantApplied, GrantChange, GrantStore, PortError,
    PortFuture,
};
use sextant_actors::tree::TreePorts;
use uuid::Uuid;

/// An edit of the agent with this name blows the fuse.
pub const POISON: &str = "poison";
/// The message with which the port panics.
pub const BROKEN: &str = "the port is broken";

/// The actor whose port panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Victim {
    Audit,
    Grants,
    Connections,
}

impl Victim {
    pub const ALL: [Self; 3] = [Self::Audit, Self::Grants, Self::Connections];

    /// The actor's name on the board.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Audit => "audit",
            Self::Grants => "grants",
            Self::Connections => "connections",
        }
    }
}

#[derive(Clone)]
struct Fuse {
    victim: Victim,
    blown: Arc<AtomicBool>,
}

impl Fuse {
    fn check(&self, port: Victim) {
        assert!(
            port != self.victim || !self.blown.load(Ordering::SeqCst),
            "the port is broken"
        );
    }
}

/// A port behind the fuse.
struct Fused<S: ?Sized>(Arc<S>, Fuse);

/// The ports; the victim's panics on every call once the fuse has blown.
pub fn breaking(victim: Victim, ports: TreePorts) -> TreePorts {
    fused(victim, AtomicBool::new(false), ports)
}

/// As [`breaking`], with the fuse blown from the start.
pub fn broken(victim: Victim, ports: TreePorts) -> TreePorts {
    fused(victim, AtomicBool::new(true), ports)
}

fn fused(victim: Victim, blown: AtomicBool, ports: TreePorts) -> TreePorts {
    let fuse = Fuse {
        victim,
        blown: Arc::new(blown),
    };
    TreePorts {
        audit: Arc::new(Fused(ports.audit, fuse.clone())),
        grants: Arc::new(Fused(ports.grants, fuse.clone())),
        connections: Arc::new(Fused(ports.connections, fuse)),
        outlets: ports.outlets,
        journal: ports.journal,
        rounds: ports.rounds,
        sign_ins: ports.sign_ins,
        draw: ports.draw,
        clock: ports.clock,
    }
}

impl AuditStore for Fused<dyn AuditStore> {
    fn position(&self, journal: Uuid) -> PortFuture<Result<u64, PortError>> {
        self.1.check(Victim::Audit);
        self.0.position(journal)
    }

    fn append(&self, flush: Flush) -> PortFuture<Result<Flushed, PortError>> {
        self.1.check(Victim::Audit);
        self.0.append(flush)
    }
}

impl GrantStore for Fused<dyn GrantStore> {
    fn load(&self) -> PortFuture<Result<Vec<Grant>, PortError>> {
        self.1.check(Victim::Grants);
        self.0.load()
    }

    fn read(&self, agent: AgentName) -> PortFuture<Result<Option<Grant>, PortError>> {
        self.1.check(Victim::Grants);
        self.0.read(agent)
    }

    fn apply(
        &self,
        agent: AgentName,
        change: GrantChange,
        now: DateTime<Utc>,
    ) -> PortFuture<Result<GrantApplied, PortError>> {
        if agent.as_str() == POISON {
            self.1.blown.store(true, Ordering::SeqCst);
        }
        self.1.check(Victim::Grants);
        self.0.apply(agent, change, now)
    }

    fn revoke_all(&self, now: DateTime<Utc>) -> PortFuture<Result<Vec<Grant>, PortError>> {
        self.1.check(Victim::Grants);
        self.0.revoke_all(now)
    }
}

impl ConnectionStore for Fused<dyn ConnectionStore> {
    fn load(&self) -> PortFuture<Result<Vec<KnownConnection>, PortError>> {
        self.1.check(Victim::Connections);
        self.0.load()
    }
}

/// A grant store in which the edit of the poisonous agent panics once, with a message that contains the agent's name.
struct PanickingOnce(Arc<dyn GrantStore>, AtomicBool);

/// The ports, with a grant store that panics once when the poisonous agent is edited.
pub fn panicking_once(ports: TreePorts) -> TreePorts {
    TreePorts {
        grants: Arc::new(PanickingOnce(ports.grants, AtomicBool::new(true))),
        ..ports
    }
}

impl GrantStore for PanickingOnce {
    fn load(&self) -> PortFuture<Result<Vec<Grant>, PortError>> {
        self.0.load()
    }

    fn read(&self, agent: AgentName) -> PortFuture<Result<Option<Grant>, PortError>> {
        self.0.read(agent)
    }

    fn apply(
        &self,
        agent: AgentName,
        change: GrantChange,
        now: DateTime<Utc>,
    ) -> PortFuture<Result<GrantApplied, PortError>> {
        let panics = agent.as_str() == POISON && self.1.swap(false, Ordering::SeqCst);
        assert!(!panics, "the edit of {agent} panics");
        self.0.apply(agent, change, now)
    }

    fn revoke_all(&self, now: DateTime<Utc>) -> PortFuture<Result<Vec<Grant>, PortError>> {
        self.0.revoke_all(now)
    }
}
