//! The rules of the audit log, written from the requirements alone (r020 to r048), and the rows that there must be.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use sextant_actors::domain::OPERATOR;

use super::ask::{Ask, Wish};
use crate::audit_log::redaction::expected_args;
use crate::audit_log::row::Row;

pub const SECTORS: [&str; 6] = ["finance", "mail", "calendar", "contacts", "health", "home"];
/// The number of tables in each sector (docs/pushing.md#tables).
const TABLES: [usize; 6] = [4, 4, 3, 2, 7, 4];
/// Refusals that are recorded in a window, and the window's length (r034).
const CAP: usize = 30;
const WINDOW: TimeDelta = TimeDelta::seconds(60);
/// Rows that a query returns without a limit of its own.
const LIMIT_DEFAULT: usize = 50;

/// An agent's grant.
#[derive(Clone, Debug)]
pub struct Grant {
    pub key: String,
    pub sectors: Vec<String>,
    pub expires_at: Option<DateTime<Utc>>,
    pub is_revoked: bool,
}

/// A push connection, the live rows that it pushed, and how many of them remain after it is removed.
#[derive(Clone, Debug)]
pub struct Device {
    pub id: String,
    pub secret: String,
    pub target: &'static str,
    pub is_paused: bool,
    pub is_removed: bool,
    pub rows: BTreeSet<String>,
}

impl Device {
    pub fn sector(&self) -> &'static str {
        self.target.split('.').next().unwrap()
    }

    pub fn is_active(&self) -> bool {
        !self.is_paused && !self.is_removed
    }
}

/// What a request presents as its key.
#[derive(Clone, Debug)]
pub enum Presented {
    Nothing,
    Malformed,
    Key(String),
}

/// Refusals of one kind within a window.
#[derive(Debug, Default)]
struct Window {
    begun: Option<DateTime<Utc>>,
    recorded: usize,
    counted: usize,
}

/// The state of the world as the rules see it, and the audit log as it must be.
#[derive(Debug)]
pub struct Model {
    pub now: DateTime<Utc>,
    pub agents: BTreeMap<String, Grant>,
    pub devices: Vec<Device>,
    /// Whether the database is unreachable.
    pub is_away: bool,
    pub rows: Vec<Row>,
    window: Window,
}

impl Model {
    pub fn at(now: DateTime<Utc>) -> Self {
        Self {
            now,
            agents: BTreeMap::new(),
            devices: Vec::new(),
            is_away: false,
            rows: Vec::new(),
            window: Window::default(),
        }
    }

