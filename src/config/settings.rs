//! The settings there are: key in the file, variable in the environment, default. The one list from which the file is
//! checked, the values are read and `config.example.toml` is tested.

use std::fmt;
use std::path::PathBuf;

/// A setting: `key` in `config.toml`, `variable` in the environment, which wins.
#[derive(Debug)]
pub struct Setting {
    /// Its name in the file.
    pub key: &'static str,
    /// Its name in the environment.
    pub variable: &'static str,
    /// Its default as TOML writes it; absent where the default depends on the system.
    pub default: Option<&'static str>,
}

impl Setting {
    /// The default as a value.
    pub(crate) fn default_value(&self) -> Option<toml::Value> {
        let document: toml::Table = format!("value = {}", self.default?).parse().ok()?;
        document.get("value").cloned()
    }
}

const fn setting(key: &'static str, variable: &'static str, default: &'static str) -> Setting {
    Setting {
        key,
        variable,
        default: Some(default),
    }
}

const fn without_default(key: &'static str, variable: &'static str) -> Setting {
    Setting {
        key,
        variable,
        default: None,
    }
}

/// The address both ports listen on (r500).
pub(crate) const BIND: Setting = setting("bind", "BIND", "\"127.0.0.1\"");
/// The Console port (r003).
pub(crate) const REST_PORT: Setting = setting("rest_port", "REST_PORT", "8787");
/// The agent port (r003).
pub(crate) const MCP_PORT: Setting = setting("mcp_port", "MCP_PORT", "8788");
/// Host names the Console port answers to, besides loopback's (r100).
pub(crate) const REST_ALLOWED_HOSTS: Setting =
    setting("rest_allowed_hosts", "REST_ALLOWED_HOSTS", "[]");
/// Proxies whose forwarding headers are trusted for the caller's address (r103).
pub(crate) const MCP_TRUSTED_PROXIES: Setting =
    setting("mcp_trusted_proxies", "MCP_TRUSTED_PROXIES", "[]");
/// Where everything is kept.
pub(crate) const DATA_DIR: Setting = without_default("data_dir", "DATA_DIR");
/// A PostgreSQL to use instead of the private one.
pub(crate) const DATABASE_URL: Setting = without_default("database_url", "DATABASE_URL");
/// Where PostgreSQL's programs are.
pub(crate) const PG_BIN_DIR: Setting = without_default("pg_bin_dir", "PG_BIN_DIR");
/// Whether agents' reads run as a database role of their own.
pub(crate) const READER_ROLE: Setting = setting("reader_role", "READER_ROLE", "true");
/// How often the audit log is written (r021), in milliseconds.
pub(crate) const AUDIT_FLUSH_MS: Setting = setting("audit_flush_ms", "AUDIT_FLUSH_MS", "1000");
/// The largest push, in megabytes.
pub(crate) const INGEST_MAX_BODY_MB: Setting =
    setting("ingest_max_body_mb", "INGEST_MAX_BODY_MB", "64");
/// Live sessions an agent may have.
pub(crate) const SESSIONS_PER_AGENT: Setting =
    setting("sessions_per_agent", "SESSIONS_PER_AGENT", "32");
/// How long a session may be idle, in seconds.
pub(crate) const SESSION_IDLE_S: Setting = setting("session_idle_s", "SESSION_IDLE_S", "300");
/// The operator's zone.
pub(crate) const TIMEZONE: Setting = without_default("timezone", "TIMEZONE");
/// What is logged.
pub(crate) const LOG: Setting = setting("log", "RUST_LOG", "\"info\"");

/// Variables that hold keys. They are no settings: a key does not stand in a file that is copied around.
pub(crate) const CREDENTIAL_KEYS: [&str; 2] = ["SEXTANT_KEY", "SEXTANT_KEY_PREVIOUS"];

/// The table of providers: `[providers.<id>]`, with `hosts` and `ca_file` ([`super::providers`]). It stands in the file alone: what leads
/// elsewhere than it says is no matter of a variable that somebody forgets.
pub(crate) const PROVIDERS: &str = "providers";

/// Every setting that is a value, in the order of `config.example.toml`.
pub const ALL: [&Setting; 15] = [
    &BIND,
    &REST_PORT,
    &MCP_PORT,
    &REST_ALLOWED_HOSTS,
    &MCP_TRUSTED_PROXIES,
    &DATA_DIR,
    &DATABASE_URL,
    &PG_BIN_DIR,
    &READER_ROLE,
    &AUDIT_FLUSH_MS,
    &INGEST_MAX_BODY_MB,
    &SESSIONS_PER_AGENT,
    &SESSION_IDLE_S,
    &TIMEZONE,
    &LOG,
];

/// The known key nearest to `key`, by edit distance, whatever the case.
pub(crate) fn nearest_key(key: &str) -> &'static str {
    let keys = ALL.iter().map(|setting| setting.key);
    nearest(&key.to_lowercase(), keys.chain([PROVIDERS])).unwrap_or(BIND.key)
}

/// The candidate nearest to `text`, by edit distance.
pub(crate) fn nearest<'a>(
    text: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    candidates.min_by_key(|candidate| strsim::damerau_levenshtein(text, candidate))
}

/// Where a value was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingOrigin {
    /// On the command line.
    Flag(&'static str),
    /// In the environment, under this name.
    Variable(&'static str),
    /// Under this name in this `.env`.
    DotEnv(&'static str, PathBuf),
    /// In this file.
    File(PathBuf),
    /// Nowhere: it is the default.
    Default,
}

impl fmt::Display for SettingOrigin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(formatter, "from {flag}"),
            Self::Variable(name) => write!(formatter, "from the environment's {name}"),
            Self::DotEnv(name, path) => write!(formatter, "{name} in {}", path.display()),
            Self::File(path) => write!(formatter, "in {}", path.display()),
            Self::Default => formatter.write_str("by default"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_key_is_found_whatever_the_case_or_slip() {
        for (written, meant) in [
            ("rest_prot", "rest_port"),
            ("REST_PORT", "rest_port"),
            ("mcpport", "mcp_port"),
            ("time_zone", "timezone"),
            ("databse_url", "database_url"),
            ("sessions_per_agents", "sessions_per_agent"),
        ] {
            assert_eq!(nearest_key(written), meant);
        }
    }

    #[test]
    fn no_key_and_no_variable_stands_twice() {
        for (place, setting) in ALL.iter().enumerate() {
            for other in ALL.iter().skip(place + 1) {
                assert_ne!(setting.key, other.key);
                assert_ne!(setting.variable, other.variable);
            }
        }
    }
}
