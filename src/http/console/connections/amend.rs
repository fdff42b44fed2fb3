use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::act::AuditedAct;
use super::by_id::{STORED, id_in_path, not_found};
use super::connection_view::ConnectionView;
use super::publish::publish_if_changed;
use crate::http::console::providers::interval_minutes_min;
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{FromBody, OrNull};
use crate::http::schema;
use crate::providers::PUSH;
use crate::store::connections::{self, Connection, PlanChange};

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Patch,
    "/api/connections/{id}",
    "Set how often a connection reads its source, and how far back.",
    || web::to(amend),
)
.takes_body(RequestBody::Required(schema::request::<PlanEdit>))
.answers(&[endpoint::json(200, schema::answer::<ConnectionView>)])
.refuses(STORED);

const SECONDS_PER_MINUTE: i32 = 60;
/// The shortest and the longest time between two rounds, in minutes.
const INTERVAL_MINUTES_MIN: i32 = 5;
const INTERVAL_MINUTES_MAX: i32 = 24 * 60;
/// The furthest that a window reaches back, in days.
const WINDOW_DAYS_MAX: i32 = 3650;

/// What is absent stays; a window of null has no end. One of the two at least.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("minProperties" = 1))]
struct PlanEdit {
    sync_interval_minutes: Option<IntervalMinutes>,
    sync_window_days: Option<OrNull<WindowDays>>,
}

/// The time between two rounds.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "Option<Value>")]
#[schemars(!try_from)]
struct IntervalMinutes(
    #[schemars(range(min = INTERVAL_MINUTES_MIN, max = INTERVAL_MINUTES_MAX))] i32,
);

impl TryFrom<Option<Value>> for IntervalMinutes {
    type Error = String;

    fn try_from(sent: Option<Value>) -> Result<Self, String> {
        whole_between(sent.as_ref(), INTERVAL_MINUTES_MIN, INTERVAL_MINUTES_MAX)
            .map(Self)
            .ok_or_else(|| {
                format!("send a whole number from {INTERVAL_MINUTES_MIN} to {INTERVAL_MINUTES_MAX}")
            })
    }
}

/// How many days back are read.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "Option<Value>")]
#[schemars(!try_from)]
struct WindowDays(#[schemars(range(min = 1, max = WINDOW_DAYS_MAX))] i32);

impl TryFrom<Option<Value>> for WindowDays {
    type Error = String;

    fn try_from(sent: Option<Value>) -> Result<Self, String> {
        whole_between(sent.as_ref(), 1, WINDOW_DAYS_MAX)
            .map(Self)
            .ok_or_else(|| {
                format!("send a whole number from 1 to {WINDOW_DAYS_MAX}, or null for everything")
            })
    }
}

fn whole_between(sent: Option<&Value>, min: i32, max: i32) -> Option<i32> {
    let whole = sent.and_then(Value::as_i64)?;
    i32::try_from(whole)
        .ok()
        .filter(|whole| (min..=max).contains(whole))
}

impl PlanEdit {
    /// # Errors
    /// When it asks for nothing.
    fn check(&self) -> Result<(), Problem> {
        if self.sync_interval_minutes.is_none() && self.sync_window_days.is_none() {
            return Err(Problem::new(
                Code::Invalid,
                "send syncIntervalMinutes, syncWindowDays, or both",
            ));
        }
        Ok(())
    }

    /// The field that what pushes do not have is refused at.
    fn first_field(&self) -> &'static str {
        match self.sync_interval_minutes {
            Some(_) => "syncIntervalMinutes",
            None => "syncWindowDays",
        }
    }

    fn change(self) -> PlanChange {
        let minutes = self.sync_interval_minutes;
        let days = self.sync_window_days;
        PlanChange {
            interval_s: minutes.map(|IntervalMinutes(minutes)| minutes * SECONDS_PER_MINUTE),
            window_days: days.map(|days| days.value().map(|WindowDays(days)| days)),
        }
    }
}

