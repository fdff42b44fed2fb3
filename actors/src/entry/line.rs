//! One entry as the journal writes it: compact JSON, of what was made safe to store already.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::AuditEntry;
use crate::domain::{Decision, Outcome, Sector};

/// The names are short because every call writes them; what is absent is not written.
#[derive(Serialize, Deserialize)]
struct EntryLine<'a> {
    #[serde(rename = "u", default, skip_serializing_if = "Option::is_none")]
    user: Option<Uuid>,
    #[serde(rename = "a", default, skip_serializing_if = "Option::is_none")]
    agent: Option<Cow<'a, str>>,
    #[serde(rename = "t")]
    tool: Cow<'a, str>,
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    sector: Option<Sector>,
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
    denied: Option<Cow<'a, str>>,
    #[serde(
        rename = "p",
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    args: Option<Cow<'a, Value>>,
    #[serde(rename = "n", default, skip_serializing_if = "Option::is_none")]
    count: Option<i32>,
    #[serde(rename = "o", default, skip_serializing_if = "Option::is_none")]
    worked: Option<bool>,
    #[serde(rename = "r", default, skip_serializing_if = "Option::is_none")]
    request: Option<Cow<'a, str>>,
}

/// Arguments that are `null` are arguments; only a missing field is none.
fn present<'de, 'a, D: Deserializer<'de>>(reader: D) -> Result<Option<Cow<'a, Value>>, D::Error> {
    Value::deserialize(reader).map(|value| Some(Cow::Owned(value)))
}

/// Appends the bytes of an entry to `line`; `None` when it cannot be written down.
pub(crate) fn encode(entry: &AuditEntry, line: &mut Vec<u8>) -> Option<()> {
    let denied = match &entry.decision {
        Decision::Allow => None,
        Decision::Deny(reason) => Some(Cow::Borrowed(reason.as_str())),
    };
    let fields = EntryLine {
        user: entry.user_id,
        agent: entry.agent_id.as_deref().map(Cow::Borrowed),
        tool: Cow::Borrowed(&entry.tool),
        sector: entry.sector,
        denied,
        args: entry.args.as_ref().map(Cow::Borrowed),
        count: entry.result_count,
        worked: entry.outcome.map(|outcome| outcome == Outcome::Ok),
        request: entry.request_id.as_deref().map(Cow::Borrowed),
    };
    serde_json::to_writer(line, &fields).ok()
}

/// The entry of these bytes; none if they are not what [`encode`] writes.
pub(crate) fn decode(bytes: &[u8]) -> Option<AuditEntry> {
    let line: EntryLine<'_> = serde_json::from_slice(bytes).ok()?;
    let outcome = |worked| match worked {
        true => Outcome::Ok,
        false => Outcome::Error,
    };
    Some(AuditEntry {
        user_id: line.user,
        agent_id: line.agent.map(Cow::into_owned),
        tool: line.tool.into_owned(),
        sector: line.sector,
        decision: line.denied.map_or(Decision::Allow, |reason| {
            Decision::Deny(reason.into_owned())
        }),
        args: line.args.map(Cow::into_owned),
        result_count: line.count,
        outcome: line.worked.map(outcome),
        request_id: line.request.map(Cow::into_owned),
    })
}
