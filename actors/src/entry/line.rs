//! One entry as the journal writes it: compact JSON.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::{AuditEntry, SafeArgs};
use crate::domain::{CleanText, Decision, Outcome, Sector};

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
    #[serde(rename = "p", default, skip_serializing, deserialize_with = "present")]
    args: Option<Value>,
    #[serde(rename = "n", default, skip_serializing_if = "Option::is_none")]
    count: Option<i32>,
    #[serde(rename = "o", default, skip_serializing_if = "Option::is_none")]
    worked: Option<bool>,
    #[serde(rename = "r", default, skip_serializing_if = "Option::is_none")]
    request: Option<Cow<'a, str>>,
}

/// Arguments that are `null` are arguments; only a missing field is none.
fn present<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(reader).map(Some)
}

/// Appends the bytes of an entry to `line`; `None` when it cannot be written down.
pub(crate) fn encode(entry: &AuditEntry, line: &mut Vec<u8>) -> Option<()> {
    let denied = match &entry.decision {
        Decision::Allow => None,
        Decision::Deny(reason) => Some(reason),
    };
    let fields = EntryLine {
        user: entry.user_id,
        agent: entry.agent_id.as_deref().map(Cow::Borrowed),
        tool: Cow::Borrowed(&entry.tool),
        sector: entry.sector,
        denied: denied.map(|reason| Cow::Borrowed(&**reason)),
        args: None,
        count: entry.result_count,
        worked: entry.outcome.map(|outcome| outcome == Outcome::Ok),
        request: entry.request_id.as_deref().map(Cow::Borrowed),
    };
    serde_json::to_writer(&mut *line, &fields).ok()?;
    if let Some(args) = &entry.args {
        // The last field, for it is JSON already.
        line.pop_if(|last| *last == b'}')?;
        line.extend(br#","p":"#);
        line.extend(args.as_str().as_bytes());
        line.push(b'}');
    }
    Some(())
}

/// The entry of these bytes, made safe anew; none if they are not what [`encode`] writes.
pub(crate) fn decode(bytes: &[u8]) -> Option<AuditEntry> {
    let line: EntryLine<'_> = serde_json::from_slice(bytes).ok()?;
    let outcome = |worked| match worked {
        true => Outcome::Ok,
        false => Outcome::Error,
    };
    let text = |text: Cow<'_, str>| CleanText::of(&text);
    Some(AuditEntry {
        user_id: line.user,
        agent_id: line.agent.map(text),
        tool: text(line.tool),
        sector: line.sector,
        decision: line
            .denied
            .map_or(Decision::Allow, |reason| Decision::Deny(text(reason))),
        args: line.args.as_ref().map(SafeArgs::of),
        result_count: line.count,
        outcome: line.worked.map(outcome),
        request_id: line.request.map(text),
    })
}
