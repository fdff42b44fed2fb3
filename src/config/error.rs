//! Why a configuration was refused, in sentences that say what to do. None of them repeats a value: it may be a secret.

use std::fmt;
use std::path::PathBuf;

use super::settings::SettingOrigin;

/// The configuration could not be used.
#[derive(Debug)]
pub enum ConfigError {
    /// The file could not be read.
    Unreadable {
        /// The file that was named.
        file: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The file is no TOML.
    Malformed {
        /// The file that was read.
        file: PathBuf,
        /// The line at fault, counted from 1.
        line: usize,
        /// What is wrong there, without the line's text.
        message: String,
    },
    /// The file names a setting that there is not.
    UnknownKey {
        /// The file that was read.
        file: PathBuf,
        /// The name as written.
        key: String,
        /// The known name nearest to it.
        nearest: &'static str,
    },
    /// A setting's value cannot be used.
    Invalid {
        /// The setting's key.
        key: &'static str,
        /// Where the value was given.
        origin: SettingOrigin,
        /// What the value must be.
        expected: String,
    },
    /// What the file says of a provider cannot be used.
    Provider {
        /// The file that was read.
        file: PathBuf,
        /// The place, as `providers.icloud.hosts`.
        place: String,
        /// What is wrong there, and what it must be.
        message: String,
    },
    /// Both ports are the same.
    SamePorts {
        /// The port given twice.
        port: u16,
    },
    /// No place for the data is known.
    NoDataDir,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { file, cause } => {
                write!(
                    formatter,
                    "cannot read the configuration {}: {cause}",
                    file.display()
                )
            }
            Self::Malformed {
                file,
                line,
                message,
            } => {
                write!(formatter, "{}, line {line}: {message}", file.display())
            }
            Self::UnknownKey { file, key, nearest } => {
                write!(
                    formatter,
                    "{}: there is no setting `{key}`; the nearest is `{nearest}`",
                    file.display()
                )
            }
            Self::Invalid {
                key,
                origin,
                expected,
            } => {
                write!(formatter, "`{key}` ({origin}) must be {expected}")
            }
            Self::Provider {
                file,
                place,
                message,
            } => write!(formatter, "{}: `{place}`: {message}", file.display()),
            Self::SamePorts { port } => write!(
                formatter,
                "`rest_port` and `mcp_port` are both {port}; give each a port of its own"
            ),
            Self::NoDataDir => formatter.write_str(
                "no place for the data is known: HOME is not set; set DATA_DIR or pass --data-dir",
            ),
        }
    }
}

impl std::error::Error for ConfigError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { cause, .. } => Some(cause),
            _ => None,
        }
    }
}
