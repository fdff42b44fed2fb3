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

/// Secrets as texts, within what is sealed as a whole and nowhere else.
pub(crate) mod text {
    use serde::{Deserialize as _, Deserializer, Serializer};

    use super::SourceSecret;

    pub(crate) fn serialize<S: Serializer>(
        secret: &SourceSecret,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.serialize_str(secret.reveal())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<SourceSecret, D::Error> {
        String::deserialize(from).map(SourceSecret::new)
    }
}

/// The same where there may be none.
pub(crate) mod optional_text {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    use super::SourceSecret;

    #[expect(clippy::ref_option, reason = "serde calls it so")]
    pub(crate) fn serialize<S: Serializer>(
        secret: &Option<SourceSecret>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        secret.as_ref().map(SourceSecret::reveal).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<SourceSecret>, D::Error> {
        let text: Option<String> = Option::deserialize(from)?;
        Ok(text.map(SourceSecret::new))
    }
}
