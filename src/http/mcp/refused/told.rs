//! What a body says of itself, read without building any of it: however deep it nests and whatever half a character it holds.

use std::fmt;

use rmcp::model::RequestId;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::http::mcp::protocol::TOOLS_CALL;

/// What a message says that it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Untold,
    Call,
    Other,
}

impl Kind {
    /// A call among others is a call.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Kind::Call, _) | (_, Kind::Call) => Kind::Call,
            (Kind::Untold, other) => other,
            (Kind::Other, _) => Kind::Other,
        }
    }
}

/// A word that may have been said more than once, and not always the same.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum Word {
    #[default]
    Untold,
    Is(String),
    Several,
}

impl Word {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Word::Untold, word) | (word, Word::Untold) => word,
            (Word::Is(one), Word::Is(other)) if one == other => Word::Is(one),
            _ => Word::Several,
        }
    }
}

/// What a body says of itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ToldCall {
    /// Whether it is a call.
    pub kind: Kind,
    /// The tool's name, as it stands there.
    pub tool: Word,
    /// The id of the request, as text.
    pub id: Option<String>,
}

impl ToldCall {
    /// What a whole body says; `None` if it is no JSON.
    pub(super) fn by(body: &str) -> Option<Self> {
        serde_json::from_str::<IgnoredAny>(body).ok()?;
        Some(match body.trim_start().as_bytes().first() {
            Some(b'{') => Self::by_message(body),
            Some(b'[') => Self::by_batch(body),
            _ => Self::default(),
        })
    }

    fn by_message(message: &str) -> Self {
        let mut told = Self::default();
        let mut ids = Vec::new();
        for (name, value) in members(message) {
            match name {
                "method" => told.kind = told.kind.and(kind(value)),
                // An answer to us.
                "result" | "error" => told.kind = told.kind.and(Kind::Other),
                "params" => told.tool = told.tool.and(tool(value)),
                "id" => ids.push(value),
                _ => {}
            }
        }
        if let [id] = ids.as_slice() {
            told.id = serde_json::from_str::<RequestId>(id)
                .ok()
                .map(|id| id.to_string());
        }
        told
    }

    /// However many calls it holds, it leaves one row; an id would be one of them only.
    fn by_batch(batch: &str) -> Self {
        let told = serde_json::Deserializer::from_str(batch).deserialize_seq(Messages);
        told.unwrap_or_default()
    }

    fn and(self, next: Self) -> Self {
        Self {
            kind: self.kind.and(next.kind),
            tool: match next.kind {
                Kind::Call => self.tool.and(next.tool),
                Kind::Untold | Kind::Other => self.tool,
            },
            id: None,
        }
    }
}

fn kind(method: &str) -> Kind {
    match serde_json::from_str::<String>(method) {
        Ok(method) if method == TOOLS_CALL => Kind::Call,
        Ok(_) => Kind::Other,
        Err(_) => Kind::Untold,
    }
}

fn tool(params: &str) -> Word {
    members(params)
        .into_iter()
        .filter(|(name, _)| *name == "name")
        .map(|(_, value)| serde_json::from_str(value).map_or(Word::Several, Word::Is))
        .fold(Word::Untold, Word::and)
}

/// The members of an object that tell something, each as often as it stands there; the others are passed over unread, however
/// deep they are. Nothing, of what is no object.
fn members(object: &str) -> Vec<(&'static str, &str)> {
    let read = serde_json::Deserializer::from_str(object).deserialize_map(Members);
    read.unwrap_or_default()
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<(&'static str, &'de str)>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some(Name(name)) = map.next_key()? {
            match name {
                Some(name) => found.push((name, map.next_value::<&RawValue>()?.get())),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(found)
    }
}

/// A member's name, if it is one that tells something. Read as bytes, since half a surrogate pair is no text.
struct Name(Option<&'static str>);

impl Name {
    const TELLING: [&str; 6] = ["method", "params", "id", "result", "error", "name"];
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(NameRead)
    }
}

struct NameRead;

impl Visitor<'_> for NameRead {
    type Value = Name;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a name")
    }

    fn visit_bytes<E>(self, name: &[u8]) -> Result<Name, E> {
        let mut telling = Name::TELLING.into_iter();
        Ok(Name(telling.find(|word| word.as_bytes() == name)))
    }
}

struct Messages;

impl<'de> Visitor<'de> for Messages {
    type Value = ToldCall;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut messages: A) -> Result<ToldCall, A::Error> {
        let mut told = ToldCall::default();
        while let Some(message) = messages.next_element::<&RawValue>()? {
            told = told.and(ToldCall::by_message(message.get()));
        }
        Ok(told)
    }
}
