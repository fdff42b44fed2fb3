//! Why the service did not start.

use std::fmt;
use std::io;
use std::net::SocketAddr;

use sextant_actors::random::Unavailable;

/// Why the service did not start.
#[derive(Debug)]
pub enum StartError {
    /// A port cannot be bound.
    Port {
        address: SocketAddr,
        setting: &'static str,
        cause: io::Error,
    },
    /// A server did not start on its port.
    Server(io::Error),
    /// The system gave no thread to read sources on.
    Threads(io::Error),
    /// The system gave no randomness.
    Randomness(Unavailable),
    /// An actor gave up while it loaded.
    Failed(String),
    /// A stop was asked for meanwhile.
    Asked,
}

impl fmt::Display for StartError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Port {
                address,
                setting,
                cause,
            } => write!(
                formatter,
                "the port {address} cannot be opened ({cause}); stop the program that holds it, or choose another with {setting}"
            ),
            StartError::Server(cause) => write!(formatter, "a server did not start: {cause}"),
            StartError::Threads(cause) => write!(formatter, "no thread could be started: {cause}"),
            StartError::Randomness(cause) => cause.fmt(formatter),
            StartError::Failed(reason) => formatter.write_str(reason),
            StartError::Asked => formatter.write_str("a stop was asked for"),
        }
    }
}

impl std::error::Error for StartError {}
