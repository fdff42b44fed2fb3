use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::CleanText;

/// Longest name of an agent, in bytes (all of them ASCII).
const NAME_BYTES_MAX: usize = 64;
/// Names that mean something else in the audit log or in a path.
const RESERVED: [&str; 4] = ["operator", "-", ".", ".."];

/// The name under which the audit log has every call of an agent; one grant per name (r060).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AgentName(Arc<str>);

impl AgentName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&AgentName> for CleanText {
    fn from(name: &AgentName) -> Self {
        Self::of_clean(Arc::clone(&name.0))
    }
}

impl fmt::Display for AgentName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Why a text is no agent name.
#[derive(Debug, PartialEq, Eq)]
pub struct InvalidAgentName;

impl fmt::Display for InvalidAgentName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(
            "an agent's name is 1 to 64 of the characters A-Z a-z 0-9 . _ - and not `operator`, `-`, `.` or `..`",
        )
    }
}

impl std::error::Error for InvalidAgentName {}

impl FromStr for AgentName {
    type Err = InvalidAgentName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        let fits = (1..=NAME_BYTES_MAX).contains(&text.len()) && text.bytes().all(allowed);
        if fits && !RESERVED.contains(&text) {
            Ok(Self(text.into()))
        } else {
            Err(InvalidAgentName)
        }
    }
}
