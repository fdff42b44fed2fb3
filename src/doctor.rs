//! What stands between a hosted agent and an answer, tried step by step from outside: the public address is called as an agent elsewhere
//! calls it, and the first step that fails says what to do.
//!
//! ```text
//! step.rs       the steps, in order                  finding.rs   what became of them, and the report
//! reach.rs      name, public address, port, certificate, the funnel's port
//! arrival.rs    a nonce goes out and comes back      arrivals.rs  which one is expected at the agent port
//! console.rs    the Console does not answer there    metadata.rs  what clients read before they sign in
//! sign_in.rs    a client registers and signs in      tools.rs     it is served, and refused once it is revoked
//! agent.rs      the agent that it signs in as        asking.rs    requests, and what is read of the answers
//! error.rs      why nothing was checked              way.rs       how the address is reached              limits.rs
//! ```
//!
//! Each verdict is a pure function of what was seen. Every connection goes through the guard of `sextant_connectors`, which connects to
//! public addresses alone.

mod agent;
mod arrival;
mod arrivals;
mod asking;
mod console;
mod error;
mod finding;
mod limits;
mod metadata;
mod reach;
mod sign_in;
mod step;
mod tools;
mod way;

use std::sync::{Arc, Mutex as StdMutex, PoisonError};

use sextant_actors::clock::Clock;
use sextant_actors::grants::GrantsHandle;
use sextant_connectors::guard::PublicProbe;
use tokio::sync::Mutex;

use crate::exposure::{Exposure, PublicAddress};

use self::agent::DoctorAgent;
use self::finding::{Findings, StepFailed};

pub(crate) use self::arrival::UNEXPECTED;
pub(crate) use self::arrivals::{ARRIVAL_PATH, Arrivals, ArrivedBy};
pub(crate) use self::error::DoctorError;
pub(crate) use self::finding::{DoctorReport, Finding, StepOutcome, Trouble};
pub(crate) use self::step::DoctorStep;
pub use self::way::DoctorWay;

/// The doctor; clones are the same.
#[derive(Clone)]
pub struct Doctor(Arc<DoctorParts>);

struct DoctorParts {
    way: DoctorWay,
    exposure: Exposure,
    grants: GrantsHandle,
    clock: Arc<dyn Clock>,
    arrivals: Arrivals,
    last: StdMutex<Option<(PublicAddress, Arc<DoctorReport>)>>,
    /// Held by a check: one runs at a time.
    turn: Mutex<()>,
}

/// What ends a check before its last step.
enum Ended {
    Failed(StepFailed),
    Broken(DoctorError),
}

impl Doctor {
    pub(crate) fn new(
        way: DoctorWay,
        exposure: Exposure,
        grants: GrantsHandle,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self(Arc::new(DoctorParts {
            way,
            exposure,
            grants,
            clock,
            arrivals: Arrivals::default(),
            last: StdMutex::default(),
            turn: Mutex::default(),
        }))
    }

    /// Where nonces arrive.
    pub(crate) fn arrivals(&self) -> &Arrivals {
        &self.0.arrivals
    }

    /// What was found last of the address as it stands now; `None` where it was not checked since the start. Reaches nothing.
    pub(crate) fn last(&self) -> Option<Arc<DoctorReport>> {
        let address = self.0.exposure.address()?;
        let last = self.0.last.lock().unwrap_or_else(PoisonError::into_inner);
        let last = last.as_ref();
        let own = last.filter(|(checked, _)| checked.is_same_place(&address));
        own.map(|(_, report)| Arc::clone(report))
    }

    /// Checks the address. `is_console_name` says whether the Console answers by its name.
    ///
    /// # Errors
    /// [`DoctorError`]: what was found before stays.
    pub(crate) async fn run(
        &self,
        is_console_name: impl FnOnce(&PublicAddress) -> bool,
    ) -> Result<Arc<DoctorReport>, DoctorError> {
        let _turn = self.0.turn.try_lock().map_err(|_| DoctorError::Busy)?;
        let address = self.0.exposure.address().ok_or(DoctorError::NoAddress)?;
        let mut findings = Findings::default();
        let is_console_name = is_console_name(&address);
        match self.steps(&address, is_console_name, &mut findings).await {
            Ok(()) | Err(Ended::Failed(StepFailed)) => {}
            Err(Ended::Broken(cause)) => return Err(cause),
        }
        let report = Arc::new(findings.into_report(self.0.clock.now()));
        let mut last = self.0.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some((PublicAddress::clone(&address), Arc::clone(&report)));
        Ok(report)
    }

    async fn steps(
        &self,
        address: &PublicAddress,
        is_console_name: bool,
        findings: &mut Findings,
    ) -> Result<(), Ended> {
        let way = &self.0.way.probe;
        let found = findings.note(DoctorStep::Resolves, reach::resolves(way, address).await)?;
        let probe = findings.note(DoctorStep::Public, reach::is_public(way, found))?;
        let probe = &probe;
        findings.note(DoctorStep::Port, reach::port(probe, address).await)?;
        let now = self.0.clock.now();
        findings.note(
            DoctorStep::Certificate,
            reach::certificate(probe, now).await,
        )?;
        findings.note(DoctorStep::Funnel, reach::funnel(address))?;
        let arrived = arrival::arrives(probe, &self.0.arrivals).await?;
        findings.note(DoctorStep::Arrives, arrived)?;
        let absent = console::absent(probe, address, is_console_name).await;
        findings.note(DoctorStep::ConsoleAbsent, absent)?;
        let metadata = metadata::is_right(probe, address).await;
        findings.note(DoctorStep::Metadata, metadata)?;
        let agent = DoctorAgent::make(&self.0.grants, now).await?;
        let done = by_agent(&agent, probe, address, findings).await;
        agent.remove().await;
        done
    }
}

/// The steps of a client that signs in.
async fn by_agent(
    agent: &DoctorAgent,
    probe: &PublicProbe,
    address: &PublicAddress,
    findings: &mut Findings,
) -> Result<(), Ended> {
    let client = findings.note(DoctorStep::Registers, sign_in::registers(probe).await)?;
    let token = sign_in::signs_in(probe, address, &client, agent.key()).await?;
    let token = findings.note(DoctorStep::SignsIn, token)?;
    findings.note(
        DoctorStep::ListsTools,
        tools::are_listed(probe, &token).await,
    )?;
    agent.revoke().await?;
    let refused = tools::are_refused(probe, &token).await;
    findings.note(DoctorStep::RevokedKeyRefused, refused)?;
    Ok(())
}

impl<T: Into<DoctorError>> From<T> for Ended {
    fn from(cause: T) -> Self {
        Self::Broken(cause.into())
    }
}

impl From<StepFailed> for Ended {
    fn from(failed: StepFailed) -> Self {
        Self::Failed(failed)
    }
}
