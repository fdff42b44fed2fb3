//! What the agent is asked, the call it makes of it, and what is shown of the answer. Pure.

use std::collections::BTreeMap;

use chrono::DateTime;
use chrono_tz::Tz;
use serde_json::{Value, json};

use super::agent::QueryAnswer;
use super::error::DemoError;
use crate::cli::table::align_columns;

/// Categories that are shown; the rest is one line.
const CATEGORIES_SHOWN: usize = 8;
const MS_PER_MINUTE: f64 = 60_000.0;

/// One question.
pub(super) struct DemoQuestion {
    pub asked: &'static str,
    call: fn() -> Value,
    show: fn(&[Value], Tz) -> Vec<String>,
    /// Whether the grant is to refuse it.
    is_denied: bool,
}

/// Three that are answered, and one that the grant refuses.
pub(super) const QUESTIONS: [DemoQuestion; 4] = [
    DemoQuestion {
        asked: "\"What did we spend our money on last month?\"",
        call: spending,
        show: by_category,
        is_denied: false,
    },
    DemoQuestion {
        asked: "\"What is next, and who will be there?\"",
        call: agenda,
        show: appointments,
        is_denied: false,
    },
    DemoQuestion {
        asked: "\"How did I sleep last week?\"",
        call: sleep,
        show: nights,
        is_denied: false,
    },
    DemoQuestion {
        asked: "\"And what does the dentist write?\" (mail, which this agent may not read)",
        call: letters,
        show: |_, _| Vec::new(),
        is_denied: true,
    },
];

impl DemoQuestion {
    /// The arguments of `query`.
    pub(super) fn call(&self) -> Value {
        (self.call)()
    }

    /// What is printed of the answer.
    ///
    /// # Errors
    /// When it is not the answer that there must be: the demonstration shows what holds, or fails.
    pub(super) fn show(&self, answer: &QueryAnswer, zone: Tz) -> Result<Vec<String>, DemoError> {
        match (answer, self.is_denied) {
            (QueryAnswer::Refused(text), true) => Ok(vec![format!("refused: {text}")]),
            (QueryAnswer::Given(given), false) => {
                let rows = given.get("rows").and_then(Value::as_array);
                let rows = rows
                    .filter(|rows| !rows.is_empty())
                    .ok_or_else(|| self.fails("no rows came"))?;
                Ok((self.show)(rows, zone))
            }
            (QueryAnswer::Refused(text), false) => Err(self.fails(text)),
            (QueryAnswer::Given(_), true) => {
                Err(self.fails("it was answered, though the grant forbids it"))
            }
        }
    }

    fn fails(&self, why: &str) -> DemoError {
        DemoError::Agent(format!("{}: {why}", self.asked))
    }
}

fn spending() -> Value {
    json!({
        "target": "finance.transactions", "select": ["category", "amount"],
        "where": {
            "amount": { "lt": 0 }, "category": { "not_in": ["transfer", "investment"] },
            "booked_on": { "gte": "start_of_month-1mo", "lt": "start_of_month" },
        },
        "limit": 500, "format": "records",
    })
}

/// The rows added up, as an agent does; the largest sums first.
fn by_category(rows: &[Value], _: Tz) -> Vec<String> {
    let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
    for row in rows {
        let category = row
            .get("category")
            .and_then(Value::as_str)
            .unwrap_or("other");
        *sums.entry(category).or_default() += number(row, "amount");
    }
    let mut sums: Vec<(&str, f64)> = sums.into_iter().collect();
    sums.sort_by(|one, other| one.1.total_cmp(&other.1));
    let (shown, rest) = sums.split_at(sums.len().min(CATEGORIES_SHOWN));
    let mut lines = vec![
        [
            format!("{} payments", rows.len()),
            amount(sums.iter().map(|sum| sum.1).sum()),
        ]
        .to_vec(),
    ];
    lines.extend(
        shown
            .iter()
            .map(|(category, sum)| vec![(*category).to_owned(), amount(*sum)]),
    );
    if !rest.is_empty() {
        let sum = rest.iter().map(|sum| sum.1).sum();
        lines.push(vec![format!("{} more categories", rest.len()), amount(sum)]);
    }
    align_columns(&lines, &[1])
}

