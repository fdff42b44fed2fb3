//! Calls over time, for plots of the service and of an agent: read from the hourly counts of the audit log.

mod series;

use actix_web::web::{self, Json};
use chrono::{DateTime, TimeDelta, Utc};
use schemars::JsonSchema;
use serde::Deserialize;

use self::series::Series;
use super::Parts;
use crate::db::StoreError;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{self, FromQuery};
use crate::http::schema;
use crate::store::audit_hourly::{self, HourRange};

const HOURS_PER_DAY: i64 = 24;
/// The furthest back a plot goes: ten years, in hours.
const WINDOW_HOURS_MAX: i64 = 10 * 366 * HOURS_PER_DAY;
/// The most steps of a plot.
const STEPS_MAX: i64 = 1_000;

pub(super) const ENDPOINTS: &[Endpoint] = &[Endpoint::new(
    Verb::Get,
    "/api/stats/calls",
    "Calls over time by agent, sector or verb: where each step begins, and the calls of each series in it.",
    || web::to(calls),
)
.takes_query(request::parameters::<PlotQuery>)
.answers(&[endpoint::json(200, schema::answer::<Series>)])
.refuses(&[Code::Internal, Code::Unavailable])];

/// What is plotted.
#[derive(Deserialize, JsonSchema)]
struct PlotQuery {
    /// One series for each of these.
    by: Option<By>,
    /// How far back: hours or days, such as `24h` or `30d`.
    window: Option<String>,
    /// How long each step is, likewise.
    step: Option<String>,
    /// Calls of this agent only.
    agent: Option<String>,
}

#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum By {
    #[default]
    Agent,
    Sector,
    Tool,
}

impl By {
    const fn column(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Sector => "sector",
            Self::Tool => "tool",
        }
    }
}

async fn calls(
    parts: web::Data<Parts>,
    FromQuery(plot): FromQuery<PlotQuery>,
) -> Result<Json<Series>, Problem> {
    let by = plot.by.unwrap_or_default().column();
    let range = hour_range(plot.window, plot.step, parts.clock.now())?;
    let agent = plot.agent;
    if agent.as_ref().is_some_and(|name| name.contains('\0')) {
        return Err(Problem::invalid("agent", "U+0000 is in no agent's name"));
    }
    let counted = audit_hourly::calls(&parts.pool, by, range, agent.as_deref()).await;
    let counted = counted.map_err(|cause| match cause {
        StoreError::Cancelled => {
            Problem::invalid("window", "there is too much in it; send a shorter one")
        }
        other => other.into(),
    })?;
    Ok(Json(Series::of(range, counted)))
}

/// The hours of a window that ends with the present hour, divided into steps. A day in hours when left out.
fn hour_range(
    window: Option<String>,
    step: Option<String>,
    now: DateTime<Utc>,
) -> Result<HourRange, Problem> {
    let window = window.map_or(Ok(HOURS_PER_DAY), |text| hours("window", &text))?;
    let step = step.map_or(Ok(1), |text| hours("step", &text))?;
    let steps = window / step;
    if !(1..=STEPS_MAX).contains(&steps) || window % step != 0 {
        return Err(Problem::invalid(
            "step",
            format!("send a step of which 1 to {STEPS_MAX} fill the window"),
        ));
    }
    let hour_s = TimeDelta::hours(1).num_seconds();
    let end_s = (now.timestamp().div_euclid(hour_s) + 1) * hour_s;
    let to = DateTime::from_timestamp(end_s, 0).unwrap_or(now);
    Ok(HourRange {
        from: to - TimeDelta::hours(window),
        to,
        step: TimeDelta::hours(step),
    })
}

fn hours(field: &'static str, text: &str) -> Result<i64, Problem> {
    let days = text.strip_suffix('d').map(|count| (count, HOURS_PER_DAY));
    let hours = text.strip_suffix('h').map(|count| (count, 1));
    days.or(hours)
        .and_then(|(count, each)| count.parse::<i64>().ok()?.checked_mul(each))
        .filter(|hours| (1..=WINDOW_HOURS_MAX).contains(hours))
        .ok_or_else(|| Problem::invalid(field, "send hours or days, such as 24h or 30d"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(window: &str, step: &str) -> Result<HourRange, Problem> {
        let now = DateTime::parse_from_rfc3339("2026-03-01T10:20:30Z").unwrap();
        let sent = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        hour_range(sent(window), sent(step), now.to_utc())
    }

    #[test]
    fn a_range_ends_with_this_hour_and_is_divided_evenly() {
        let day = range("", "").unwrap();
        assert_eq!(day.to.to_rfc3339(), "2026-03-01T11:00:00+00:00");
        assert_eq!(day.from.to_rfc3339(), "2026-02-28T11:00:00+00:00");
        let month = range("30d", "1d").unwrap();
        assert_eq!((month.to - month.from).num_days(), 30);
        assert_eq!(month.step.num_hours(), 24);
    }

    #[test]
    fn what_cannot_be_plotted_is_refused() {
        for (window, step) in [
            ("0h", ""),
            ("-1d", ""),
            ("24", ""),
            ("24m", ""),
            ("5h", "2h"),
            ("1h", "2h"),
            ("1001h", "1h"),
            ("99999999999999999999h", ""),
            ("9000000000000000000d", ""),
        ] {
            assert!(range(window, step).is_err(), "{window} {step}");
        }
    }
}
