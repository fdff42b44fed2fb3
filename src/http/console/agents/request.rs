//! What the agents' routes are sent, read into values that cannot be wrong.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use sextant_actors::domain::AgentName;
use sextant_actors::ports::GrantChange;

use crate::http::body::Fields;
use crate::http::problem::{Code, Problem};
use crate::http::schema::{list, object, or_null, text};

/// The names that the agent's name may be sent under (docs/operating.md#agents).
const NAME_FIELDS: [&str; 3] = ["name", "agent", "agentName"];
/// The furthest deadline, in days (r063).
const EXPIRES_IN_DAYS_MAX: i64 = 3650;
/// The entry that stands for all six sectors; it enters through POST only (r078).
const ALL_SECTORS: &str = "*";

/// `POST /api/agents`: a new grant, or a new key for the one under this name.
#[derive(Debug, PartialEq, Eq)]
pub struct NewAgent {
    pub agent: AgentName,
    pub sectors: Vec<String>,
    pub expires_at: Option<DateTime<Utc>>,
}

/// What `POST /api/agents` takes; `agent` and `agentName` are accepted for `name` as well.
pub fn new_schema() -> Value {
    object([
        (
            "name",
            json!({ "type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$" }),
        ),
        ("sectors", list(text())),
        ("expiresInDays?", days_schema()),
    ])
}

/// What `PATCH /api/agents/<name>` takes: one of the two at least.
pub fn amendment_schema() -> Value {
    let mut schema = object([
        ("sectors?", list(text())),
        ("expiresInDays?", days_schema()),
    ]);
    if let Some(members) = schema.as_object_mut() {
        members.insert("minProperties".to_owned(), json!(1));
    }
    schema
}

fn days_schema() -> Value {
    or_null(json!({ "type": "integer", "minimum": 1, "maximum": EXPIRES_IN_DAYS_MAX }))
}

impl NewAgent {
    /// Reads the body; days count from `now`.
    ///
    /// # Errors
    /// The field that cannot be taken (r063, r079).
    pub fn parse(mut fields: Fields, now: DateTime<Utc>) -> Result<Self, Problem> {
        let agent = take_name(&mut fields)?;
        let sectors = fields
            .take("sectors")
            .ok_or_else(not_an_array)
            .and_then(sectors)?;
        let expires_at = deadline(fields.take("expiresInDays"), now)?.flatten();
        fields.finish(&["name", "sectors", "expiresInDays"])?;
        Ok(Self {
            agent,
            sectors,
            expires_at,
        })
    }
}

/// Reads the body of `PATCH /api/agents/<name>`: what is absent stays, a deadline of null never comes.
///
/// # Errors
/// The field that cannot be taken (r063, r078), or a body that asks for nothing.
pub fn amendment(mut fields: Fields, now: DateTime<Utc>) -> Result<GrantChange, Problem> {
    let sectors = fields.take("sectors").map(sectors).transpose()?;
    let expires_at = deadline(fields.take("expiresInDays"), now)?;
    fields.finish(&["sectors", "expiresInDays"])?;
    if sectors.iter().flatten().any(|name| name == ALL_SECTORS) {
        return Err(Problem::invalid(
            "sectors",
            "`*` is taken by POST /api/agents only; name the sectors",
        ));
    }
    if sectors.is_none() && expires_at.is_none() {
        return Err(Problem::new(
            Code::Invalid,
            "send sectors, expiresInDays, or both",
        ));
    }
    Ok(GrantChange::Amend {
        sectors,
        expires_at,
    })
}

fn take_name(fields: &mut Fields) -> Result<AgentName, Problem> {
    let mut sent = NAME_FIELDS
        .into_iter()
        .filter_map(|field| fields.take(field).map(|value| (field, value)));
    match (sent.next(), sent.next()) {
        (Some((field, Value::String(name))), None) => name
            .parse()
            .map_err(|fault| Problem::invalid(field, format!("{fault}"))),
        (Some((field, _)), None) => Err(Problem::invalid(field, "send the agent's name as text")),
        (Some(_), Some((field, _))) => Err(Problem::invalid(field, "send the agent's name once")),
        (None, _) => Err(Problem::invalid("name", "send the agent's name")),
    }
}

fn not_an_array() -> Problem {
    Problem::invalid("sectors", "send sectors as an array of strings")
}

/// Any strings are taken as sent (r062); PostgreSQL alone cannot store U+0000.
fn sectors(value: Value) -> Result<Vec<String>, Problem> {
    let Value::Array(entries) = value else {
        return Err(not_an_array());
    };
    entries
        .into_iter()
        .map(|entry| match entry {
            Value::String(name) if !name.contains('\0') => Ok(name),
            _ => Err(not_an_array()),
        })
        .collect()
}