    /// The agent whose key it is, or why it is refused; `None` when no key was presented.
    pub fn admitted(&self, presented: &Presented) -> Option<Result<String, &'static str>> {
        let Presented::Key(key) = presented else {
            let is_malformed = matches!(presented, Presented::Malformed);
            return is_malformed.then_some(Err("unknown agent"));
        };
        let known = self.agents.iter().find(|(_, grant)| grant.key == *key);
        Some(match known {
            None => Err("unknown agent"),
            Some((_, grant)) if grant.is_revoked => Err("revoked"),
            Some((_, grant)) if grant.expires_at.is_some_and(|end| end <= self.now) => {
                Err("expired")
            }
            Some((name, _)) => Ok(name.clone()),
        })
    }

    /// A refused key on the agent port: a row of its own, or one more that is only counted.
    pub fn expect_refusal(&mut self, reason: &str, method: Option<&str>) {
        let now = self.now;
        // A window that began in the future was opened before the clock was set back: it is over.
        let is_open = (self.window.begun).is_some_and(|begun| begun <= now && now < begun + WINDOW);
        if !is_open {
            let counted = std::mem::take(&mut self.window.counted);
            if counted > 0 {
                let text = format!("throttled: {counted} initialize denials coalesced");
                self.rows.push(Row::refused("initialize", &text));
            }
            self.window.begun = Some(now);
            self.window.recorded = 0;
        }
        if self.window.recorded == CAP {
            self.window.counted += 1;
            return;
        }
        self.window.recorded += 1;
        self.rows.push(Row {
            args: method.map(|method| json!({ "method": method })),
            ..Row::refused("initialize", reason)
        });
    }

    /// A restart forgets the window.
    pub fn restart(&mut self) {
        self.window = Window::default();
    }

    /// Expects the row of an admitted agent's call.
    pub fn expect_call(&mut self, agent: &str, ask: &Ask, request: Option<String>) {
        let row = Row {
            agent: Some(agent.to_owned()),
            request,
            ..self.judged(ask, &self.granted(agent))
        };
        self.rows.push(row);
    }

    /// Expects the row of the operator's own live fetch: always `allow`.
    pub fn expect_fetch(&mut self, ask: &Ask) {
        let all = SECTORS.map(str::to_owned);
        let judged = self.judged(ask, &BTreeSet::from(all));
        self.rows.push(Row {
            agent: Some("operator".to_owned()),
            decision: "allow".to_owned(),
            outcome: judged.outcome.or(Some("error".to_owned())),
            deny_reason: None,
            ..judged
        });
    }

    /// Expects the row of an operator's act on a connection.
    pub fn expect_act(&mut self, verb: &str, sector: Option<&str>, args: Value, is_done: bool) {
        let row = if is_done {
            Row::done(verb, sector, None)
        } else {
            Row::failed(verb, sector)
        };
        self.rows.push(Row {
            agent: Some("operator".to_owned()),
            args: Some(args),
            ..row
        });
    }

    /// Expects the row of a push that was admitted.
    pub fn expect_push(&mut self, device: usize, count: Option<usize>) {
        let device = &self.devices[device];
        let sector = Some(device.sector());
        let row = match count {
            Some(count) => Row::done("ingest", sector, Some(count)),
            None => Row::failed("ingest", sector),
        };
        let args = Some(json!({ "connectionId": device.id }));
        self.rows.push(Row { args, ..row });
    }

    fn granted(&self, agent: &str) -> BTreeSet<String> {
        let stored = &self.agents[agent].sectors;
        if *stored == ["*"] {
            return SECTORS.map(str::to_owned).into();
        }
        let real = stored
            .iter()
            .filter(|name| SECTORS.contains(&name.as_str()));
        real.cloned().collect()
    }

    fn judged(&self, ask: &Ask, granted: &BTreeSet<String>) -> Row {
        let args = Some(expected_args(&ask.arguments));
        let first = ask.aim().map(|aim| aim.split('.').next().unwrap());
        let sector = first.filter(|word| SECTORS.contains(word));
        if let Some(word) = first.filter(|word| !granted.contains(*word)) {
            let reason = format!("access denied: {}", sector.unwrap_or(shown(word)));
            return Row {
                user: Some(OPERATOR),
                sector: sector.map(str::to_owned),
                args,
                ..Row::refused(ask.verb(), &reason)
            };
        }
        let count = self.count(ask, granted, sector);
        let row = match count.filter(|_| !(self.is_away && ask.reads(granted))) {
            Some(count) => Row::done(ask.verb(), sector, Some(count)),
            None => Row::failed(ask.verb(), sector),
        };
        Row { args, ..row }
    }

    /// The number of records in the answer; `None` when there is no answer.
    fn count(&self, ask: &Ask, granted: &BTreeSet<String>, sector: Option<&str>) -> Option<usize> {
        let tables = |wanted: &dyn Fn(&str) -> bool| -> usize {
            let each = SECTORS.iter().zip(TABLES);
            each.filter(|(name, _)| wanted(name))
                .map(|(_, count)| count)
                .sum()
        };
        let is_fetched = || {
            let mut devices = self.devices.iter();
            devices.any(|device| device.is_active() && Some(device.sector()) == sector)
        };
        match &ask.wish {
            Wish::Fails => None,
            Wish::Counted(count) => Some(*count),
            Wish::Context => Some(granted.len()),
            Wish::Schema => Some(match sector {
                Some(sector) => tables(&|name| name == sector),
                None => tables(&|name| granted.contains(name)),
            }),
            Wish::Rows(target, limit) => Some(self.live(target, *limit)),
            Wish::Fetched => is_fetched().then_some(0),
            Wish::FetchedRows(target, limit) => is_fetched().then(|| self.live(target, *limit)),
        }
    }

    /// Rows of a table that a query returns.
    fn live(&self, target: &str, limit: Option<usize>) -> usize {
        let of_table = self.devices.iter().filter(|device| device.target == target);
        let live: usize = of_table.map(|device| device.rows.len()).sum();
        live.min(limit.unwrap_or(LIMIT_DEFAULT))
    }
}

/// The form in which a name that is no sector may be repeated (docs/asking.md#the-row-of-a-call).
fn shown(word: &str) -> &str {
    let is_plain = |letter: char| letter.is_ascii_lowercase() || letter == '_';
    let may = (1..=24).contains(&word.len()) && word.chars().all(is_plain);
    if may { word } else { "?" }
}
