//! The parameters of a push, in its query string.

use crate::http::code::Code;
use crate::ingest::Rejects;

use super::answer::PushFailure;

/// What a push asks for beside being stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PushParameters {
    /// Whether records at fault keep the others from being stored.
    pub rejects: Rejects,
    /// Whether the answer says what became of each record.
    pub has_outcomes: bool,
}

impl PushParameters {
    /// Reads a query string: each parameter comes once at the most, and is `true` or `false`.
    ///
    /// # Errors
    /// `invalid` when it has anything else.
    pub(super) fn parse(query: &str) -> Result<Self, PushFailure> {
        let (mut partial, mut outcomes) = (None, None);
        for pair in query.split('&').filter(|_| !query.is_empty()) {
            let (parameter, value) = match pair.split_once('=') {
                Some(("partial", value)) => (&mut partial, value),
                Some(("outcomes", value)) => (&mut outcomes, value),
                _ => return Err(unknown()),
            };
            let value = value.parse::<bool>().map_err(|_| unknown())?;
            if parameter.replace(value).is_some() {
                return Err(unknown());
            }
        }
        Ok(Self {
            rejects: match partial {
                Some(true) => Rejects::Listed,
                Some(false) | None => Rejects::All,
            },
            has_outcomes: outcomes == Some(true),
        })
    }
}

fn unknown() -> PushFailure {
    PushFailure::new(
        Code::Invalid,
        "the only parameters are `partial` and `outcomes`, each true or false",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_parameter_comes_once_and_is_true_or_false() {
        let read =
            |query| PushParameters::parse(query).map(|read| (read.rejects, read.has_outcomes));
        for (query, expected) in [
            ("", (Rejects::All, false)),
            ("partial=false", (Rejects::All, false)),
            ("partial=true", (Rejects::Listed, false)),
            ("outcomes=true", (Rejects::All, true)),
            ("outcomes=true&partial=true", (Rejects::Listed, true)),
            ("partial=true&outcomes=false", (Rejects::Listed, false)),
        ] {
            assert_eq!(read(query).ok(), Some(expected), "{query}");
        }
        for query in [
            "partial",
            "partial=",
            "partial=1",
            "outcomes=True",
            "outcome=true",
            "partial=true&",
            "&",
            "partial=true&partial=true",
        ] {
            assert!(read(query).is_err(), "{query}");
        }
    }
}
