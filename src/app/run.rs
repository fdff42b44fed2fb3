//! From a configuration to a running service, until a signal or a failure ends it.

use std::fmt;
use std::future::pending;
use std::io::{self, Write};
use std::pin::pin;
use std::sync::Arc;

use sextant_actors::clock::SystemClock;
use sextant_actors::limits::TreeLimits;
use sextant_actors::tree::TreePorts;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::bridge::BridgeOptions;
use crate::config::Config;
use crate::db::embedded::{ClusterOptions, SearchPlaces};
use crate::db::{Database, DatabaseError, DatabaseOptions, Drivers, Place, PoolLimits};
use crate::doctor::DoctorWay;
use crate::export;
use crate::http::console::ReadLimits;
use crate::http::host_check::AllowedHosts;
use crate::http::wire;
use crate::import;
use crate::ingest::SpoolFolder;
use crate::ingest::limits::PushLimits;
use crate::providers::{ProviderWayError, SourceProviders};
use crate::sealing::{CredentialKeys, KeyringError};
use crate::store::journal;
use crate::uploads::UploadLimits;

use super::port::HeldPorts;
use super::stop::close_unused;
use super::{App, Settings, StartError, open_files};

/// Why the service did not start, or what ended it.
#[derive(Debug)]
pub enum RunError {
    /// This computer denied a thread, a signal or the terminal.
    System(io::Error),
    Database(DatabaseError),
    Start(StartError),
    /// A provider's authorities cannot be read.
    ProviderWay(ProviderWayError),
    /// What was given as a key is none.
    Keys(KeyringError),
    /// The service stopped itself, in order, because it could no longer do its work.
    Failed(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::System(cause) => write!(
                formatter,
                "the system denied what the service needs: {cause}"
            ),
            RunError::Database(cause) => cause.fmt(formatter),
            RunError::Start(cause) => cause.fmt(formatter),
            RunError::ProviderWay(cause) => cause.fmt(formatter),
            RunError::Keys(cause) => cause.fmt(formatter),
            RunError::Failed(reason) => write!(formatter, "stopped: {reason}"),
        }
    }
}

impl std::error::Error for RunError {}

/// Serves until SIGTERM, Ctrl-C or a failure; says on `out` when it is ready, and where. The actors get the ports that
/// `replace_ports` returns: the real ones, unless a test makes one fail.
///
/// # Errors
/// Why it did not start, or what ended it.
pub fn run(
    config: Config,
    out: &mut dyn Write,
    replace_ports: impl FnOnce(TreePorts) -> TreePorts,
) -> Result<(), RunError> {
    let ready = async |app: &App, (): &mut ()| match say_ready(app, out) {
        Ok(()) => pending().await,
        Err(cause) => cause,
    };
    let unsaid: Option<io::Error> = run_while(|| Ok((config, ())), replace_ports, ready)?;
    unsaid.map_or(Ok(()), |cause| Err(RunError::System(cause)))
}

/// Serves while `visit` runs, and returns its result; `None` when SIGTERM or Ctrl-C ended it before. Either way
/// the service has stopped, in order, when this returns. What `prepare` makes besides the configuration is handed to the visit
/// and dropped last of all: from before it is made, no signal ends the process out of order.
///
/// # Errors
/// Why it did not start, or what ended it.
pub fn run_while<K, T, E: From<RunError>>(
    prepare: impl FnOnce() -> Result<(Config, K), E>,
    replace_ports: impl FnOnce(TreePorts) -> TreePorts,
    visit: impl AsyncFnOnce(&App, &mut K) -> T,
) -> Result<Option<T>, E> {
    // The drivers' runtime must outlive the actors', whose last act needs the database.
    let drivers = Drivers::start().map_err(RunError::System)?;
    let served =
        actix_web::rt::System::new().block_on(serve(prepare, &drivers, replace_ports, visit));
    drivers.stop();
    served
}

async fn serve<K, T, E: From<RunError>>(
    prepare: impl FnOnce() -> Result<(Config, K), E>,
    drivers: &Drivers,
    replace_ports: impl FnOnce(TreePorts) -> TreePorts,
    visit: impl AsyncFnOnce(&App, &mut K) -> T,
) -> Result<Option<T>, E> {
    let mut stop = StopSignals::listen().map_err(RunError::System)?;
    let (config, mut kept) = prepare()?;
    let Some(app) = start(config, drivers, replace_ports, &mut stop).await? else {
        return Ok(None);
    };
    let ended = tokio::select! {
        biased;
        () = stop.received() => Ok(None),
        reason = app.failed() => Err(RunError::Failed(reason)),
        visited = visit(&app, &mut kept) => Ok(Some(visited)),
    };
    app.stop().await;
    Ok(ended?)
}

