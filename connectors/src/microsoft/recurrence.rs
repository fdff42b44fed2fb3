//! How an event repeats (<https://learn.microsoft.com/graph/api/resources/patternedrecurrence>), as a rule of RFC 5545 §3.3.10.

use chrono::NaiveDate;
use serde_json::Value;

use super::object::{GraphObject, inner, text, texts};

/// Days of the week as Graph and as a rule names them.
const DAYS: [(&str, &str); 7] = [
    ("monday", "MO"),
    ("tuesday", "TU"),
    ("wednesday", "WE"),
    ("thursday", "TH"),
    ("friday", "FR"),
    ("saturday", "SA"),
    ("sunday", "SU"),
];

/// Which of the days that fit is meant.
const INDEXES: [(&str, i8); 5] = [
    ("first", 1),
    ("second", 2),
    ("third", 3),
    ("fourth", 4),
    ("last", -1),
];

/// A day that the shortest month has too.
const SHORTEST_MONTH: u64 = 28;

/// The rule; `until` makes of the last day what ends a rule. `None` for a pattern that is not known.
pub(super) fn rule(
    recurrence: &GraphObject,
    until: impl Fn(NaiveDate) -> Option<String>,
) -> Option<String> {
    let pattern = inner(recurrence, "pattern")?;
    let kind = text(pattern, "type")?;
    let mut parts = match kind {
        "daily" => vec!["FREQ=DAILY".to_owned()],
        "weekly" => weekly(pattern)?,
        "absoluteMonthly" => vec!["FREQ=MONTHLY".to_owned(), month_day(pattern)?],
        "relativeMonthly" => vec!["FREQ=MONTHLY".to_owned(), by_day(pattern)?, index(pattern)?],
        "absoluteYearly" => vec![
            "FREQ=YEARLY".to_owned(),
            month(pattern)?,
            month_day(pattern)?,
        ],
        "relativeYearly" => vec![
            "FREQ=YEARLY".to_owned(),
            month(pattern)?,
            by_day(pattern)?,
            index(pattern)?,
        ],
        _ => return None,
    };
    if let Some(interval) = number(pattern, "interval").filter(|interval| *interval > 1) {
        parts.push(format!("INTERVAL={interval}"));
    }
    let range = inner(recurrence, "range")?;
    match text(range, "type")? {
        "noEnd" => {}
        "endDate" => {
            let last = text(range, "endDate")?.parse().ok()?;
            parts.push(format!("UNTIL={}", until(last)?));
        }
        "numbered" => {
            let count = number(range, "numberOfOccurrences").filter(|count| *count > 0)?;
            parts.push(format!("COUNT={count}"));
        }
        _ => return None,
    }
    Some(parts.join(";"))
}

/// The name of the zone in which an event repeats.
pub(super) fn zone_name(event: &GraphObject) -> Option<&str> {
    let range = inner(event, "recurrence").and_then(|recurrence| inner(recurrence, "range"));
    let repeats = range.and_then(|range| text(range, "recurrenceTimeZone"));
    text(event, "originalStartTimeZone").or(repeats)
}

fn weekly(pattern: &GraphObject) -> Option<Vec<String>> {
    let mut parts = vec!["FREQ=WEEKLY".to_owned(), by_day(pattern)?];
    let first = text(pattern, "firstDayOfWeek").and_then(|day| find(&DAYS, day));
    parts.extend(first.map(|day| format!("WKST={day}")));
    Some(parts)
}

/// In a month that is too short Outlook takes the last day of it, where a rule would pass over the month.
fn month_day(pattern: &GraphObject) -> Option<String> {
    let day = number(pattern, "dayOfMonth").filter(|day| (1..=31).contains(day))?;
    if day <= SHORTEST_MONTH {
        return Some(format!("BYMONTHDAY={day}"));
    }
    let days = (SHORTEST_MONTH..=day).map(|day| day.to_string());
    let days = days.collect::<Vec<_>>().join(",");
    Some(format!("BYMONTHDAY={days};BYSETPOS=-1"))
}

fn by_day(pattern: &GraphObject) -> Option<String> {
    let days = texts(pattern, "daysOfWeek").map(|day| find(&DAYS, day));
    let days = days.collect::<Option<Vec<_>>>()?;
    (!days.is_empty()).then(|| format!("BYDAY={}", days.join(",")))
}

/// Graph's own default is the first.
fn index(pattern: &GraphObject) -> Option<String> {
    let index = find(&INDEXES, text(pattern, "index").unwrap_or("first"))?;
    Some(format!("BYSETPOS={index}"))
}

fn month(pattern: &GraphObject) -> Option<String> {
    let month = number(pattern, "month").filter(|month| (1..=12).contains(month))?;
    Some(format!("BYMONTH={month}"))
}

fn number(object: &GraphObject, name: &str) -> Option<u64> {
    object.get(name).and_then(Value::as_u64)
}

fn find<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    let mut rows = table.iter();
    let row = rows.find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    Some(row.1)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_pattern_is_a_rule() {
        let endless = json!({"type": "noEnd"});
        for (pattern, range, expected) in [
            (
                json!({"type": "daily", "interval": 2}),
                endless.clone(),
                "FREQ=DAILY;INTERVAL=2",
            ),
            (
                json!({"type": "weekly", "interval": 1, "daysOfWeek": ["monday", "Friday"], "firstDayOfWeek": "sunday"}),
                json!({"type": "numbered", "numberOfOccurrences": 5}),
                "FREQ=WEEKLY;BYDAY=MO,FR;WKST=SU;COUNT=5",
            ),
            (
                json!({"type": "absoluteMonthly", "interval": 1, "dayOfMonth": 31}),
                json!({"type": "endDate", "endDate": "2026-03-01"}),
                "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1;UNTIL=2026-03-01",
            ),
            (
                json!({"type": "relativeMonthly", "interval": 1, "daysOfWeek": ["tuesday"], "index": "last"}),
                endless.clone(),
                "FREQ=MONTHLY;BYDAY=TU;BYSETPOS=-1",
            ),
            (
                json!({"type": "absoluteYearly", "interval": 1, "month": 5, "dayOfMonth": 4}),
                endless.clone(),
                "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=4",
            ),
            (
                json!({"type": "relativeYearly", "interval": 1, "month": 11, "daysOfWeek": ["thursday"], "index": "fourth"}),
                endless,
                "FREQ=YEARLY;BYMONTH=11;BYDAY=TH;BYSETPOS=4",
            ),
        ] {
            let recurrence = json!({"pattern": pattern, "range": range});
            let rule = rule(recurrence.as_object().unwrap(), |day| Some(day.to_string()));
            assert_eq!(rule.as_deref(), Some(expected));
        }
    }

    #[test]
    fn an_unknown_pattern_is_no_rule() {
        for pattern in [
            json!({"type": "lunar"}),
            json!({"type": "weekly", "daysOfWeek": []}),
            json!({}),
        ] {
            let recurrence = json!({"pattern": pattern, "range": {"type": "noEnd"}});
            assert_eq!(rule(recurrence.as_object().unwrap(), |_| None), None);
        }
    }
}
