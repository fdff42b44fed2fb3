//! What a collection goes on from.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::limits::GRAPH_UNUSUAL_READING;
use crate::round::Pass;

/// As it is stored with a page. Nothing in it: everything is to be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct GraphPosition {
    /// Where the next page lies, or the changes since the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) link: Option<String>,
    /// The pass over everything that is not over yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) pass: Option<GraphPass>,
    /// The pass that was told last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) told: Option<GraphPass>,
    /// How it is read, where that was found out to be necessary.
    #[serde(default, skip_serializing_if = "ReadingDepth::is_usual")]
    pub(super) reading: ReadingDepth,
    /// Since when it is read so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reading_since: Option<DateTime<Utc>>,
}

/// How a collection is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ReadingDepth {
    /// By its changes.
    #[default]
    Usual,
    /// By its changes, without what makes answers too long: that is asked for one by one.
    Light,
    /// As a list, all of it each time: its changes have no end.
    Plain,
}

impl ReadingDepth {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
    const fn is_usual(&self) -> bool {
        matches!(self, Self::Usual)
    }
}

/// A pass over everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct GraphPass {
    pub(super) begun_at: DateTime<Utc>,
    /// What lies before is not wanted; `None` for all.
    pub(super) since: Option<DateTime<Utc>>,
}

impl GraphPosition {
    /// Reads what was stored; what means nothing here is a beginning.
    pub(super) fn parse(stored: Option<&Value>) -> Self {
        let parsed = stored.map(|stored| serde_json::from_value(stored.clone()));
        parsed.and_then(Result::ok).unwrap_or_default()
    }

    /// The beginning of a pass, and since when it is read in this way.
    pub(super) fn begin(
        &self,
        pass: GraphPass,
        (reading, since): (ReadingDepth, Option<DateTime<Utc>>),
    ) -> Self {
        let is_same = self.reading == reading;
        Self {
            pass: Some(pass),
            reading,
            reading_since: if is_same { self.reading_since } else { since },
            ..Self::default()
        }
    }

    /// How a pass that begins now reads: in an unusual way only as long as [`GRAPH_UNUSUAL_READING`], since a fault may have been
    /// mended.
    pub(super) fn reading_of_pass(
        &self,
        now: DateTime<Utc>,
    ) -> (ReadingDepth, Option<DateTime<Utc>>) {
        let age = self
            .reading_since
            .and_then(|since| (now - since).to_std().ok());
        match age.is_some_and(|age| age < GRAPH_UNUSUAL_READING) {
            true => (self.reading, self.reading_since),
            false => (ReadingDepth::Usual, None),
        }
    }

    /// After the last page of a pass or of changes.
    pub(super) fn end(self, link: Option<String>) -> Self {
        Self {
            link,
            told: self.pass.or(self.told),
            pass: None,
            reading: self.reading,
            reading_since: self.reading_since,
        }
    }

    /// The window of what is told or being told.
    pub(super) fn since(&self) -> Option<DateTime<Utc>> {
        self.pass.or(self.told).and_then(|pass| pass.since)
    }

    /// As it is stored.
    pub(super) fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_else(|_| json!({}))
    }
}

impl GraphPass {
    /// What its pages say of it.
    pub(super) const fn page(self, is_complete: bool) -> Pass {
        Pass {
            begun_at: self.begun_at,
            since: self.since,
            is_complete,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_survives_being_stored() {
        let pass = GraphPass {
            begun_at: DateTime::UNIX_EPOCH,
            since: Some(DateTime::UNIX_EPOCH),
        };
        let since = Some(DateTime::UNIX_EPOCH);
        let begun = GraphPosition::default().begin(pass, (ReadingDepth::Light, since));
        for position in [
            GraphPosition::default(),
            begun.clone(),
            begun.clone().end(Some("l".to_owned())),
        ] {
            assert_eq!(GraphPosition::parse(Some(&position.to_value())), position);
        }
        assert_eq!(
            begun.reading_of_pass(DateTime::UNIX_EPOCH).0,
            ReadingDepth::Light
        );
        assert_eq!(
            begun
                .reading_of_pass(DateTime::UNIX_EPOCH + GRAPH_UNUSUAL_READING)
                .0,
            ReadingDepth::Usual
        );
        for other in [json!(null), json!({"pass": 1}), json!({"x": "y"})] {
            assert_eq!(GraphPosition::parse(Some(&other)), GraphPosition::default());
        }
    }
}
