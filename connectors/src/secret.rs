//! A password or token, which no log or error can show.

use std::fmt;

/// A secret text. Its `Debug` says only that there is one; it has no `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct SourceSecret(String);

impl SourceSecret {
    /// Takes what a person pasted or a source returned.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself, for the request that carries it and for sealing.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SourceSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SourceSecret")
    }
}
