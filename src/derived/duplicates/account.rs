//! An account as the rules compare it, and how what sources write differently is made alike. Pure.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// An account that its source has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Account {
    pub id: Uuid,
    pub connection: Uuid,
    pub provider: String,
    /// Whose the connection is, in its provider's words; `None` where its sign-in is gone.
    pub identity: Option<String>,
    pub is_pushed: bool,
    /// The institution's domain, as [`domain`] writes it.
    pub domain: Option<String>,
    /// The institution's name, as [`plain`] writes it.
    pub institution: Option<String>,
    /// Its own name, as [`plain`] writes it.
    pub name: Option<String>,
    pub last_four: Option<String>,
    /// Without spaces, in capitals.
    pub iban: Option<String>,
    pub currency: Option<String>,
    pub balance_as_of: Option<DateTime<Utc>>,
    /// The account that is served in its place.
    pub hidden_by: Option<Uuid>,
}

/// Accounts by their ids.
pub(super) type Accounts = BTreeMap<Uuid, Account>;

impl Account {
    /// What finds it again where its source brings it under another id: its connection's provider and identity, its institution, its
    /// last four digits (else its name) and its currency. `None` where that is not known.
    pub(super) fn key(&self) -> Option<String> {
        let identity = self.identity.as_deref()?;
        let institution = self.domain.as_deref().or(self.institution.as_deref());
        let own = self.last_four.as_deref().or(self.name.as_deref())?;
        let parts = (&self.provider, identity, institution, own, &self.currency);
        serde_json::to_string(&parts).ok()
    }

    /// What must be unique among the accounts of a connection, if accounts are to be found one by it.
    pub(super) fn likeness_key(&self) -> (Uuid, Option<&str>, Option<&str>, Option<&str>) {
        (
            self.connection,
            self.domain.as_deref(),
            self.last_four.as_deref(),
            self.currency.as_deref(),
        )
    }
}

/// A domain in lower case, without `www.` and without a dot at its end.
pub(super) fn domain(written: &str) -> Option<String> {
    let lower = written.trim().to_lowercase();
    let bare = lower.trim_end_matches('.');
    let bare = bare.strip_prefix("www.").unwrap_or(bare);
    (!bare.is_empty()).then(|| bare.to_owned())
}

/// The words of a text in lower case, without what is neither letter nor digit. `None` where nothing is left.
pub(super) fn plain(written: &str) -> Option<String> {
    let words = written
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase);
    let words = words.collect::<Vec<_>>().join(" ");
    (!words.is_empty()).then_some(words)
}

/// An IBAN without spaces, in capitals.
pub(super) fn iban(written: &str) -> Option<String> {
    let letters = written.chars().filter(|letter| letter.is_alphanumeric());
    let bare: String = letters.flat_map(char::to_uppercase).collect();
    (!bare.is_empty()).then_some(bare)
}

/// The last four digits: those of the mask if it has as many, else of the IBAN, else the last group of exactly four in the name.
pub(crate) fn last_four(
    mask: Option<&str>,
    iban: Option<&str>,
    name: Option<&str>,
) -> Option<String> {
    let of_number = |written: &str| {
        let digits: Vec<char> = written.chars().filter(char::is_ascii_digit).collect();
        digits.last_chunk::<4>().map(String::from_iter)
    };
    let of_name = |written: &str| {
        let mut groups = written.rsplit(|letter: char| !letter.is_ascii_digit());
        groups.find(|group| group.len() == 4).map(str::to_owned)
    };
    mask.and_then(of_number)
        .or_else(|| iban.and_then(of_number))
        .or_else(|| name.and_then(of_name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r124_the_last_four_are_of_the_mask_else_of_the_iban_else_of_the_name() {
        let four = |mask, iban, name| last_four(mask, iban, name).unwrap_or_default();
        assert_eq!(four(Some("**1234"), Some("DE00 9999"), None), "1234");
        assert_eq!(
            four(Some("34"), Some("DE89 3704 0044 0532 0130 00"), None),
            "3000"
        );
        assert_eq!(four(None, None, Some("Visa 4321 (2026) gold")), "2026");
        assert_eq!(four(None, None, Some("Giro …9876")), "9876");
        assert_eq!(four(None, None, Some("Giro 12345, 123")), "");
        assert_eq!(four(None, None, None), "");
    }

    #[test]
    fn domains_and_names_are_alike_however_they_are_written() {
        assert_eq!(
            domain(" WWW.Bank.Example. ").as_deref(),
            Some("bank.example")
        );
        assert_eq!(domain(" . ").as_deref(), None);
        assert_eq!(
            plain("Müller & Söhne  GmbH").as_deref(),
            Some("müller söhne gmbh")
        );
        assert_eq!(plain(" - ").as_deref(), None);
    }
}