/// Absent: `None`. Null: a deadline that never comes. Anything but 1 to 3650 whole days is refused.
fn deadline(
    days: Option<Value>,
    now: DateTime<Utc>,
) -> Result<Option<Option<DateTime<Utc>>>, Problem> {
    match days {
        None => Ok(None),
        Some(Value::Null) => Ok(Some(None)),
        Some(value) => value
            .as_i64()
            .filter(|days| (1..=EXPIRES_IN_DAYS_MAX).contains(days))
            .and_then(TimeDelta::try_days)
            .and_then(|days| now.checked_add_signed(days))
            .map(|deadline| Some(Some(deadline)))
            .ok_or_else(|| {
                Problem::invalid(
                    "expiresInDays",
                    format!(
                        "send a whole number from 1 to {EXPIRES_IN_DAYS_MAX}, or null for never"
                    ),
                )
            }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> DateTime<Utc> {
        DateTime::UNIX_EPOCH
    }

    fn created(body: &str) -> Result<NewAgent, Problem> {
        NewAgent::parse(Fields::parse(body.as_bytes()).unwrap(), now())
    }

    fn amended(body: &str) -> Result<GrantChange, Problem> {
        amendment(Fields::parse(body.as_bytes()).unwrap(), now())
    }

    #[test]
    fn the_name_is_taken_under_any_of_its_three_fields() {
        for field in NAME_FIELDS {
            let agent = created(&format!(r#"{{"{field}":"my.laptop","sectors":[]}}"#)).unwrap();
            assert_eq!(agent.agent.as_str(), "my.laptop");
        }
        assert!(created(r#"{"name":"a","agent":"a","sectors":[]}"#).is_err());
        for name in ["", "operator", "-", "..", "a b", "ä", "a/b"] {
            assert!(
                created(&format!(r#"{{"name":"{name}","sectors":[]}}"#)).is_err(),
                "{name}"
            );
        }
    }

    #[test]
    fn r062_sectors_are_kept_as_sent() {
        let agent = created(r#"{"name":"a","sectors":["*","helth","mail","mail"]}"#).unwrap();
        assert_eq!(agent.sectors, ["*", "helth", "mail", "mail"]);
    }

    #[test]
    fn r079_sectors_are_an_array_of_strings() {
        for sectors in [
            "null",
            "\"mail\"",
            "{}",
            "[1]",
            "[\"mail\",null]",
            "[[\"mail\"]]",
            "[\"a\\u0000\"]",
        ] {
            assert!(
                created(&format!(r#"{{"name":"a","sectors":{sectors}}}"#)).is_err(),
                "{sectors}"
            );
            assert!(
                amended(&format!(r#"{{"sectors":{sectors}}}"#)).is_err(),
                "{sectors}"
            );
        }
        assert!(created(r#"{"name":"a"}"#).is_err());
    }

    #[test]
    fn r063_days_are_whole_from_1_to_3650() {
        for days in ["1", "90", "3650"] {
            assert!(
                created(&format!(
                    r#"{{"name":"a","sectors":[],"expiresInDays":{days}}}"#
                ))
                .is_ok()
            );
        }
        for days in [
            "0",
            "-1",
            "3651",
            "1.5",
            "\"90\"",
            "true",
            "[]",
            "1e2",
            "99999999999999999999",
        ] {
            let body = format!(r#"{{"name":"a","sectors":[],"expiresInDays":{days}}}"#);
            assert!(created(&body).is_err(), "{days}");
            assert!(
                amended(&format!(r#"{{"expiresInDays":{days}}}"#)).is_err(),
                "{days}"
            );
        }
    }

    #[test]
    fn r063_absent_and_null_mean_never_on_post() {
        for body in [
            r#"{"name":"a","sectors":[]}"#,
            r#"{"name":"a","sectors":[],"expiresInDays":null}"#,
        ] {
            assert_eq!(created(body).unwrap().expires_at, None);
        }
    }

    #[test]
    fn r063_absent_stays_and_null_means_never_on_patch() {
        let change = |sectors, expires_at| {
            Ok(GrantChange::Amend {
                sectors,
                expires_at,
            })
        };
        assert_eq!(amended(r#"{"sectors":[]}"#), change(Some(Vec::new()), None));
        assert_eq!(
            amended(r#"{"expiresInDays":null}"#),
            change(None, Some(None))
        );
        let day = now() + TimeDelta::days(1);
        assert_eq!(
            amended(r#"{"expiresInDays":1}"#),
            change(None, Some(Some(day)))
        );
        assert!(amended("{}").is_err());
    }

    #[test]
    fn r078_a_star_is_refused_on_patch() {
        assert!(amended(r#"{"sectors":["*"]}"#).is_err());
        assert!(amended(r#"{"sectors":["mail","*"]}"#).is_err());
    }

    #[test]
    fn r075_nothing_narrower_than_a_sector_can_be_said() {
        for field in [
            "connectionId",
            "readOnly",
            "rateLimit",
            "requireApproval",
            "fields",
            "hours",
            "budget",
        ] {
            assert!(created(&format!(r#"{{"name":"a","sectors":[],"{field}":1}}"#)).is_err());
            assert!(amended(&format!(r#"{{"sectors":[],"{field}":1}}"#)).is_err());
        }
    }
}
