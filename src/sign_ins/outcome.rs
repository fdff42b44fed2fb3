//! What became of a sign-in in a browser, in words for the person. Pure.

use sextant_actors::domain::Sector;
use sextant_connectors::oauth::Scopes;
use sextant_connectors::provider::{ConsentedProvider, Provider};
use uuid::Uuid;

use super::sectors_of;
use crate::store::sign_ins::{SignIn, SignInConnection};

/// What became of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConsentOutcome {
    pub id: Uuid,
    /// The provider's word.
    pub provider: &'static str,
    pub result: ConsentResult,
    /// The sign-in that was made, renewed, or waits for another try.
    pub sign_in: Option<Uuid>,
    /// The sectors that were granted.
    pub granted: Vec<Sector>,
    /// What was asked for and not granted.
    pub missing: Vec<MissingGrant>,
    /// The connections of these sectors.
    pub connections: Vec<SignInConnection>,
    /// Sentences: what happened, and what to do.
    pub message: String,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConsentResult {
    /// The browser has not come back yet.
    Pending,
    Connected,
    /// Less was granted than was asked for.
    Partial,
    NoSectors,
    Cancelled,
    Failed,
}

/// Something that was asked for and not granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MissingGrant {
    pub sector: Sector,
    /// What it lets be read, for people.
    pub title: &'static str,
}

/// What came of it, and the sign-in whose connections are to be made known.
pub(crate) struct EndedConsent {
    pub outcome: ConsentOutcome,
    pub sign_in: Option<SignIn>,
}

pub(super) const fn of_outcome(outcome: ConsentOutcome) -> EndedConsent {
    EndedConsent {
        outcome,
        sign_in: None,
    }
}

impl ConsentOutcome {
    pub(super) fn pending(id: Uuid, provider: &'static str) -> Self {
        Self {
            id,
            provider,
            result: ConsentResult::Pending,
            sign_in: None,
            granted: Vec::new(),
            missing: Vec::new(),
            connections: Vec::new(),
            message: "The browser has not come back from the provider yet.".to_owned(),
        }
    }

    /// Nothing was changed by it.
    pub(super) fn failed(id: Uuid, provider: &'static str, message: impl Into<String>) -> Self {
        Self {
            result: ConsentResult::Failed,
            message: message.into(),
            ..Self::pending(id, provider)
        }
    }

    pub(super) fn cancelled(id: Uuid, provider: &dyn Provider) -> Self {
        let title = provider.title();
        Self {
            result: ConsentResult::Cancelled,
            message: format!("The sign-in was cancelled at {title}. Nothing has changed."),
            ..Self::pending(id, provider.id())
        }
    }

    /// The sign-in worked, and opens no sector (r122).
    pub(super) fn no_sectors(id: Uuid, provider: &dyn ConsentedProvider, granted: &Scopes) -> Self {
        let hint = provider.terms().add_hint;
        Self {
            result: ConsentResult::NoSectors,
            missing: missing(provider, granted),
            message: format!("The sign-in succeeded but granted no sectors. {hint}"),
            ..Self::pending(id, provider.id())
        }
    }

    /// A bank that was linked.
    pub(super) fn linked(id: Uuid, provider: &dyn Provider, sign_in: &SignIn) -> Self {
        let sectors = sectors_of(provider);
        let until = sign_in
            .expires_at
            .map(|end| format!(" Its consent ends on {}.", end.format("%Y-%m-%d")));
        Self {
            result: ConsentResult::Connected,
            sign_in: Some(sign_in.id),
            connections: of_sectors(sign_in, &sectors),
            granted: sectors,
            message: format!(
                "{} is connected.{}",
                sign_in.account,
                until.unwrap_or_default()
            ),
            ..Self::pending(id, provider.id())
        }
    }

    pub(super) fn connected(
        id: Uuid,
        provider: &dyn ConsentedProvider,
        granted: &Scopes,
        sign_in: &SignIn,
    ) -> Self {
        let covered = covered(provider, granted);
        let missing = missing(provider, granted);
        Self {
            id,
            provider: provider.id(),
            result: match missing.is_empty() {
                true => ConsentResult::Connected,
                false => ConsentResult::Partial,
            },
            sign_in: Some(sign_in.id),
            message: told(&covered, &missing),
            connections: of_sectors(sign_in, &covered),
            granted: covered,
            missing,
        }
    }
}

fn of_sectors(sign_in: &SignIn, sectors: &[Sector]) -> Vec<SignInConnection> {
    let mut connections = sign_in.connections.clone();
    connections.retain(|own| sectors.contains(&own.sector));
    connections
}

/// The sectors that a consent opens (r129).
pub(crate) fn covered(provider: &dyn ConsentedProvider, granted: &Scopes) -> Vec<Sector> {
    let mut sectors = sectors_of(provider);
    sectors.retain(|sector| provider.terms().opens(granted, sector.name()));
    sectors
}

/// What was asked for of the sectors, and not granted.
pub(crate) fn missing(provider: &dyn ConsentedProvider, granted: &Scopes) -> Vec<MissingGrant> {
    let missing = provider.terms().missing(granted);
    let named = missing.filter_map(|scope| {
        Some(MissingGrant {
            sector: scope.sector?.parse().ok()?,
            title: scope.title,
        })
    });
    named.collect()
}

fn told(covered: &[Sector], missing: &[MissingGrant]) -> String {
    let names: Vec<_> = covered.iter().map(|sector| sector.name()).collect();
    let connected = capitalised(&listed(&names));
    if missing.is_empty() {
        return format!("Signed in. {connected} connected.");
    }
    // A sector that is covered lacks a part of what it could have.
    let names: Vec<_> = missing
        .iter()
        .map(|one| match covered.contains(&one.sector) {
            true => one.title,
            false => one.sector.name(),
        })
        .collect();
    let was = match *names {
        [one] if !one.ends_with('s') || one == "contacts" => "was",
        _ => "were",
    };
    let names = listed(&names);
    format!("Signed in. {connected} connected; {names} {was} not granted.")
}

fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_granted_is_told_in_a_sentence() {
        let lacks = |sector, title| MissingGrant { sector, title };
        use Sector::{Calendar, Contacts, Health, Mail};
        for (covered, missing, expected) in [
            (
                vec![Calendar, Contacts],
                vec![],
                "Signed in. Calendar and contacts connected.",
            ),
            (
                vec![Mail, Calendar],
                vec![lacks(Contacts, "See your contacts")],
                "Signed in. Mail and calendar connected; contacts was not granted.",
            ),
            (
                vec![Contacts],
                vec![lacks(Mail, "Read mail"), lacks(Calendar, "Read calendars")],
                "Signed in. Contacts connected; mail and calendar were not granted.",
            ),
            (
                vec![Health],
                vec![lacks(Health, "Sleeps")],
                "Signed in. Health connected; Sleeps were not granted.",
            ),
        ] {
            assert_eq!(told(&covered, &missing), expected);
        }
    }
}
