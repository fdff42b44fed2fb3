//! What a person enters, field by field.

use std::collections::HashMap;
use std::fmt;

use crate::secret::SourceSecret;

/// One field, as it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormField {
    /// Its name in a request.
    pub name: &'static str,
    /// Its name for people.
    pub label: &'static str,
    /// How it is entered.
    pub kind: FieldKind,
    /// Whether it may be left empty.
    pub is_optional: bool,
    /// Where a person finds what belongs there.
    pub help: &'static str,
}

/// How a field is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// A line that may be shown.
    Text,
    /// A line that is never shown.
    Secret,
    /// An address, with its scheme.
    Address,
    /// A certificate in PEM form, of several lines.
    Certificate,
}

/// The longest line that is taken, in bytes.
const LINE_BYTES_MAX: usize = 4096;
/// The longest certificate that is taken, in bytes.
const CERTIFICATE_BYTES_MAX: usize = 64 * 1024;

/// What was entered, by the names of the fields. Any of it may be a secret.
#[derive(Clone, Debug)]
pub struct Form(HashMap<String, SourceSecret>);

/// What is wrong with what was entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormRefusal {
    /// The field.
    pub field: String,
    /// A sentence that says what to enter, without what was.
    pub message: String,
}

impl Form {
    /// Holds what was entered against the fields. Space around a line is taken away; an empty field counts as left out.
    ///
    /// # Errors
    /// For a field there is none of, one that is missing, and one that is too long.
    pub fn new(
        fields: &[FormField],
        entered: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, FormRefusal> {
        let mut kept = HashMap::new();
        for (name, text) in entered {
            let field = fields.iter().find(|field| field.name == name);
            let field = field.ok_or_else(|| FormRefusal::new(&name, "there is no such field"))?;
            let text = text.trim();
            if text.len() > field.bytes_max() {
                return Err(FormRefusal::new(field.name, "it is too long"));
            }
            if !text.is_empty() {
                kept.insert(name, SourceSecret::new(text));
            }
        }
        let missing = |field: &&FormField| !field.is_optional && !kept.contains_key(field.name);
        match fields.iter().find(missing) {
            Some(field) => Err(FormRefusal::new(field.name, "it must not be empty")),
            None => Ok(Self(kept)),
        }
    }

    /// What was entered there, if anything was.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(SourceSecret::reveal)
    }

    /// What was entered there.
    pub(crate) fn required(&self, name: &str) -> Result<&str, FormRefusal> {
        let missing = || FormRefusal::new(name, "it must not be empty");
        self.get(name).ok_or_else(missing)
    }
}

impl FormField {
    const fn bytes_max(&self) -> usize {
        match self.kind {
            FieldKind::Certificate => CERTIFICATE_BYTES_MAX,
            FieldKind::Text | FieldKind::Secret | FieldKind::Address => LINE_BYTES_MAX,
        }
    }
}

impl FormRefusal {
    pub(crate) fn new(field: &str, message: &str) -> Self {
        Self {
            field: field.to_owned(),
            message: message.to_owned(),
        }
    }
}

impl fmt::Display for FormRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

impl std::error::Error for FormRefusal {}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: [FormField; 2] = [
        FormField {
            name: "user",
            label: "User",
            kind: FieldKind::Text,
            is_optional: false,
            help: "",
        },
        FormField {
            name: "ca",
            label: "Authority",
            kind: FieldKind::Certificate,
            is_optional: true,
            help: "",
        },
    ];

    fn form(entered: &[(&str, &str)]) -> Result<Form, FormRefusal> {
        let entered = entered.iter();
        Form::new(
            &FIELDS,
            entered.map(|(name, text)| ((*name).to_owned(), (*text).to_owned())),
        )
    }

    #[test]
    fn what_is_entered_is_trimmed_and_held_against_the_fields() {
        let taken = form(&[("user", " op "), ("ca", " ")]).unwrap();
        assert_eq!((taken.get("user"), taken.get("ca")), (Some("op"), None));
        for (entered, field) in [
            (&[("user", "  ")][..], "user"),
            (&[("ca", "x")], "user"),
            (&[("user", "op"), ("password", "word-of-op")], "password"),
            (&[("user", &"x".repeat(5000))], "user"),
        ] {
            let refused = form(entered).unwrap_err();
            assert_eq!(refused.field, field);
            assert!(!refused.to_string().contains("word-of-op"), "{refused}");
        }
        assert!(!format!("{taken:?}").contains("op"));
    }
}
