//! What two accounts of two connections have in common. Pure.

use super::account::Account;

/// What makes two accounts look like one. Its name stands in the database and in answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Likeness {
    /// One domain, and the same last four digits.
    DomainAndLastFour,
    /// One domain, and not both tell their last four digits.
    Domain,
    /// One IBAN, where not both name their institution's domain.
    Iban,
    /// The same last four digits, where not both name their institution's domain.
    LastFour,
    /// One name of the institution, where not both name its domain and not both tell their last four digits.
    Institution,
}

impl Likeness {
    /// All of them, with their names.
    const NAMES: [(Self, &'static str); 5] = [
        (Self::DomainAndLastFour, "domain_and_last_four"),
        (Self::Domain, "domain"),
        (Self::Iban, "iban"),
        (Self::LastFour, "last_four"),
        (Self::Institution, "institution"),
    ];

    pub(crate) fn name(self) -> &'static str {
        let mut names = Self::NAMES.into_iter();
        names
            .find(|(own, _)| *own == self)
            .map_or("", |(_, name)| name)
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        let mut names = Self::NAMES.into_iter();
        names.find(|(_, own)| *own == name).map(|(own, _)| own)
    }
}

/// What `a` and `b` have in common, if that is enough to ask whether they are one. Two pushed ones are never asked about, since a
/// statement is no source that brings an account by itself.
pub(super) fn likeness(a: &Account, b: &Account) -> Option<Likeness> {
    if a.connection == b.connection || (a.is_pushed && b.is_pushed) || is_other(a, b) {
        return None;
    }
    let is_one = |a: &Option<String>, b: &Option<String>| a.is_some() && a == b;
    let last_four = is_one(&a.last_four, &b.last_four);
    if is_one(&a.domain, &b.domain) {
        return Some(match last_four {
            true => Likeness::DomainAndLastFour,
            false => Likeness::Domain,
        });
    }
    if is_one(&a.iban, &b.iban) {
        return Some(Likeness::Iban);
    }
    if last_four {
        return Some(Likeness::LastFour);
    }
    is_one(&a.institution, &b.institution).then_some(Likeness::Institution)
}

/// Whether they are certainly two: what both tell of themselves differs.
pub(super) fn is_other(a: &Account, b: &Account) -> bool {
    let differs = |a: &Option<String>, b: &Option<String>| {
        a.as_ref().zip(b.as_ref()).is_some_and(|(a, b)| a != b)
    };
    a.currency != b.currency
        || differs(&a.last_four, &b.last_four)
        || differs(&a.domain, &b.domain)
        || differs(&a.iban, &b.iban)
}

#[cfg(test)]
mod tests {
    use super::super::tests::account;
    use super::*;

    #[test]
    fn r124_only_what_both_report_is_certain_and_what_differs_is_never_asked() {
        let told = |domain, last_four| {
            let mut own = account(1, 1);
            (own.domain, own.last_four) = (Some(domain), last_four);
            own
        };
        let with = |domain: &str, last_four: &str| {
            let mut own = account(2, 2);
            own.domain = (!domain.is_empty()).then(|| domain.to_owned());
            own.last_four = (!last_four.is_empty()).then(|| last_four.to_owned());
            own
        };
        let one = told("bank.example".to_owned(), Some("1234".to_owned()));
        for (domain, last_four, expected) in [
            ("bank.example", "1234", Some(Likeness::DomainAndLastFour)),
            ("bank.example", "", Some(Likeness::Domain)),
            ("", "1234", Some(Likeness::LastFour)),
            ("", "", None),
            ("bank.example", "9999", None),
            ("other.example", "1234", None),
            ("", "9999", None),
        ] {
            let other = with(domain, last_four);
            assert_eq!(likeness(&one, &other), expected, "{domain} {last_four}");
            assert_eq!(likeness(&other, &one), expected, "{domain} {last_four}");
        }
        let mut foreign = with("bank.example", "1234");
        foreign.currency = Some("USD".to_owned());
        assert_eq!(likeness(&one, &foreign), None);
        let own = Account {
            connection: one.connection,
            ..with("bank.example", "1234")
        };
        assert_eq!(likeness(&one, &own), None, "one connection tells two apart");
    }

    #[test]
    fn statements_are_compared_with_sources_and_never_with_each_other() {
        let mut pushed = account(1, 1);
        pushed.is_pushed = true;
        pushed.iban = Some("DE00".to_owned());
        let mut pulled = account(2, 2);
        pulled.iban = Some("DE00".to_owned());
        assert_eq!(likeness(&pushed, &pulled), Some(Likeness::Iban));
        pulled.is_pushed = true;
        assert_eq!(likeness(&pushed, &pulled), None);
        pulled.is_pushed = false;
        (pulled.iban, pulled.name) = (None, pushed.name.clone());
        assert_eq!(likeness(&pushed, &pulled), None, "never by a name alone");
        pulled.institution = Some("a bank".to_owned());
        pushed.institution = Some("a bank".to_owned());
        assert_eq!(likeness(&pushed, &pulled), Some(Likeness::Institution));
    }
}
