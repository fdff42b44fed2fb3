//! Method, tool and id of a refused body, read without building its values: it may nest to any depth and hold invalid surrogates.

use std::fmt;

use rmcp::model::RequestId;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::http::mcp::protocol::TOOLS_CALL;

/// What a message is, by its `method`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum MessageKind {
    #[default]
    Unstated,
    Call,
    Other,
}

impl MessageKind {
    /// A call among others is a call.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (MessageKind::Call, _) | (_, MessageKind::Call) => MessageKind::Call,
            (MessageKind::Unstated, other) => other,
            (MessageKind::Other, _) => MessageKind::Other,
        }
    }
}

/// The tool's name, which may occur more than once, and not always the same.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum ToolName {
    #[default]
    Unstated,
    One(String),
    Ambiguous,
}

impl ToolName {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (ToolName::Unstated, word) | (word, ToolName::Unstated) => word,
            (ToolName::One(one), ToolName::One(other)) if one == other => ToolName::One(one),
            _ => ToolName::Ambiguous,
        }
    }
}

/// What was found in a body.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct BodyScan {
    /// Whether it is a call.
    pub kind: MessageKind,
    /// The tool's name, as it stands there.
    pub tool: ToolName,
    /// The id of the request, as text.
    pub id: Option<String>,
}

impl BodyScan {
    /// Scans a whole body; `None` if it is not JSON.
    pub(super) fn of_body(body: &str) -> Option<Self> {
        serde_json::from_str::<IgnoredAny>(body).ok()?;
        Some(match body.trim_start().as_bytes().first() {
            Some(b'{') => Self::of_message(body),
            Some(b'[') => Self::of_batch(body),
            _ => Self::default(),
        })
    }

    fn of_message(message: &str) -> Self {
        let mut scan = Self::default();
        let mut ids = Vec::new();
        for (name, value) in members(message) {
            match name {
                "method" => scan.kind = scan.kind.and(kind(value)),
                // A response of the client.
                "result" | "error" => scan.kind = scan.kind.and(MessageKind::Other),
                "params" => scan.tool = scan.tool.and(tool(value)),
                "id" => ids.push(value),
                _ => {}
            }
        }
        if let [id] = ids.as_slice() {
            scan.id = serde_json::from_str::<RequestId>(id)
                .ok()
                .map(|id| id.to_string());
        }
        scan
    }

    /// A batch leaves one audit row, without an id, which would be that of one call only.
    fn of_batch(batch: &str) -> Self {
        let scan = serde_json::Deserializer::from_str(batch).deserialize_seq(BatchVisitor);
        scan.unwrap_or_default()
    }

    fn and(self, next: Self) -> Self {
        Self {
            kind: self.kind.and(next.kind),
            tool: match next.kind {
                MessageKind::Call => self.tool.and(next.tool),
                MessageKind::Unstated | MessageKind::Other => self.tool,
            },
            id: None,
        }
    }
}

fn kind(method: &str) -> MessageKind {
    match serde_json::from_str::<String>(method) {
        Ok(method) if method == TOOLS_CALL => MessageKind::Call,
        Ok(_) => MessageKind::Other,
        Err(_) => MessageKind::Unstated,
    }
}

fn tool(params: &str) -> ToolName {
    members(params)
        .into_iter()
        .filter(|(name, _)| *name == "name")
        .map(|(_, value)| serde_json::from_str(value).map_or(ToolName::Ambiguous, ToolName::One))
        .fold(ToolName::Unstated, ToolName::and)
}

/// The members of an object that [`MemberName::READ`] lists, each as often as it occurs; the others are skipped unread, at any
/// depth. Empty if it is not an object: the caller has checked that it is JSON.
fn members(object: &str) -> Vec<(&'static str, &str)> {
    let read = serde_json::Deserializer::from_str(object).deserialize_map(MembersVisitor);
    read.unwrap_or_default()
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Vec<(&'static str, &'de str)>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some(MemberName(name)) = map.next_key()? {
            match name {
                Some(name) => found.push((name, map.next_value::<&RawValue>()?.get())),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(found)
    }
}

/// A member's name, if it is one that is read. Taken as bytes, since a lone surrogate is no text.
struct MemberName(Option<&'static str>);

impl MemberName {
    const READ: [&str; 6] = ["method", "params", "id", "result", "error", "name"];
}

impl<'de> Deserialize<'de> for MemberName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(MemberNameVisitor)
    }
}

struct MemberNameVisitor;

impl Visitor<'_> for MemberNameVisitor {
    type Value = MemberName;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a name")
    }

    fn visit_bytes<E>(self, name: &[u8]) -> Result<MemberName, E> {
        let mut names = MemberName::READ.into_iter();
        Ok(MemberName(
            names.find(|name_read| name_read.as_bytes() == name),
        ))
    }
}

struct BatchVisitor;

impl<'de> Visitor<'de> for BatchVisitor {
    type Value = BodyScan;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut messages: A) -> Result<BodyScan, A::Error> {
        let mut scan = BodyScan::default();
        while let Some(message) = messages.next_element::<&RawValue>()? {
            scan = scan.and(BodyScan::of_message(message.get()));
        }
        Ok(scan)
    }
}
