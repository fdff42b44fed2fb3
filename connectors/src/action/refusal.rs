//! Why an action was refused before anything was sent.

use std::fmt;

use crate::limits::SOURCE_TEXT_CHARACTERS_MAX;

/// What is wrong with an action or its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionRefusal {
    /// The parameter that is wrong; `None` if it is the action's name.
    pub parameter: Option<String>,
    /// A sentence that says what is wrong, with the nearest right value where there is one.
    pub message: String,
}

impl ActionRefusal {
    pub(super) fn unknown_action<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Self {
        let message = format!(
            "there is no action {}{}",
            quoted(name),
            nearest(name, known)
        );
        Self {
            parameter: None,
            message,
        }
    }

    pub(super) fn unknown_parameter<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Self {
        let nearest = nearest(name, known);
        Self::of(
            name,
            format!("there is no parameter {}{nearest}", quoted(name)),
        )
    }

    pub(super) fn missing(name: &str) -> Self {
        Self::of(name, format!("the parameter {} is missing", quoted(name)))
    }

    /// `what` follows the parameter's name: `must be a number`.
    pub(super) fn wrong(name: &str, what: &str) -> Self {
        Self::of(name, format!("the parameter {} {what}", quoted(name)))
    }

    pub(super) fn none_of<'a>(
        name: &str,
        given: &str,
        known: impl Iterator<Item = &'a str>,
    ) -> Self {
        let nearest = nearest(given, known);
        Self::wrong(name, &format!("cannot be {}{nearest}", quoted(given)))
    }

    fn of(name: &str, message: String) -> Self {
        Self {
            parameter: Some(name.chars().take(SOURCE_TEXT_CHARACTERS_MAX).collect()),
            message,
        }
    }
}

impl fmt::Display for ActionRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ActionRefusal {}

/// What was given, cut to what is shown of it.
fn quoted(given: &str) -> String {
    let shown: String = given.chars().take(60).collect();
    format!("`{}`", shown.escape_debug())
}

/// The end of a sentence: the name that was likely meant.
fn nearest<'a>(given: &str, known: impl Iterator<Item = &'a str>) -> String {
    let given: String = given.chars().take(SOURCE_TEXT_CHARACTERS_MAX).collect();
    let likeness = |name: &str| strsim::jaro_winkler(&given, name);
    let nearest = known.max_by(|left, right| likeness(left).total_cmp(&likeness(right)));
    nearest.map_or_else(String::new, |name| format!("; the nearest is `{name}`"))
}