fn amount(sum: f64) -> String {
    format!("{sum:.2} EUR")
}

fn agenda() -> Value {
    json!({
        "target": "calendar.events", "select": ["start_at", "title", "location", "attendees"],
        "where": {
            "start_at": { "gte": "now", "lt": "now+14d" }, "is_all_day": false,
            "title": { "ne": "Stand-up" }, "attendees": { "is_null": false },
        },
        "order_by": ["start_at"], "limit": 6, "format": "records",
    })
}

fn appointments(rows: &[Value], zone: Tz) -> Vec<String> {
    let lines = rows.iter().map(|row| {
        let people = row
            .get("attendees")
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        let others = people.filter(|person| person.get("is_self") != Some(&Value::Bool(true)));
        let names: Vec<&str> = others.map(|person| text(person, "name")).collect();
        vec![
            local(text(row, "start_at"), zone, "%a %-d %b %H:%M"),
            text(row, "title").to_owned(),
            format!("with {}", names.join(", ")),
        ]
    });
    align_columns(&lines.collect::<Vec<_>>(), &[])
}

fn sleep() -> Value {
    json!({
        "target": "health.sleeps", "select": ["start_at", "end_at", "in_bed_ms", "awake_ms", "efficiency_percent"],
        "where": { "end_at": { "gte": "today-7d" } },
        "order_by": ["start_at"], "limit": 8, "format": "records",
    })
}

fn nights(rows: &[Value], zone: Tz) -> Vec<String> {
    let lines = rows.iter().map(|row| {
        let minutes = (number(row, "in_bed_ms") - number(row, "awake_ms")) / MS_PER_MINUTE;
        vec![
            format!("to {}", local(text(row, "end_at"), zone, "%a %-d %b")),
            format!(
                "{}–{}",
                local(text(row, "start_at"), zone, "%H:%M"),
                local(text(row, "end_at"), zone, "%H:%M")
            ),
            format!(
                "asleep {}:{:02} h",
                (minutes / 60.0) as i64,
                (minutes % 60.0) as i64
            ),
            format!("efficiency {:.1} %", number(row, "efficiency_percent")),
        ]
    });
    align_columns(&lines.collect::<Vec<_>>(), &[])
}

fn letters() -> Value {
    json!({ "target": "mail.messages", "search": "dentist", "limit": 3 })
}

/// The audit log's rows, with the most telling columns.
pub(super) fn audit_lines(rows: &[Value], zone: Tz) -> Vec<String> {
    let cell = |row: &Value, name: &str| match row.get(name) {
        None | Some(Value::Null) => "–".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    let head = [
        "time", "agent", "tool", "sector", "decision", "outcome", "rows", "reason",
    ];
    let head = head.map(str::to_owned).to_vec();
    let lines = rows.iter().map(|row| {
        let mut line = vec![local(&cell(row, "created_at"), zone, "%H:%M:%S")];
        let names = [
            "agent_id",
            "tool",
            "sector",
            "decision",
            "outcome",
            "result_count",
            "deny_reason",
        ];
        line.extend(names.map(|name| cell(row, name)));
        line
    });
    align_columns(
        &std::iter::once(head).chain(lines).collect::<Vec<_>>(),
        &[6],
    )
}

fn text<'a>(row: &'a Value, name: &str) -> &'a str {
    row.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn number(row: &Value, name: &str) -> f64 {
    row.get(name).and_then(Value::as_f64).unwrap_or_default()
}

/// An instant as the person's clocks show it.
fn local(instant: &str, zone: Tz, form: &str) -> String {
    DateTime::parse_from_rfc3339(instant).map_or_else(
        |_| instant.to_owned(),
        |at| at.with_timezone(&zone).format(form).to_string(),
    )
}
