//! What a list goes on from.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// As it is stored with a page. Without a token everything is to be read. A pass that was cut off begins anew: what it stored is kept,
/// and what went meanwhile stands in no later list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct GooglePosition {
    /// What to ask for changes since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) token: Option<String>,
    /// A digest of what rows are made of besides their items; when that changes, no list of changes says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    basis: Option<String>,
}

impl GooglePosition {
    /// Reads what was stored; what means nothing here, or was made on another basis, is a beginning.
    pub(super) fn parse(stored: Option<&Value>, basis: &str) -> Self {
        let parsed = stored.and_then(|stored| serde_json::from_value::<Self>(stored.clone()).ok());
        parsed
            .filter(|own| own.basis.as_deref() == Some(basis))
            .unwrap_or_default()
    }

    /// After a whole list.
    pub(super) fn at_token(token: String, basis: &str) -> Self {
        Self {
            token: Some(token),
            basis: Some(basis.to_owned()),
        }
    }

    /// As it is stored.
    pub(super) fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_else(|_| json!({}))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_survives_being_stored_and_not_another_basis() {
        let position = GooglePosition::at_token("t".to_owned(), "b");
        let stored = position.to_value();
        assert_eq!(GooglePosition::parse(Some(&stored), "b"), position);
        let begun = GooglePosition::default();
        assert_eq!(begun.to_value(), json!({}));
        for other in [Some(&json!([])), Some(&json!({"token": 1})), None] {
            assert_eq!(GooglePosition::parse(other, "b"), begun);
        }
        assert_eq!(GooglePosition::parse(Some(&stored), "c"), begun);
    }
}
