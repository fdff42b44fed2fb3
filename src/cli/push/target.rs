//! Which service a push speaks to: the address that was given, else the one that answers by the settings, else one that is
//! started on the settings' store for as long as the push takes, as for an export.

use std::process::ExitCode;

use super::arguments::PushArguments;
use super::error::PushError;
use super::exit_code::exit_code;
use crate::cli::service::{self, ServiceAddress, ServiceError, configuration, has_store};
use crate::cli::{EXIT_INTERRUPTED, logging};
use crate::config::{Config, Environment};

pub(super) enum PushTarget {
    Running(String),
    /// Nothing answers at this address, and there is a store.
    Own {
        config: Box<Config>,
        silent_url: String,
    },
}

impl PushTarget {
    /// Reads the settings only where no address was given: a device that pushes needs none.
    pub(super) fn find(
        arguments: &PushArguments,
        environment: Environment,
    ) -> Result<Self, PushError> {
        if let Some(url) = arguments.service.given_url() {
            return Ok(Self::Running(url.to_owned()));
        }
        let config = configuration(&arguments.service, environment).map_err(PushError::Config)?;
        let url = arguments.service.url(&config);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let is_there = runtime.block_on(service::answers(&url));
        if is_there || arguments.dry_run || !has_store(&config) {
            return Ok(Self::Running(url));
        }
        logging::start(&config.log_filter);
        Ok(Self::Own {
            config: Box::new(config),
            silent_url: url,
        })
    }
}

/// Pushes to a service that is started for it.
pub(super) fn with_own_service(
    config: Config,
    push: impl AsyncFnOnce(&str) -> Result<bool, PushError>,
) -> Result<ExitCode, PushError> {
    let pushed = service::with_own_service(config, async |place: &ServiceAddress| {
        push(&place.url).await
    });
    match pushed {
        Ok(is_all_stored) => Ok(exit_code(is_all_stored)),
        Err(ServiceError::Interrupted) => Ok(ExitCode::from(EXIT_INTERRUPTED)),
        Err(ServiceError::Work(error)) => Err(error),
        Err(error) => Err(PushError::Server(error.to_string())),
    }
}