/// Starts the service; `None` when a stop was requested before it had started.
async fn start(
    config: Config,
    drivers: &Drivers,
    replace_ports: impl FnOnce(TreePorts) -> TreePorts,
    stop: &mut StopSignals,
) -> Result<Option<App>, RunError> {
    open_files::raise_limit();
    let settings = settings(&config)?;
    let held = HeldPorts::take(&settings).map_err(RunError::Start)?;
    let Some(database) = open(options(config, drivers)?, stop).await? else {
        return Ok(None);
    };
    for warning in database.warnings() {
        log::warn!("{warning}");
    }
    let clock = Arc::new(SystemClock);
    match App::start_on(
        held,
        database,
        settings,
        clock,
        replace_ports,
        stop.received(),
    )
    .await
    {
        Ok(app) => Ok(Some(app)),
        Err((error, database)) => {
            close_unused(database).await;
            not_started(error)
        }
    }
}

fn not_started(error: StartError) -> Result<Option<App>, RunError> {
    match error {
        StartError::Asked => Ok(None),
        StartError::Failed(reason) => Err(RunError::Failed(reason)),
        error => Err(RunError::Start(error)),
    }
}

/// Opens the database; `None` when a stop was requested meanwhile. A private one is opened to the end before it is closed, because
/// dropping it halfway would leave a server process behind; any other leaves only connections, which end with the drivers.
async fn open(
    options: DatabaseOptions,
    stop: &mut StopSignals,
) -> Result<Option<Database>, RunError> {
    let is_private = matches!(options.place, Place::Private(_));
    let mut opening = pin!(Database::open(options));
    tokio::select! {
        opened = &mut opening => return opened.map(Some).map_err(RunError::Database),
        () = stop.received() => {}
    }
    if is_private {
        match opening.await {
            Ok(database) => close_unused(database).await,
            Err(error) => log::warn!("stopped while starting: {error}"),
        }
    }
    Ok(None)
}

fn say_ready(app: &App, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "sextant is ready: Console http://{}  agents http://{}/mcp",
        app.console, app.agents
    )?;
    out.flush()
}

fn settings(config: &Config) -> Result<Settings, RunError> {
    let keys = [&config.credential_key, &config.previous_credential_key];
    let keys = CredentialKeys::open(keys.map(Option::as_ref), &config.data_dir);
    Ok(Settings {
        bind: config.bind,
        console_port: config.rest_port,
        agent_port: config.mcp_port,
        allowed_hosts: AllowedHosts::new(config.rest_allowed_hosts.clone()),
        trusted_proxies: config.mcp_trusted_proxies.clone(),
        bridge: BridgeOptions::default(),
        doctor: DoctorWay::default(),
        zone: config.zone.zone,
        zone_source: config.zone.source,
        pushes: PushLimits {
            body_bytes_max: config.ingest_body_bytes_max as u64,
            spools: SpoolFolder::at(config.data_dir.join("spools")),
            ..PushLimits::default()
        },
        journal: Some(config.data_dir.join(journal::FOLDER)),
        exports: export::ExportLimits::default(),
        uploads: UploadLimits::below(&config.data_dir),
        imports: import::ImportLimits::in_folder(config.data_dir.clone()),
        reads: ReadLimits::default(),
        connections: wire::ConnectionLimits::default(),
        limits: TreeLimits::from(&config.limits),
        providers: SourceProviders::open(&config.providers).map_err(RunError::ProviderWay)?,
        keys: keys.map_err(RunError::Keys)?,
    })
}

fn options(config: Config, drivers: &Drivers) -> Result<DatabaseOptions, RunError> {
    let drivers = drivers
        .handle()
        .ok_or_else(|| RunError::System(io::Error::other("the drivers have stopped")))?;
    let place = match config.database_url {
        Some(url) => Place::Foreign(url.expose().to_owned()),
        None => Place::Private(ClusterOptions {
            runtime_dir: config.runtime_dir,
            ..ClusterOptions::new(
                config.data_dir,
                SearchPlaces::system(config.pg_bin_dir, config.search_path),
            )
        }),
    };
    Ok(DatabaseOptions {
        place,
        reader_role: config.reader_role,
        limits: PoolLimits::default(),
        drivers,
    })
}

/// The two signals that request a stop.
struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    fn listen() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    async fn received(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
