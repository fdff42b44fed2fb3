//! Which rows of the audit log are asked for.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::http::problem::Problem;
use crate::store::audit_read::{AuditFilter, Position};

/// The value of `agent` that stands for null; no agent may have this name.
const NO_AGENT: &str = "-";

/// A filter, as it is sent.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct RowFilter {
    /// Rows of this agent; `-` for rows of none.
    agent: Option<StoredText>,
    /// Rows of this verb.
    tool: Option<StoredText>,
    /// Rows of this sector.
    sector: Option<StoredText>,
    /// Let through or refused.
    decision: Option<DecisionWord>,
    /// What the work reported.
    outcome: Option<OutcomeWord>,
    /// Decision and outcome in one word.
    result: Option<ResultWord>,
    /// Rows from this time on.
    from: Option<TimeBound>,
    /// Rows before this time.
    to: Option<TimeBound>,
    /// Rows that hold this text.
    q: Option<StoredText>,
}

/// The decision on a call, as the row has it.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum DecisionWord {
    Allow,
    Deny,
}

/// The outcome of a call, as the row has it.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum OutcomeWord {
    Ok,
    Error,
}

/// One of three results (r029).
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ResultWord {
    Allowed,
    Denied,
    Errored,
}

impl ResultWord {
    const fn classes(self) -> (DecisionWord, Option<OutcomeWord>) {
        match self {
            Self::Allowed => (DecisionWord::Allow, Some(OutcomeWord::Ok)),
            Self::Errored => (DecisionWord::Allow, Some(OutcomeWord::Error)),
            Self::Denied => (DecisionWord::Deny, None),
        }
    }
}

impl DecisionWord {
    const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
        }
    }
}

impl OutcomeWord {
    const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
        }
    }
}

/// A text that a row can hold. PostgreSQL has none with U+0000, so that no row can match it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
struct StoredText(String);

impl TryFrom<String> for StoredText {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        if text.contains('\0') {
            return Err("U+0000 is in no text of the record");
        }
        Ok(Self(text))
    }
}

/// A time within the range of rows.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "Option<Value>")]
#[schemars(!try_from)]
struct TimeBound(DateTime<Utc>);

impl TryFrom<Option<Value>> for TimeBound {
    type Error = &'static str;

    fn try_from(sent: Option<Value>) -> Result<Self, &'static str> {
        let within = Position::oldest().created_at..=Position::newest().created_at;
        let text = sent.as_ref().and_then(Value::as_str).unwrap_or_default();
        DateTime::parse_from_rfc3339(text)
            .ok()
            .map(|stamp| stamp.to_utc())
            .filter(|stamp| within.contains(stamp))
            .map(Self)
            .ok_or("send a time as RFC 3339, such as 2026-01-31T00:00:00Z")
    }
}

impl RowFilter {
    /// The filter of the rows.
    ///
    /// # Errors
    /// When `result` is asked for beside what it stands for.
    pub(super) fn parse(self) -> Result<AuditFilter, Problem> {
        let (decision, outcome) = self.classes()?;
        let agent = self.agent.map(|StoredText(name)| name);
        let without_agent = agent.as_deref() == Some(NO_AGENT);
        Ok(AuditFilter {
            agent: agent.filter(|_| !without_agent),
            without_agent,
            tool: self.tool.map(|StoredText(verb)| verb),
            sector: self.sector.map(|StoredText(sector)| sector),
            decision: decision.map(DecisionWord::name),
            outcome: outcome.map(OutcomeWord::name),
            text: self.q.map(|StoredText(text)| text.to_lowercase()),
            from: self.from.map(|TimeBound(time)| time),
            to: self.to.map(|TimeBound(time)| time),
        })
    }

    fn classes(&self) -> Result<(Option<DecisionWord>, Option<OutcomeWord>), Problem> {
        match (self.result, self.decision, self.outcome) {
            (None, decision, outcome) => Ok((decision, outcome)),
            (Some(result), None, None) => {
                let (decision, outcome) = result.classes();
                Ok((Some(decision), outcome))
            }
            (Some(_), _, _) => Err(Problem::invalid(
                "result",
                "send result, or decision and outcome, not both",
            )),
        }
    }
}
