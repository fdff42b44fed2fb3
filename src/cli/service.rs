//! A running service to work with, or one of its own for the time of a command.
//!
//! What answers at the address is used. When nothing does, and no address was given, the service is started in this process:
//! in the data directory that the configuration names, on free ports of this computer, and stopped in order afterwards. A
//! directory that another process uses is refused by its lock.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use serde_json::Value;

use super::client::client;
use super::{EXIT_INTERRUPTED, EXIT_NOT_DONE, ServeOptions, Terminal, logging, write_line};
use crate::app::{self, RunError};
use crate::config::{Config, ConfigError, Environment};
use crate::db::embedded::holds_cluster;

/// How long a service may take to say that it is there.
pub(crate) const ANSWER_MAX: Duration = Duration::from_secs(5);
/// The log of a service of the command's own, unless it is asked for: what the person looks at is something else.
const LOG_FILTER: &str = "error";

/// Which service.
#[derive(Args, Clone, Debug, Default)]
pub struct ServiceOptions {
    /// Where Sextant listens [default: where it does by its settings; if nothing answers there, one of its own is started]
    #[arg(long)]
    url: Option<String>,
    #[command(flatten)]
    settings: ServeOptions,
}

impl ServiceOptions {
    /// The address that was given, if one was.
    pub fn given_url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// The address that was given, else where the service listens by its settings; without a slash at the end.
    pub fn url(&self, config: &Config) -> String {
        let url = self.url.clone().unwrap_or_else(|| default_url(config));
        url.trim_end_matches('/').to_owned()
    }
}

/// Whether a service of its own may begin an empty store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Store {
    MustBeThere,
    MayBeNew,
}

/// Why there is no service, or what ended the work with it.
#[derive(Debug)]
pub(crate) enum ServiceError<E> {
    Config(ConfigError),
    /// No runtime, no HTTP client, no signals.
    System(io::Error),
    /// Nothing answers at the address that was given.
    Silent(String),
    /// Nothing answers, and there is nothing to start one on.
    NoStore {
        url: String,
        data_dir: PathBuf,
    },
    Run(RunError),
    /// Ctrl-C or SIGTERM.
    Interrupted,
    Work(E),
}

impl<E: fmt::Display> fmt::Display for ServiceError<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(cause) => cause.fmt(formatter),
            Self::System(cause) => write!(formatter, "the system denied what is needed: {cause}"),
            Self::Silent(url) => write!(
                formatter,
                "no Sextant answers at {url}: is it running, and is that the address of its Console port?"
            ),
            Self::NoStore { url, data_dir } => write!(
                formatter,
                "no Sextant answers at {url}, and {} holds nothing; say where it is with --url or --data-dir",
                data_dir.display()
            ),
            Self::Run(cause) => cause.fmt(formatter),
            Self::Interrupted => formatter.write_str("stopped before the end"),
            Self::Work(cause) => cause.fmt(formatter),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for ServiceError<E> {}

/// A service that answers.
#[derive(Clone, Debug)]
pub(crate) struct ServiceAddress {
    /// The address of its Console port, without a slash at the end.
    pub url: String,
}

/// The configuration that a command works under.
pub(crate) fn configuration(
    options: &ServiceOptions,
    environment: Environment,
) -> Result<Config, ConfigError> {
    let sources = options.settings.clone().sources(environment)?;
    let asks_for_log = sources.environment.get("RUST_LOG").is_some();
    let mut config = Config::load(&sources)?;
    if !asks_for_log {
        config.log_filter = LOG_FILTER.to_owned();
    }
    Ok(config)
}

/// Works with the service that there is, or with one that is started for it. A signal ends the work, and then the service.
pub(crate) fn with_service<T, E>(
    options: &ServiceOptions,
    config: Config,
    store: Store,
    work: impl AsyncFnOnce(&ServiceAddress) -> Result<T, E>,
) -> Result<T, ServiceError<E>> {
    logging::start(&config.log_filter);
    let url = options.url(&config);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(ServiceError::System)?;
    if runtime.block_on(answers(&url)) {
        let place = ServiceAddress { url };
        return runtime.block_on(unless_stopped(work(&place)));
    }
    if options.url.is_some() {
        return Err(ServiceError::Silent(url));
    }
    drop(runtime);
    if store == Store::MustBeThere && !has_store(&config) {
        let data_dir = config.data_dir;
        return Err(ServiceError::NoStore { url, data_dir });
    }
    with_own_service(config, work)
}

/// Whether there is something that a service of one's own could be started on.
pub(crate) fn has_store(config: &Config) -> bool {
    config.database_url.is_some() || holds_cluster(&config.data_dir)
}

/// Where the service listens by its settings, seen from this computer.
fn default_url(config: &Config) -> String {
    let host = match config.bind {
        any if any.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        bind => bind,
    };
    format!(
        "http://{}",
        std::net::SocketAddr::new(host, config.rest_port)
    )
}

/// Whether it is a Sextant that answers there.
pub(crate) async fn answers(url: &str) -> bool {
    let Ok(client) = client(|limits| limits.timeout(ANSWER_MAX)) else {
        return false;
    };
    let Ok(answer) = client.get(format!("{url}/healthz")).send().await else {
        return false;
    };
    let said = answer.json::<Value>().await.unwrap_or_default();
    said.get("status").is_some() || said.get("error").is_some()
}

/// Prints the error, if there is one, and returns the exit code. 0: done; 2: not done; 130: stopped.
pub(crate) fn report_outcome<E: fmt::Display>(
    done: Result<(), ServiceError<E>>,
    terminal: &mut Terminal<'_>,
) -> ExitCode {
    let Err(error) = done else {
        return ExitCode::SUCCESS;
    };
    write_line(terminal.err, &format!("sextant: {error}"));
    match error {
        ServiceError::Interrupted => ExitCode::from(EXIT_INTERRUPTED),
        _ => ExitCode::from(EXIT_NOT_DONE),
    }
}

async fn unless_stopped<T, E>(
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, ServiceError<E>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate()).map_err(ServiceError::System)?;
    tokio::select! {
        biased;
        _ = tokio::signal::ctrl_c() => Err(ServiceError::Interrupted),
        _ = terminate.recv() => Err(ServiceError::Interrupted),
        done = work => done.map_err(ServiceError::Work),
    }
}

/// Works with a service that is started for it on the settings' store, on free ports, and stopped in order afterwards.
pub(crate) fn with_own_service<T, E>(
    mut config: Config,
    work: impl AsyncFnOnce(&ServiceAddress) -> Result<T, E>,
) -> Result<T, ServiceError<E>> {
    config.bind = IpAddr::V4(Ipv4Addr::LOCALHOST);
    (config.rest_port, config.mcp_port) = (0, 0);
    let worked = app::run_while(
        || Ok::<_, RunError>((config, ())),
        |ports| ports,
        async |app, (): &mut ()| {
            let place = ServiceAddress {
                url: format!("http://{}", app.console),
            };
            work(&place).await
        },
    );
    match worked {
        Ok(Some(done)) => done.map_err(ServiceError::Work),
        Ok(None) => Err(ServiceError::Interrupted),
        Err(cause) => Err(ServiceError::Run(cause)),
    }
}
