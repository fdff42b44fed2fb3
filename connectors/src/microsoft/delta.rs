//! A page of an answer: objects, what is gone, and a link to go on by (<https://learn.microsoft.com/graph/delta-query-overview>).

use std::collections::BTreeSet;

use serde_json::Value;

use super::object::{GraphObject, text};
use crate::failure::{FailureKind, SourceFailure};

/// A page.
#[derive(Debug)]
pub(super) struct GraphPage {
    /// Each id once, as the page says last of it.
    pub(super) objects: Vec<ListedObject>,
    pub(super) end: PageEnd,
}

/// What a page says of an object.
#[derive(Debug)]
pub(super) enum ListedObject {
    There { id: String, object: GraphObject },
    Removed { id: String },
}

/// What follows a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PageEnd {
    /// Another page.
    More(String),
    /// All was told; changes are asked for by this link.
    Told(String),
    /// All was told, and there is nothing to go on from: a list that tells no changes.
    Listed,
}

impl GraphPage {
    /// Reads an answer.
    pub(super) fn of_answer(answer: GraphObject) -> Result<Self, SourceFailure> {
        let malformed = || {
            let message = "the source's answer is no list";
            SourceFailure::new(FailureKind::Malformed, message)
        };
        let link = |name: &str| text(&answer, name).map(str::to_owned);
        let more = link("@odata.nextLink").map(PageEnd::More);
        let end = more.or_else(|| link("@odata.deltaLink").map(PageEnd::Told));
        let end = end.unwrap_or(PageEnd::Listed);
        let Some(Value::Array(values)) = answer.get("value") else {
            return Err(malformed());
        };
        let mut objects: Vec<ListedObject> = Vec::new();
        let mut ids = BTreeSet::new();
        for value in values.iter().rev() {
            let object = value.as_object().ok_or_else(malformed)?;
            let id = text(object, "id").ok_or_else(malformed)?.to_owned();
            if !ids.insert(id.clone()) {
                continue;
            }
            objects.push(match object.contains_key("@removed") {
                true => ListedObject::Removed { id },
                false => ListedObject::There {
                    id,
                    object: object.clone(),
                },
            });
        }
        objects.reverse();
        Ok(Self { objects, end })
    }

    /// The ids that it names.
    pub(super) fn ids(&self) -> BTreeSet<String> {
        self.objects.iter().map(|one| one.id().to_owned()).collect()
    }
}

impl ListedObject {
    pub(super) fn id(&self) -> &str {
        match self {
            Self::There { id, .. } | Self::Removed { id } => id,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn page(answer: Value) -> Result<GraphPage, SourceFailure> {
        GraphPage::of_answer(answer.as_object().unwrap().clone())
    }

    #[test]
    fn what_a_page_says_last_counts() {
        let page = page(json!({
            "value": [{"id": "a", "x": 1}, {"id": "b"}, {"id": "a", "@removed": {"reason": "deleted"}}],
            "@odata.deltaLink": "l",
        }));
        let page = page.unwrap();
        let said = page.objects.iter().map(|one| match one {
            ListedObject::There { id, .. } => (id.as_str(), true),
            ListedObject::Removed { id } => (id.as_str(), false),
        });
        let said = said.collect::<Vec<_>>();
        assert_eq!(said, [("b", true), ("a", false)]);
        assert_eq!(page.end, PageEnd::Told("l".to_owned()));
    }

    #[test]
    fn what_is_no_page_is_malformed() {
        for none in [
            json!({}),
            json!({"value": {}}),
            json!({"value": [1]}),
            json!({"value": [{}]}),
        ] {
            assert_eq!(page(none).unwrap_err().kind, FailureKind::Malformed);
        }
    }
}