async fn amend(
    parts: web::Data<Parts>,
    id: web::Path<String>,
    FromBody(edit): FromBody<PlanEdit>,
) -> Result<Json<ConnectionView>, Problem> {
    edit.check()?;
    let id = id_in_path(&id)?;
    let found = connections::read(&parts.pool, id).await?;
    if let Some(connection) = &found {
        refuse(&parts, connection, &edit)?;
    }
    to_the_end(async move {
        let connection = match edit.sync_interval_minutes {
            Some(IntervalMinutes(minutes)) => set_interval(&parts, id, edit, minutes).await?,
            None => set_window(&parts, id, edit).await?,
        };
        Ok(Json(ConnectionView::of(connection, parts.clock.now())))
    })
    .await
}

/// # Errors
/// When devices push to the connection: they decide when, and what. When its source does not want to be asked so often.
fn refuse(parts: &Parts, connection: &Connection, edit: &PlanEdit) -> Result<(), Problem> {
    if connection.provider == PUSH {
        return Err(Problem::invalid(
            edit.first_field(),
            "this connection takes pushes: the device that pushes decides when and how far back, so it has no interval and no window",
        ));
    }
    let provider = parts.sign_ins.providers.get(&connection.provider);
    let least = provider.map_or(INTERVAL_MINUTES_MIN, interval_minutes_min);
    match edit.sync_interval_minutes {
        Some(IntervalMinutes(minutes)) if minutes < least => {
            let message = format!("this source is read every {least} minutes at the most often");
            Err(Problem::invalid("syncIntervalMinutes", message))
        }
        _ => Ok(()),
    }
}

/// Another interval leaves a row (r039), also when a window comes with it.
async fn set_interval(
    parts: &Parts,
    id: Uuid,
    edit: PlanEdit,
    minutes: i32,
) -> Result<Connection, Problem> {
    let args = json!({ "connectionId": id, "minutes": minutes });
    let act = AuditedAct::begin(parts, "set_sync_interval", id, args);
    let done = connections::amend(&parts.pool, id, edit.change()).await;
    act.settle(parts, done).await
}

/// A window leaves none (r041).
async fn set_window(parts: &Parts, id: Uuid, edit: PlanEdit) -> Result<Connection, Problem> {
    let done = connections::amend(&parts.pool, id, edit.change()).await;
    publish_if_changed(parts, id, &done).await;
    done?.ok_or_else(not_found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::request::read_text;

    fn changed(body: &str) -> Result<PlanChange, Problem> {
        let edit = read_text::<PlanEdit>(body)?;
        edit.check().map(|()| edit.change())
    }

    #[test]
    fn absent_stays_and_a_window_of_null_has_no_end() {
        let change = |interval_s, window_days| PlanChange {
            interval_s,
            window_days,
        };
        for (body, expected) in [
            (r#"{"syncIntervalMinutes":5}"#, change(Some(300), None)),
            (
                r#"{"syncIntervalMinutes":1440}"#,
                change(Some(86_400), None),
            ),
            (r#"{"syncWindowDays":null}"#, change(None, Some(None))),
            (
                r#"{"syncIntervalMinutes":15,"syncWindowDays":3650}"#,
                change(Some(900), Some(Some(3650))),
            ),
        ] {
            assert_eq!(changed(body).unwrap(), expected, "{body}");
        }
    }

    #[test]
    fn what_is_refused_says_what_to_send() {
        let minutes = "send a whole number from 5 to 1440";
        let days = "send a whole number from 1 to 3650, or null for everything";
        for (body, expected) in [
            ("{}", "send syncIntervalMinutes, syncWindowDays, or both"),
            (r#"{"syncIntervalMinutes":4}"#, minutes),
            (r#"{"syncIntervalMinutes":1441}"#, minutes),
            (r#"{"syncIntervalMinutes":7.5}"#, minutes),
            (r#"{"syncIntervalMinutes":null}"#, minutes),
            (r#"{"syncIntervalMinutes":"15"}"#, minutes),
            (r#"{"syncWindowDays":0}"#, days),
            (r#"{"syncWindowDays":3651}"#, days),
            (r#"{"syncWindowDays":4294967297}"#, days),
        ] {
            let refusal = changed(body).unwrap_err().to_string();
            assert_eq!(refusal, format!("invalid: {expected}"), "{body}");
        }
    }
}
