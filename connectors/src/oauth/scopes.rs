use std::collections::BTreeSet;

/// A set of scopes. Providers change their order and case, and Microsoft writes them with the address of the interface before them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scopes(BTreeSet<String>);

/// Before the scopes of Microsoft Graph, in their long form.
const GRAPH: &str = "https://graph.microsoft.com/";

impl Scopes {
    /// Reads them as a provider writes them: with spaces between (RFC 6749 §3.3).
    pub fn parse(text: &str) -> Self {
        text.split_whitespace().collect()
    }

    /// Whether `scope` is among them.
    pub fn has(&self, scope: &str) -> bool {
        self.0.contains(&canonical(scope))
    }

    /// In their order, with spaces between.
    pub fn to_text(&self) -> String {
        let words: Vec<&str> = self.0.iter().map(String::as_str).collect();
        words.join(" ")
    }
}

impl<'a> FromIterator<&'a str> for Scopes {
    fn from_iter<I: IntoIterator<Item = &'a str>>(scopes: I) -> Self {
        Self(scopes.into_iter().map(canonical).collect())
    }
}

fn canonical(scope: &str) -> String {
    let scope = scope.to_ascii_lowercase();
    scope.strip_prefix(GRAPH).unwrap_or(&scope).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_a_set_in_any_order_case_and_form() {
        let granted = Scopes::parse("https://graph.microsoft.com/mail.read  Calendars.Read");
        assert!(granted.has("Mail.Read") && granted.has("calendars.read"));
        assert!(!granted.has("Contacts.Read"));
        assert_eq!(
            granted,
            ["Calendars.Read", "Mail.Read"].into_iter().collect()
        );
        assert_eq!(Scopes::parse(&granted.to_text()), granted);
    }
}
