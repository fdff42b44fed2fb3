//! Why the demonstration failed.

use std::fmt;
use std::io;

use crate::app::RunError;
use crate::config::ConfigError;
use crate::sample::SampleError;

/// Why the demonstration failed.
#[derive(Debug)]
pub(crate) enum DemoError {
    Folder(io::Error),
    Config(ConfigError),
    Run(RunError),
    /// Ctrl-C, before the end.
    Interrupted,
    Sample(SampleError),
    /// A route of the Console or of ingest did not do its part.
    Operator(String),
    /// The MCP client could not connect, ask, or read the answer.
    Agent(String),
    Output(io::Error),
}

impl fmt::Display for DemoError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(cause) => write!(formatter, "the throw-away folder: {cause}"),
            Self::Config(cause) => cause.fmt(formatter),
            Self::Run(cause) => cause.fmt(formatter),
            Self::Interrupted => {
                formatter.write_str("stopped before the end; nothing was left behind")
            }
            Self::Sample(cause) => cause.fmt(formatter),
            Self::Operator(text) | Self::Agent(text) => formatter.write_str(text),
            Self::Output(cause) => {
                write!(formatter, "the demonstration cannot be printed: {cause}")
            }
        }
    }
}

impl std::error::Error for DemoError {}

impl From<io::Error> for DemoError {
    fn from(cause: io::Error) -> Self {
        Self::Output(cause)
    }
}

impl From<RunError> for DemoError {
    fn from(cause: RunError) -> Self {
        Self::Run(cause)
    }
}
