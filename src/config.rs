//! The configuration: what `config.toml`, the environment and the defaults say, checked once and typed.
//!
//! The environment wins over `.env`, that over the file, the file over the defaults. An unknown key is an error, and so is a value that
//! cannot be used: the service does not start on a guess. Nothing here opens a port, a database or a folder.

mod dotenv;
mod environment;
mod error;
mod file;
mod given;
pub(crate) mod limits;
mod network;
mod notices;
mod providers;
mod secret;
pub mod settings;
mod zone;

use std::ffi::OsString;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sextant_actors::limits::TreeLimits;

use crate::host::Host;

pub use self::dotenv::DotEnv;
pub use self::environment::{Environment, passed_on};
pub use self::error::ConfigError;
use self::given::Given;
pub use self::network::Network;
pub use self::providers::{ProviderSettings, ProviderWay};
pub use self::secret::Secret;
pub use self::zone::{OperatorZone, ZoneSource};

/// Where root's data is kept by default.
const DATA_DIR_OF_ROOT: &str = "/var/lib/sextant";

/// Bytes in the megabyte of `ingest_max_body_mb`.
const MEGABYTE: usize = 1024 * 1024;

/// What a configuration is made from.
#[derive(Clone, Debug, Default)]
pub struct ConfigSources {
    /// The file that was named; it must be there.
    pub file: Option<PathBuf>,
    /// The data directory given on the command line; it wins over all else.
    pub data_dir: Option<PathBuf>,
    /// The environment.
    pub environment: Environment,
}

/// A configuration that can be used as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The address both ports listen on; loopback unless set (r500).
    pub bind: IpAddr,
    /// The Console port (r003); 0 takes any that is free.
    pub rest_port: u16,
    /// The agent port (r003); 0 takes any that is free.
    pub mcp_port: u16,
    /// Hosts the Console port answers to besides loopback's (r100).
    pub rest_allowed_hosts: Vec<Host>,
    /// Proxies whose forwarding headers are trusted for the caller's address (r103).
    pub mcp_trusted_proxies: Vec<Network>,
    /// Where everything is kept; not yet made.
    pub data_dir: PathBuf,
    /// A PostgreSQL to use instead of the private cluster.
    pub database_url: Option<Secret>,
    /// Where PostgreSQL's programs are, if the search is to begin there.
    pub pg_bin_dir: Option<PathBuf>,
    /// `PATH`, along which those programs are searched.
    pub search_path: Option<OsString>,
    /// `XDG_RUNTIME_DIR`, for a socket whose path beside the data would be too long.
    pub runtime_dir: Option<PathBuf>,
    /// Whether agents' reads run as a database role of their own.
    pub reader_role: bool,
    /// The largest body of a push, on the wire and decoded, in bytes.
    pub ingest_body_bytes_max: usize,
    /// The actors' bounds.
    pub limits: ActorLimits,
    /// How providers are reached, where it is said.
    pub providers: ProviderSettings,
    /// The key of credentials at rest, in place of the one in the data directory.
    pub credential_key: Option<Secret>,
    /// One that was in use before and still opens.
    pub previous_credential_key: Option<Secret>,
    /// The operator's zone.
    pub zone: OperatorZone,
    /// What is logged, in `RUST_LOG`'s grammar.
    pub log_filter: String,
}

/// The actors' bounds that a configuration sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActorLimits {
    /// How often the audit log is written.
    pub audit_flush_interval: Duration,
    /// Live sessions an agent may have.
    pub sessions_per_agent_max: usize,
    /// How long a session may be idle.
    pub session_idle_max: Duration,
}

impl From<&ActorLimits> for TreeLimits {
    fn from(set: &ActorLimits) -> Self {
        Self {
            audit_flush_interval: set.audit_flush_interval,
            sessions_per_agent_max: set.sessions_per_agent_max,
            session_idle_max: set.session_idle_max,
            ..Self::default()
        }
    }
}

