//! The parameters of a query or a form (RFC 6749 §3.1: none may stand twice, and one without a value counts as left out).

use std::collections::HashMap;

/// Each parameter once.
#[derive(Debug)]
pub(crate) struct OAuthParameters(HashMap<String, String>);

/// A parameter stands twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RepeatedParameter;

impl OAuthParameters {
    /// Reads `application/x-www-form-urlencoded`.
    ///
    /// # Errors
    /// [`RepeatedParameter`].
    pub(crate) fn parse(encoded: &[u8]) -> Result<Self, RepeatedParameter> {
        let mut all = HashMap::new();
        for (name, value) in url::form_urlencoded::parse(encoded) {
            if all.insert(name.into_owned(), value.into_owned()).is_some() {
                return Err(RepeatedParameter);
            }
        }
        Ok(Self(all))
    }

    /// Takes a parameter out.
    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        self.0.remove(name).filter(|value| !value.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_stands_once_and_an_empty_one_not_at_all() {
        let mut read = OAuthParameters::parse(b"a=1&b=&c=x+y%26").unwrap();
        assert_eq!(read.take("a").as_deref(), Some("1"));
        assert_eq!(read.take("a"), None);
        assert_eq!(read.take("b"), None);
        assert_eq!(read.take("c").as_deref(), Some("x y&"));
        for twice in ["a=1&a=1", "a=1&b=2&a=3", "a&a="] {
            assert_eq!(
                OAuthParameters::parse(twice.as_bytes()).err(),
                Some(RepeatedParameter)
            );
        }
    }
}
