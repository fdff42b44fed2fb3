//! The parameters after the `?`: every one known, none twice.

use std::collections::HashMap;

use actix_web::web;

use super::body::unknown;
use super::problem::{Code, Problem};

/// Parameters by name. An empty value counts as left out, as an untouched filter of a form is sent.
#[derive(Debug, Default)]
pub(crate) struct Parameters(HashMap<&'static str, String>);

impl Parameters {
    /// Reads a query string.
    ///
    /// # Errors
    /// The first parameter that is none of `known` or comes twice, or a query string that is no text.
    pub(crate) fn parse(query: &str, known: &[&'static str]) -> Result<Self, Problem> {
        let mut found = HashMap::new();
        for (name, value) in pairs(query)? {
            let name = *known
                .iter()
                .find(|known| **known == name)
                .ok_or_else(|| unknown(&name, known))?;
            if !value.is_empty() && found.insert(name, value).is_some() {
                return Err(Problem::invalid(name, "give it once"));
            }
        }
        Ok(Self(found))
    }

    /// Takes a parameter out.
    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        self.0.remove(name)
    }
}

/// The names and values of a query string, decoded and in their order: its one reader.
///
/// # Errors
/// When it is no text.
pub(crate) fn pairs(query: &str) -> Result<Vec<(String, String)>, Problem> {
    web::Query::from_query(query)
        .map(web::Query::into_inner)
        .map_err(|_| Problem::new(Code::Invalid, "the query string cannot be read"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_is_known_and_comes_once() {
        let mut read = Parameters::parse("agent=a%20b&tool=", &["agent", "tool"]).unwrap();
        assert_eq!(read.take("agent").as_deref(), Some("a b"));
        assert_eq!(read.take("tool"), None);
        assert!(Parameters::parse("agnet=a", &["agent"]).is_err());
        assert!(Parameters::parse("agent=a&agent=b", &["agent"]).is_err());
    }
}
