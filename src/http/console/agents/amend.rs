use actix_web::web::{self, Json};
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sextant_actors::ports::GrantChange;

use super::agent_view::{AgentView, LastCalls};
use super::by_name::{EDIT, name_in_path, not_found};
use super::grant_fields::{SectorNames, ValidDays, deadline};
use super::warnings;
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, OrNull};
use crate::http::schema;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Patch,
    "/api/agents/{name}",
    "Edit an agent's sectors and deadline; its live sessions end. The answer warns of what stands out.",
    || web::to(amend),
)
.takes_body(RequestBody::Required(schema::request::<Amendment>))
.answers(&[endpoint::json(200, schema::answer::<AmendedAgent>)])
.refuses(EDIT);

/// What is absent stays; a deadline of null never comes. One of the two at least.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("minProperties" = 1))]
struct Amendment {
    sectors: Option<SectorNames>,
    expires_in_days: Option<OrNull<ValidDays>>,
}

impl Amendment {
    /// The edit of the grant; days count from `now`.
    ///
    /// # Errors
    /// All sectors at once, which POST alone takes (r078), or a body that asks for nothing.
    fn change(self, now: DateTime<Utc>) -> Result<GrantChange, Problem> {
        if self.sectors.as_ref().is_some_and(SectorNames::have_all) {
            return Err(Problem::invalid(
                "sectors",
                "`*` is taken by POST /api/agents only; name the sectors",
            ));
        }
        if self.sectors.is_none() && self.expires_in_days.is_none() {
            return Err(Problem::new(
                Code::Invalid,
                "send sectors, expiresInDays, or both",
            ));
        }
        let expires_at = self.expires_in_days.map(|days| deadline(days, now));
        Ok(GrantChange::Amend {
            sectors: self.sectors.map(SectorNames::into_names),
            expires_at: expires_at.transpose()?,
        })
    }
}

async fn amend(
    parts: web::Data<Parts>,
    name: web::Path<String>,
    FromBody(amendment): FromBody<Amendment>,
) -> Result<Json<AmendedAgent>, Problem> {
    let change = amendment.change(parts.clock.now())?;
    let agent = name_in_path(&name)?;
    // Read before the edit: a failure of it may not hide an edit that was made.
    let last_calls = LastCalls::read(&parts, std::slice::from_ref(&agent)).await?;
    let edited = parts.grants.edit(agent, change).await?;
    let grant = edited.grant.ok_or_else(not_found)?;
    let activity = last_calls.with_live_sessions(&parts).await;
    Ok(Json(AmendedAgent {
        warnings: warnings::of(&grant),
        agent: activity.view(grant, parts.clock.now()),
        sessions_ended: edited.sessions_ended,
    }))
}

/// An agent after an edit, and what the edit ended.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AmendedAgent {
    #[serde(flatten)]
    agent: AgentView,
    sessions_ended: usize,
    /// Sentences; empty where nothing stands out.
    warnings: Vec<String>,
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;
    use crate::http::request::read_text;

    fn now() -> DateTime<Utc> {
        DateTime::UNIX_EPOCH
    }

    fn amended(body: &str) -> Result<GrantChange, Problem> {
        read_text::<Amendment>(body)?.change(now())
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
        assert!(amended(r#"{"sectors":null,"expiresInDays":1}"#).is_err());
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
            assert!(
                amended(&format!(r#"{{"sectors":[],"{field}":1}}"#)).is_err(),
                "{field}"
            );
        }
    }
}