impl Config {
    /// Reads and checks everything; touches nothing but the named file.
    ///
    /// # Errors
    /// At the first thing that cannot be used, in a sentence that names it, where it was given and what it must be.
    pub fn load(sources: &ConfigSources) -> Result<Self, ConfigError> {
        let environment = &sources.environment;
        let given = Given::gather(sources.file.as_deref(), environment)?;
        let [credential_key, previous_credential_key] = environment.credential_keys();
        let config = Self {
            bind: given.required(
                &settings::BIND,
                "an IP address, such as 127.0.0.1",
                |text| text.parse().ok(),
            )?,
            rest_port: given.number(&settings::REST_PORT, 0..=u16::MAX)?,
            mcp_port: given.number(&settings::MCP_PORT, 0..=u16::MAX)?,
            rest_allowed_hosts: given.list(
                &settings::REST_ALLOWED_HOSTS,
                "a list of host names, without scheme, path or wildcard",
                Host::of_setting,
            )?,
            mcp_trusted_proxies: given.list(
                &settings::MCP_TRUSTED_PROXIES,
                "a list of IP addresses or networks, such as 10.0.0.0/8",
                Network::parse,
            )?,
            data_dir: data_dir(&given, sources)?,
            database_url: given.optional(
                &settings::DATABASE_URL,
                "a PostgreSQL address, such as postgresql://user:password@host:5432/database",
                database_url,
            )?,
            pg_bin_dir: given.optional(&settings::PG_BIN_DIR, "a folder", folder)?,
            search_path: environment.get("PATH").map(OsString::from),
            runtime_dir: environment.get("XDG_RUNTIME_DIR").map(PathBuf::from),
            reader_role: given.flag(&settings::READER_ROLE)?,
            ingest_body_bytes_max: given
                .number(&settings::INGEST_MAX_BODY_MB, limits::INGEST_MAX_BODY_MB)?
                .saturating_mul(MEGABYTE),
            limits: actor_limits(&given)?,
            providers: ProviderSettings::read(&given)?,
            credential_key,
            previous_credential_key,
            zone: zone(&given, environment)?,
            log_filter: given.required(&settings::LOG, "a log filter, such as info", |text| {
                Some(text.to_owned())
            })?,
        };
        config.with_two_ports()
    }

    fn with_two_ports(self) -> Result<Self, ConfigError> {
        if self.rest_port == self.mcp_port && self.rest_port != 0 {
            return Err(ConfigError::SamePorts {
                port: self.rest_port,
            });
        }
        Ok(self)
    }
}

fn actor_limits(given: &Given<'_>) -> Result<ActorLimits, ConfigError> {
    Ok(ActorLimits {
        audit_flush_interval: Duration::from_millis(
            given.number(&settings::AUDIT_FLUSH_MS, limits::AUDIT_FLUSH_MS)?,
        ),
        sessions_per_agent_max: given
            .number(&settings::SESSIONS_PER_AGENT, limits::SESSIONS_PER_AGENT)?,
        session_idle_max: Duration::from_secs(
            given.number(&settings::SESSION_IDLE_S, limits::SESSION_IDLE_S)?,
        ),
    })
}

fn zone(given: &Given<'_>, environment: &Environment) -> Result<OperatorZone, ConfigError> {
    let written = given.optional(&settings::TIMEZONE, "an IANA zone", |text| {
        Some(text.to_owned())
    })?;
    let expected = written.as_deref().map_or_else(String::new, |name| {
        format!("an IANA zone; the nearest is {}", zone::nearest_name(name))
    });
    let setting = given.optional(&settings::TIMEZONE, &expected, zone::by_name)?;
    Ok(OperatorZone::decide(setting, environment))
}

fn data_dir(given: &Given<'_>, sources: &ConfigSources) -> Result<PathBuf, ConfigError> {
    let set = given.optional(&settings::DATA_DIR, "a folder", folder)?;
    sources
        .data_dir
        .clone()
        .or(set)
        .or_else(|| default_data_dir(&sources.environment))
        .ok_or(ConfigError::NoDataDir)
}

/// `/var/lib` for root, else the user's data directory (XDG base directories).
fn default_data_dir(environment: &Environment) -> Option<PathBuf> {
    if environment.runs_as_root() {
        return Some(DATA_DIR_OF_ROOT.into());
    }
    let home = || {
        environment
            .get("HOME")
            .map(|home| Path::new(home).join(USER_DATA))
    };
    environment
        .get("XDG_DATA_HOME")
        .map(PathBuf::from)
        .or_else(home)
        .map(|data| data.join("sextant"))
}

#[cfg(target_os = "macos")]
const USER_DATA: &str = "Library/Application Support";
#[cfg(not(target_os = "macos"))]
const USER_DATA: &str = ".local/share";

fn folder(text: &str) -> Option<PathBuf> {
    Some(text.into())
}

/// Whether PostgreSQL's own client understands the address; it is kept as written.
fn database_url(text: &str) -> Option<Secret> {
    text.parse::<tokio_postgres::Config>()
        .ok()
        .map(|_| Secret::new(text))
}

#[cfg(test)]
mod tests;
