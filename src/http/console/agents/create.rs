use actix_web::http::StatusCode;
use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sextant_actors::domain::{AgentKey, AgentName};
use sextant_actors::grants::Edited;
use sextant_actors::ports::GrantChange;

use super::by_name::EDIT;
use super::fresh_key::FreshKey;
use super::grant_fields::{SectorNames, ValidDays, deadline};
use super::warnings;
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::Problem;
use crate::http::request::{FromBody, OrNull};
use crate::http::schema;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/agents",
    "Make an agent, or give one another grant; its key is shown once. The answer warns of what stands out.",
    || web::to(create),
)
.takes_body(RequestBody::Required(schema::request::<NewAgent>))
.answers(&[endpoint::json(201, schema::answer::<CreatedAgent>)])
.refuses(EDIT);

/// A new grant, or a new key for the one under this name.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct NewAgent {
    #[schemars(required)]
    name: Option<SentName>,
    /// Other names of `name` (docs/operating.md#agents).
    #[schemars(skip)]
    agent: Option<SentName>,
    #[schemars(skip)]
    agent_name: Option<SentName>,
    sectors: SectorNames,
    expires_in_days: Option<OrNull<ValidDays>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(try_from = "Option<Value>")]
#[schemars(!try_from)]
struct SentName(#[schemars(with = "String", regex(pattern = "^[A-Za-z0-9._-]{1,64}$"))] AgentName);

impl TryFrom<Option<Value>> for SentName {
    type Error = String;

    fn try_from(sent: Option<Value>) -> Result<Self, String> {
        let Some(Value::String(name)) = sent else {
            return Err("send the agent's name as text".to_owned());
        };
        let name = name.parse().map_err(|fault| format!("{fault}"))?;
        Ok(Self(name))
    }
}

impl NewAgent {
    /// The name, under whichever of its fields it was sent.
    fn take_name(&mut self) -> Result<AgentName, Problem> {
        let fields = [
            ("name", self.name.take()),
            ("agent", self.agent.take()),
            ("agentName", self.agent_name.take()),
        ];
        let mut sent = fields
            .into_iter()
            .filter_map(|(field, name)| Some((field, name?)));
        match (sent.next(), sent.next()) {
            (Some((_, SentName(name))), None) => Ok(name),
            (Some(_), Some((field, _))) => {
                Err(Problem::invalid(field, "send the agent's name once"))
            }
            (None, _) => Err(Problem::invalid("name", "send the agent's name")),
        }
    }
}

async fn create(
    parts: web::Data<Parts>,
    FromBody(mut new): FromBody<NewAgent>,
) -> Result<(Json<CreatedAgent>, StatusCode), Problem> {
    let agent = new.take_name()?;
    let key = AgentKey::mint()?;
    let change = GrantChange::Create {
        key: key.digest(),
        expires_at: deadline(
            new.expires_in_days.unwrap_or(OrNull::Null),
            parts.clock.now(),
        )?,
        sectors: new.sectors.into_names(),
    };
    let edited = parts.grants.edit(agent, change).await?;
    let created = CreatedAgent {
        warnings: warn(&edited),
        key: FreshKey::of(edited, key)?,
    };
    Ok((Json(created), StatusCode::CREATED))
}

fn warn(edited: &Edited) -> Vec<String> {
    let Some(grant) = &edited.grant else {
        return Vec::new();
    };
    let replaced = edited.replaced.then(|| warnings::replaced(grant));
    replaced.into_iter().chain(warnings::of(grant)).collect()
}

/// A fresh key for a grant that was made or replaced.
#[derive(Serialize, JsonSchema)]
struct CreatedAgent {
    #[serde(flatten)]
    key: FreshKey,
    /// Sentences; empty where nothing stands out.
    warnings: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::request::read_text;

    fn parse(body: &str) -> Result<(AgentName, NewAgent), Problem> {
        let mut new: NewAgent = read_text(body)?;
        Ok((new.take_name()?, new))
    }

    #[test]
    fn the_name_is_taken_under_any_of_its_three_fields() {
        for field in ["name", "agent", "agentName"] {
            let (name, _) = parse(&format!(r#"{{"{field}":"my.laptop","sectors":[]}}"#)).unwrap();
            assert_eq!(name.as_str(), "my.laptop");
        }
        assert!(parse(r#"{"name":"a","agent":"a","sectors":[]}"#).is_err());
        for name in ["", "operator", "-", "..", "a b", "ä", "a/b"] {
            assert!(
                parse(&format!(r#"{{"name":"{name}","sectors":[]}}"#)).is_err(),
                "{name}"
            );
        }
    }

    #[test]
    fn what_is_refused_names_its_field_and_what_to_send() {
        for (body, expected) in [
            (r#"{"sectors":[]}"#, "send the agent's name"),
            (
                r#"{"agent":null,"sectors":[]}"#,
                "send the agent's name as text",
            ),
            (
                r#"{"name":"a","agent":"b","sectors":[]}"#,
                "send the agent's name once",
            ),
            (r#"{"name":"a"}"#, "send sectors as an array of strings"),
            (
                r#"{"name":"a","sectors":[],"expiresInDays":0}"#,
                "send a whole number from 1 to 3650, or null for never",
            ),
            (
                r#"{"name":"a","sectors":[],"hours":1}"#,
                "unknown field `hours`; this route takes name, sectors, expiresInDays",
            ),
        ] {
            let refusal = parse(body).unwrap_err().to_string();
            assert_eq!(refusal, format!("invalid: {expected}"), "{body}");
        }
    }

    #[test]
    fn r062_sectors_are_kept_as_sent() {
        let (_, new) = parse(r#"{"name":"a","sectors":["*","helth","mail","mail"]}"#).unwrap();
        assert_eq!(new.sectors.into_names(), ["*", "helth", "mail", "mail"]);
    }

    #[test]
    fn r063_absent_and_null_mean_never_on_post() {
        for body in [
            r#"{"name":"a","sectors":[]}"#,
            r#"{"name":"a","sectors":[],"expiresInDays":null}"#,
        ] {
            let (_, new) = parse(body).unwrap();
            let days = new.expires_in_days.and_then(OrNull::value);
            assert!(days.is_none(), "{body}");
        }
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
            assert!(
                parse(&format!(r#"{{"name":"a","sectors":[],"{field}":1}}"#)).is_err(),
                "{field}"
            );
        }
    }
}
