use crate::failure::SourceFailure;

/// Why there are no tokens. What was sent is spent only after [`TokenFailure::Ended`], and perhaps after
/// [`TokenFailure::Unanswered`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenFailure {
    /// The provider has ended the consent: only the person can go on.
    Ended(SourceFailure),
    /// It was sent, and what became of it is unknown.
    Unanswered(SourceFailure),
    /// The provider refused it for a reason that may pass, or may not.
    Opaque(SourceFailure),
    /// It did not arrive, or the provider asks for patience.
    Passing(SourceFailure),
}

impl TokenFailure {
    /// What is told of it.
    pub const fn failure(&self) -> &SourceFailure {
        match self {
            Self::Ended(failure)
            | Self::Unanswered(failure)
            | Self::Opaque(failure)
            | Self::Passing(failure) => failure,
        }
    }
}
