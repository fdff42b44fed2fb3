//! Why a push ends without a result.

use std::fmt;
use std::io;

use crate::config::ConfigError;

/// Why a push could not be made, or not be finished. `main` prints it and exits with 2.
#[derive(Debug)]
pub enum PushError {
    /// No secret, or a secret file that cannot be used.
    Secret(String),
    /// A connection that does not exist, takes no pushes, or cannot be made.
    Connection(String),
    /// The server could not be reached or did not take the push; what was sent before is stored.
    Server(String),
    Output(io::Error),
    Config(ConfigError),
}

impl fmt::Display for PushError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Secret(text) | Self::Connection(text) | Self::Server(text) => f.write_str(text),
            Self::Output(error) => write!(f, "the report cannot be written: {error}"),
            Self::Config(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PushError {}

impl From<io::Error> for PushError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
