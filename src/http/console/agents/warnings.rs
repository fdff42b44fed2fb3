//! What is in order about a grant and still worth a thought: one sentence each, in the answer to whoever made or edited it.

use sextant_actors::domain::{Grant, Sector};

use crate::query::fault::quoted;
use crate::query::nearest::nearest;

/// Sectors' names that are told of one by one.
const NAMES_TOLD_MAX: usize = 20;

/// What stands out about a grant as it is now; nothing is refused for it (r062).
pub(super) fn of(grant: &Grant) -> Vec<String> {
    let mut warnings = of_sectors(&grant.sectors);
    if grant.expires_at.is_none() {
        warnings.push(
            "The key has no deadline: it works until it is revoked. Send expiresInDays to give it one."
                .to_owned(),
        );
    }
    warnings
}

/// Of a name whose key was just replaced.
pub(super) fn replaced(grant: &Grant) -> String {
    format!(
        "There was an agent {} already: its key is refused from now on.",
        grant.agent
    )
}

fn of_sectors(stored: &[String]) -> Vec<String> {
    match stored {
        [] => vec!["The list of sectors is empty: the key opens nothing.".to_owned()],
        [only] if only == "*" => Vec::new(),
        _ => of_names(stored),
    }
}

fn of_names(stored: &[String]) -> Vec<String> {
    let unknown: Vec<&String> = stored
        .iter()
        .filter(|name| name.parse::<Sector>().is_err())
        .collect();
    let told = unknown.iter().take(NAMES_TOLD_MAX);
    let mut warnings: Vec<String> = told.map(|name| of_name(name)).collect();
    let left = unknown.len().saturating_sub(NAMES_TOLD_MAX);
    if left > 0 {
        warnings.push(format!("{left} more names are no sectors."));
    }
    warnings
}

fn of_name(name: &str) -> String {
    if name == "*" {
        return "\"*\" opens all six sectors only where it stands alone: here it opens nothing."
            .to_owned();
    }
    let names = Sector::ALL.map(Sector::name);
    let nearest = nearest(&name.to_lowercase(), names).unwrap_or_default();
    format!(
        "{} is no sector and opens nothing; the nearest is {nearest}.",
        quoted(name)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warned(stored: &[&str]) -> Vec<String> {
        let stored: Vec<String> = stored.iter().map(|name| (*name).to_owned()).collect();
        of_sectors(&stored)
    }

    #[test]
    fn a_name_that_opens_nothing_is_told_with_its_nearest() {
        assert_eq!(warned(&["*"]), [""; 0]);
        assert_eq!(warned(&["mail", "mail", "home"]), [""; 0]);
        assert_eq!(
            warned(&[]),
            ["The list of sectors is empty: the key opens nothing."]
        );
        for (name, nearest) in [
            ("helth", "health"),
            ("Mail", "mail"),
            ("FINANCES", "finance"),
        ] {
            let told =
                format!("\"{name}\" is no sector and opens nothing; the nearest is {nearest}.");
            assert_eq!(warned(&[name, "home"]), [told]);
        }
        let star = "\"*\" opens all six sectors only where it stands alone: here it opens nothing.";
        assert_eq!(warned(&["*", "mail"]), [star]);
    }

    #[test]
    fn however_many_names_are_wrong_the_answer_is_short() {
        let long = "x".repeat(10_000);
        let told = warned(&vec![long.as_str(); 5_000]);
        assert_eq!(told.len(), NAMES_TOLD_MAX + 1);
        assert_eq!(told.last().unwrap(), "4980 more names are no sectors.");
        assert!(told.concat().len() < 4_000);
    }
}
