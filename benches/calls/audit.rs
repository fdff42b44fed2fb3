//! Where a service's audit rows go. The product has no switch for it, so this program serves as `sextant` does, with
//! the actors' ports that it chooses.

use std::future::ready;
use std::io::{stderr, stdout};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use sextant::cli::{Terminal, serve};
use sextant::config::{ConfigSources, Environment};
use sextant_actors::ports::{AuditStore, Flush, Flushed, PortError, PortFuture};
use sextant_actors::tree::TreePorts;
use uuid::Uuid;

/// The first argument with which this program serves.
pub const SERVE: &str = "serve";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditTarget {
    /// To the journal and the database, as in the product.
    Kept,
    /// To the database alone.
    Unjournaled,
    /// Nowhere: a row is made, queued, and dropped instead of written.
    Dropped,
}

impl AuditTarget {
    pub const ALL: [Self; 3] = [Self::Kept, Self::Unjournaled, Self::Dropped];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Unjournaled => "unjournaled",
            Self::Dropped => "dropped",
        }
    }

    pub fn named(name: &str) -> Self {
        let mut all = Self::ALL.into_iter();
        all.find(|target| target.name() == name).unwrap()
    }

    /// Serves this data directory until a signal comes.
    pub fn serve(self, data: &Path) -> ExitCode {
        let sources = ConfigSources {
            file: None,
            data_dir: Some(data.to_owned()),
            environment: Environment::of_process(),
        };
        let mut terminal = Terminal {
            out: &mut stdout(),
            err: &mut stderr(),
            is_watched: false,
        };
        serve::run(&sources, &mut terminal, |ports| self.ports(ports))
    }

    fn ports(self, ports: TreePorts) -> TreePorts {
        match self {
            Self::Kept => ports,
            Self::Unjournaled => TreePorts {
                journal: None,
                ..ports
            },
            Self::Dropped => TreePorts {
                journal: None,
                audit: Arc::new(Nowhere),
                ..ports
            },
        }
    }
}

/// Reports every row as written.
struct Nowhere;

impl AuditStore for Nowhere {
    fn position(&self, _: Uuid) -> PortFuture<Result<u64, PortError>> {
        Box::pin(ready(Ok(0)))
    }

    fn append(&self, _: Flush) -> PortFuture<Result<Flushed, PortError>> {
        Box::pin(ready(Ok(Flushed::Done)))
    }
}
