//! The window of a calendar's view: what overlaps it is in the view, and a series is by any of its occurrences that does.

use std::collections::HashSet;

use chrono::{DateTime, NaiveDateTime, Utc};
use reqwest::Url;
use serde_json::{Map, Value};

use super::answers::parameter;

/// From the one instant until the other.
#[derive(Clone, Copy)]
pub(super) struct Window {
    from: DateTime<Utc>,
    to: DateTime<Utc>,
}

/// What of a collection is shown.
pub(super) struct Shown {
    /// None: all of it.
    window: Option<Window>,
    /// The series that have an occurrence in the window.
    series: HashSet<String>,
}

impl Window {
    /// That of a request, which asks for one or goes on from a token; None if it has none.
    pub(super) fn of(url: &Url, token: Option<&str>) -> Option<Self> {
        if let Some(token) = token {
            let mut seconds = token.split('-').skip(2);
            let mut next = || DateTime::from_timestamp(seconds.next()?.parse().ok()?, 0);
            return Some(Self {
                from: next()?,
                to: next()?,
            });
        }
        let instant = |name| parameter(url, name)?.parse().ok();
        Some(Self {
            from: instant("startDateTime")?,
            to: instant("endDateTime")?,
        })
    }

    /// As the end of a token.
    pub(super) fn in_token(self) -> String {
        format!("-{}-{}", self.from.timestamp(), self.to.timestamp())
    }

    /// As the parameters of a link.
    pub(super) fn in_link(self) -> String {
        let [from, to] = [self.from, self.to].map(|at| at.format("%Y-%m-%dT%H:%M:%SZ"));
        format!("startDateTime={from}&endDateTime={to}&")
    }

    /// What says no times is in every window.
    fn has(self, event: &Map<String, Value>) -> bool {
        let [Some(start), Some(end)] = ["start", "end"].map(|name| instant(event, name)) else {
            return true;
        };
        start < self.to && (end > self.from || start >= self.from)
    }
}

impl Shown {
    /// `objects` are those of the collection.
    pub(super) fn new<'a>(
        window: Option<Window>,
        objects: impl Iterator<Item = &'a Map<String, Value>>,
    ) -> Self {
        let told = objects.filter(|object| window.is_some_and(|window| window.has(object)));
        let series = told.filter_map(|object| text(object, "seriesMasterId"));
        Self {
            window,
            series: series.map(str::to_owned).collect(),
        }
    }

    pub(super) fn has(&self, object: &Map<String, Value>) -> bool {
        match (self.window, text(object, "type")) {
            (None, _) => true,
            (Some(_), Some("seriesMaster")) => {
                text(object, "id").is_some_and(|id| self.series.contains(id))
            }
            (Some(window), _) => window.has(object),
        }
    }
}

fn text<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    object.get(name)?.as_str()
}

/// Times are in UTC, as this service asks for.
fn instant(event: &Map<String, Value>, name: &str) -> Option<DateTime<Utc>> {
    let time = event.get(name)?.get("dateTime")?.as_str()?;
    let time = NaiveDateTime::parse_from_str(time, "%Y-%m-%dT%H:%M:%S%.f");
    time.ok().map(|time| time.and_utc())
}
