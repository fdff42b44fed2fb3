//! Each sector is tried with a credential, all at once.

use std::time::Duration;

use futures_util::future::join_all;
use sextant_actors::domain::Sector;
use sextant_connectors::failure::{FailureKind, SourceFailure};
use sextant_connectors::provider::{PastedProvider, Source, SourceOptions};
use sextant_connectors::secret::SourceSecret;
use tokio::time::timeout;

use super::error::{self, SignInError};

/// How long a source may take to answer that a credential is good.
pub const TRIAL_DEADLINE: Duration = Duration::from_secs(30);

/// A sector that did not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingSector {
    pub sector: Sector,
    /// What its source said.
    pub message: String,
}

type TriedSector = (Sector, Result<(), SourceFailure>);

/// Tries them, each within [`TRIAL_DEADLINE`].
pub(super) async fn of_sectors(
    provider: &dyn PastedProvider,
    with: (&SourceSecret, &SourceOptions),
    sectors: &[Sector],
) -> Vec<TriedSector> {
    let (secret, options) = with;
    of_sources(sectors, |sector| {
        provider.source(sector.name(), secret, options)
    })
    .await
}

/// Tries the sources of these sectors, each within [`TRIAL_DEADLINE`].
pub(super) async fn of_sources(
    sectors: &[Sector],
    source: impl Fn(Sector) -> Result<Source, SourceFailure>,
) -> Vec<TriedSector> {
    let trials = sectors.iter().map(|sector| async {
        let tried = timeout(TRIAL_DEADLINE, check(source(*sector))).await;
        (*sector, tried.unwrap_or_else(|_| Err(too_late())))
    });
    join_all(trials).await
}

async fn check(source: Result<Source, SourceFailure>) -> Result<(), SourceFailure> {
    match source? {
        Source::Rounds(feed) => feed.check().await,
        Source::Stream(watch) => watch.check().await,
    }
}

/// Those that answered, and those that did not.
///
/// # Errors
/// When none answered.
pub(super) fn told_apart(
    provider: &dyn PastedProvider,
    tried: Vec<TriedSector>,
) -> Result<(Vec<Sector>, Vec<MissingSector>), SignInError> {
    let (mut answered, mut missing, mut failures) = (Vec::new(), Vec::new(), Vec::new());
    for (sector, tried) in tried {
        match tried {
            Ok(()) => answered.push(sector),
            Err(failure) => {
                let message = failure.message.clone();
                missing.push(MissingSector { sector, message });
                failures.push(failure);
            }
        }
    }
    match answered.is_empty() {
        true => Err(error::of_failures(provider, failures)),
        false => Ok((answered, missing)),
    }
}

/// That a source did not answer in time.
pub(super) fn too_late() -> SourceFailure {
    let message = format!(
        "the source did not answer within {} s",
        TRIAL_DEADLINE.as_secs()
    );
    SourceFailure::new(FailureKind::Unavailable, message)
}
