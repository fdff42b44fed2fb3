//! What a collection goes on from.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::round::Pass;

/// As it is stored with a page. Nothing in it: everything is to be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DavPosition {
    /// What to ask for changes since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) token: Option<String>,
    /// The `ctag` at which everything was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) ctag: Option<String>,
    /// The pass over everything that is not over yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) pass: Option<PassPosition>,
    /// What was over before it was left out; none: nothing was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) since: Option<DateTime<Utc>>,
}

/// How far a pass has come. What it stored is not fetched again, so no list is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PassPosition {
    pub(super) begun_at: DateTime<Utc>,
    /// The token of the last list that was told whole; none: the first list is being told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<String>,
    /// The token of the list that is being told. A list got after a restart may lack what this one told and what went since, so
    /// changes are asked for since this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) token: Option<String>,
    /// The `ctag` before the first list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) ctag: Option<String>,
}

impl DavPosition {
    /// Reads what was stored; what means nothing here is a beginning.
    pub(super) fn parse(stored: Option<&Value>) -> Self {
        let parsed = stored.map(|stored| serde_json::from_value(stored.clone()));
        parsed.and_then(Result::ok).unwrap_or_default()
    }

    /// After a whole list of changes.
    pub(super) fn at_token(token: String) -> Self {
        Self {
            token: Some(token),
            ..Self::default()
        }
    }

    /// After a whole list of everything.
    pub(super) fn at_ctag(ctag: Option<String>) -> Self {
        Self {
            ctag,
            ..Self::default()
        }
    }

    /// Within a pass.
    pub(super) fn in_pass(pass: PassPosition) -> Self {
        Self {
            pass: Some(pass),
            ..Self::default()
        }
    }

    /// As it is stored.
    pub(super) fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_else(|_| json!({}))
    }
}

impl PassPosition {
    /// A pass that begins.
    pub(super) const fn new(begun_at: DateTime<Utc>) -> Self {
        Self {
            begun_at,
            from: None,
            token: None,
            ctag: None,
        }
    }

    /// What its pages say of it.
    pub(super) const fn page(&self, is_complete: bool) -> Pass {
        Pass {
            begun_at: self.begun_at,
            since: None,
            is_complete,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_survives_being_stored() {
        let begun = PassPosition {
            from: Some("1".to_owned()),
            token: Some("2".to_owned()),
            ..PassPosition::new(DateTime::UNIX_EPOCH)
        };
        for position in [
            DavPosition::default(),
            DavPosition::at_token("3".to_owned()),
            DavPosition::at_ctag(Some("4".to_owned())),
            DavPosition::in_pass(begun),
        ] {
            assert_eq!(DavPosition::parse(Some(&position.to_value())), position);
        }
        for other in [json!(null), json!({"pass": 1}), json!({"x": "y"})] {
            assert_eq!(DavPosition::parse(Some(&other)), DavPosition::default());
        }
    }
}
