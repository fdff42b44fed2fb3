use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One of the six fixed sectors (r001). They cannot be added to, renamed or split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sector {
    /// Accounts, transactions, holdings.
    Finance,
    /// Messages and their mailboxes.
    Mail,
    /// Series and their occurrences.
    Calendar,
    /// People and groups.
    Contacts,
    /// Samples, sleeps, workouts, days.
    Health,
    /// Entities, their history, and the only actions.
    Home,
}

impl Sector {
    /// All six, in their fixed order.
    pub const ALL: [Sector; 6] = [
        Sector::Finance,
        Sector::Mail,
        Sector::Calendar,
        Sector::Contacts,
        Sector::Health,
        Sector::Home,
    ];

    /// The name as it stands in grants, targets, rows and schemas.
    pub const fn name(self) -> &'static str {
        match self {
            Sector::Finance => "finance",
            Sector::Mail => "mail",
            Sector::Calendar => "calendar",
            Sector::Contacts => "contacts",
            Sector::Health => "health",
            Sector::Home => "home",
        }
    }
}

impl fmt::Display for Sector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A word that names none of the six sectors.
#[derive(Debug, PartialEq, Eq)]
pub struct UnknownSector;

impl fmt::Display for UnknownSector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(
            "no such sector; the six are finance, mail, calendar, contacts, health, home",
        )
    }
}

impl std::error::Error for UnknownSector {}

impl FromStr for Sector {
    type Err = UnknownSector;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|sector| sector.name() == word)
            .ok_or(UnknownSector)
    }
}

/// The sectors that a grant resolves to: a subset of the six.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SectorSet(u8);

impl SectorSet {
    /// All six: what the operator's own reads hold.
    pub const ALL: SectorSet = SectorSet(0b11_1111);
    /// None: a fresh grant.
    pub const EMPTY: SectorSet = SectorSet(0);

    /// Resolves a stored list (r062): the single entry `*` is all six, an unknown name is dropped.
    pub fn resolve(stored: &[String]) -> Self {
        if matches!(stored, [only] if only == "*") {
            return Self::ALL;
        }
        stored
            .iter()
            .filter_map(|word| word.parse().ok())
            .fold(Self::EMPTY, Self::with)
    }

    /// This set and `sector`.
    #[must_use]
    pub const fn with(self, sector: Sector) -> Self {
        Self(self.0 | (1 << sector as u8))
    }

    /// Whether `sector` is granted.
    pub const fn contains(self, sector: Sector) -> bool {
        self.0 & (1 << sector as u8) != 0
    }

    /// The members in their fixed order.
    pub fn iter(self) -> impl Iterator<Item = Sector> {
        Sector::ALL
            .into_iter()
            .filter(move |sector| self.contains(*sector))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn r062_unknown_names_are_dropped_and_a_lone_star_is_all_six() {
        let cases: [(&[&str], SectorSet); 5] = [
            (&[], SectorSet::EMPTY),
            (&["*"], SectorSet::ALL),
            (&["*", "mail"], SectorSet::EMPTY.with(Sector::Mail)),
            (&["helth", "Finance"], SectorSet::EMPTY),
            (&["home", "home"], SectorSet::EMPTY.with(Sector::Home)),
        ];
        for (words, expected) in cases {
            assert_eq!(SectorSet::resolve(&stored(words)), expected, "{words:?}");
        }
    }
}
