//! What needs the operator: problems of the service first, then of the data, then of the agents.
//!
//! | kind | ref | when |
//! |---|---|---|
//! | `database_down` | – | the database does not answer |
//! | `record_waiting` | – | rows of the audit log wait longer than they should: the database is down, or it is behind |
//! | `journal_failing` | – | the journal accepts no rows: the disk fails, or it could not be opened |
//! | `record_dropped` | – | rows of the audit log were lost since the start |
//! | `zone_unset` | – | nobody set a time zone, so that days begin by UTC |
//! | `actor_failing` | the actor | a part of the service crashed and is not back |
//! | `connection_stopped` | the connection | a source stopped until somebody acts; the text follows from its health |
//! | `connection_warned` | the connection | it is read, and a part of its source (a bank of many) needs somebody |
//! | `credential_ending` | the first connection of the sign-in | its credential ends within fourteen days, or has ended |
//! | `sign_in_unfinished` | the sign-in | somebody signed in, and the provider could not say whose account it is: nothing is connected |
//! | `console_published` | – | the Console port answers to the public address, which is to be the agents' alone |
//! | `duplicates_open` | – | accounts of two connections may be one, and only the operator knows |
//! | `upload_waiting` | the upload | files are checked and not stored, or not to the end |
//! | `key_expiring` | the agent | a key ends within seven days |

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use sextant_actors::audit::AuditStats;
use sextant_actors::domain::Grant;
use sextant_actors::journal::{JournalState, JournalStats};
use sextant_actors::supervise::{ActorState, ActorStatus};

use super::cache::StatusFacts;
use crate::config::ZoneSource;
use crate::http::console::Parts;
use crate::providers;
use crate::query::sources::WARNED_BEFORE;
use crate::store::connections::{Connection, WARNED};
use crate::store::sign_ins::SignIn;
use crate::uploads::{UploadJob, UploadState};

/// Rows that may wait while the database answers: as many as one flush writes.
const ROWS_WAITING_USUALLY_MAX: usize = 5_000;
/// How long before its end a key is reported.
const KEY_NOTICE: TimeDelta = TimeDelta::days(7);

/// How long after the start the journal may be absent before that is reported.
const JOURNAL_OPENS_WITHIN: TimeDelta = TimeDelta::seconds(10);

/// The kinds in the table at the head of this file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::http::console) enum AttentionKind {
    DatabaseDown,
    RecordWaiting,
    JournalFailing,
    RecordDropped,
    ZoneUnset,
    ActorFailing,
    ConnectionStopped,
    ConnectionWarned,
    CredentialEnding,
    SignInUnfinished,
    ConsolePublished,
    DuplicatesOpen,
    UploadWaiting,
    KeyExpiring,
}

/// One thing that needs the operator.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(in crate::http::console) struct Attention {
    kind: AttentionKind,
    /// Which connection, agent or part of the service it is about.
    #[serde(rename = "ref")]
    about: Option<String>,
    text: String,
}

/// Everything that needs the operator now.
pub(super) fn all(parts: &Parts, facts: &StatusFacts, grants: &[Grant]) -> Vec<Attention> {
    let now = parts.clock.now();
    let stats = parts.audit.stats();
    let mut all = of_audit_log(&stats, facts.is_reachable);
    all.extend(of_journal(&stats.journal, now - parts.started_at));
    all.extend(of_published_console(parts));
    all.extend(of_zone(parts.zone_source));
    all.extend(parts.board.read().iter().filter_map(of_actor));
    all.extend(facts.connections.iter().filter_map(of_connection));
    all.extend(facts.connections.iter().filter_map(of_warned));
    all.extend(of_credentials(&facts.connections, now));
    let unfinished = facts.unfinished.iter();
    all.extend(unfinished.map(|sign_in| of_unfinished(parts, sign_in)));
    all.extend(of_duplicates(facts.duplicates_open));
    all.extend(parts.uploads.list().iter().filter_map(of_upload));
    all.extend(grants.iter().filter_map(|grant| of_key(grant, now)));
    all
}

impl Attention {
    fn new(kind: AttentionKind, about: Option<String>, text: impl Into<String>) -> Self {
        Self {
            kind,
            about,
            text: text.into(),
        }
    }
}

fn of_audit_log(stats: &AuditStats, is_reachable: bool) -> Vec<Attention> {
    let mut troubles = Vec::new();
    if !is_reachable {
        troubles.push(Attention::new(
            AttentionKind::DatabaseDown,
            None,
            "The database is not reachable. The service retries every 5 s.",
        ));
    }
    let usual = if is_reachable {
        ROWS_WAITING_USUALLY_MAX
    } else {
        0
    };
    if stats.waiting_rows > usual {
        let rows = stats.waiting_rows;
        troubles.push(Attention::new(
            AttentionKind::RecordWaiting,
            None,
            format!("{rows} rows of the audit log wait for the database. They are kept until it takes them."),
        ));
    }
    if stats.dropped_rows > 0 {
        let rows = stats.dropped_rows;
        troubles.push(Attention::new(
            AttentionKind::RecordDropped,
            None,
            format!("{rows} rows of the audit log were lost since the start. The log says why."),
        ));
    }
    troubles
}

/// The name was listed after it had been published: a setting is read at the start alone.
fn of_published_console(parts: &Parts) -> Option<Attention> {
    let address = parts.bridge.exposure().address()?;
    let host = address.host();
    parts.allowed_hosts.contains(host).then(|| {
        Attention::new(
            AttentionKind::ConsolePublished,
            None,
            format!("{host} is the public address of agents and stands in REST_ALLOWED_HOSTS: by that name the Console answers too, and whoever reaches it may do everything. Take it out there, and restart."),
        )
    })
}

fn of_journal(stats: &JournalStats, runs_for: TimeDelta) -> Option<Attention> {
    let trouble = match stats.state {
        JournalState::Ok => return None,
        JournalState::Absent if runs_for < JOURNAL_OPENS_WITHIN => return None,
        JournalState::Absent => "There is no journal".to_owned(),
        JournalState::Failing { since } => {
            let since = since.format("%Y-%m-%d %H:%M UTC");
            format!("The disk has failed the journal since {since}")
        }
    };
    let rows = stats.unjournaled_rows;
    Some(Attention::new(
        AttentionKind::JournalFailing,
        None,
        format!(
            "{trouble}. Calls go on; rows are kept in memory until the database has them, {rows} so far. The log says why."
        ),
    ))
}

fn of_zone(source: ZoneSource) -> Option<Attention> {
    (!source.is_set()).then(|| {
        Attention::new(
            AttentionKind::ZoneUnset,
            None,
            "No time zone is set, so days begin by UTC. Set timezone in config.toml, or TIMEZONE, to your zone, such as Europe/Berlin.",
        )
    })
}

fn of_actor(actor: &ActorStatus) -> Option<Attention> {
    let is_failing = matches!(
        actor.state,
        ActorState::Restarting | ActorState::Parked | ActorState::Failed
    );
    is_failing.then(|| {
        let name = &actor.name;
        let text = format!("A part of the service is not running: {name}.");
        Attention::new(AttentionKind::ActorFailing, Some(actor.id()), text)
    })
}

fn of_connection(connection: &Connection) -> Option<Attention> {
    let remedy = match connection.health.as_str() {
        "needs_sign_in" => "Sign in again.",
        "needs_credentials" => "Enter its credentials again.",
        "consent_expired" => "The consent has ended. Renew it.",
        "parked" => "It failed too often and rests.",
        _ => return None,
    };
    let text = format!("{} ({}): {remedy}", connection.label, connection.sector);
    Some(Attention::new(
        AttentionKind::ConnectionStopped,
        Some(connection.id.to_string()),
        text,
    ))
}

/// What a round that went well was told of a part of its source.
fn of_warned(connection: &Connection) -> Option<Attention> {
    let problem = connection.problem.as_ref()?;
    let is_warned = problem.get("code").and_then(Value::as_str) == Some(WARNED);
    if connection.health != "ok" || !is_warned {
        return None;
    }
    let said = problem.get("message").and_then(Value::as_str)?;
    let text = format!("{} ({}): {said}.", connection.label, connection.sector);
    Some(Attention::new(
        AttentionKind::ConnectionWarned,
        Some(connection.id.to_string()),
        text,
    ))
}

/// One for each sign-in whose end is near. A connection that has stopped is told of already.
fn of_credentials(connections: &[Connection], now: DateTime<Utc>) -> Vec<Attention> {
    let mut told = BTreeSet::new();
    let near = connections.iter().filter_map(|connection| {
        let end = connection.expires_at?;
        let is_near = end - now <= WARNED_BEFORE && of_connection(connection).is_none();
        (is_near && told.insert(connection.sign_in)).then(|| of_ending(connection, end, now))
    });
    near.collect()
}

fn of_ending(connection: &Connection, end: DateTime<Utc>, now: DateTime<Utc>) -> Attention {
    let Connection { label, sector, .. } = connection;
    let ends = if end <= now { "ended" } else { "ends" };
    let at = end.format("%Y-%m-%d %H:%M UTC");
    let (what, remedy) = match providers::LINKED.contains(&connection.provider.as_str()) {
        true => ("the bank's consent", "Link the bank again."),
        false => ("its credential", "Enter another one."),
    };
    let left = match (end - now).num_days() {
        ..1 => String::new(),
        1 => ", in 1 day".to_owned(),
        days => format!(", in {days} days"),
    };
    Attention::new(
        AttentionKind::CredentialEnding,
        Some(connection.id.to_string()),
        format!("{label} ({sector}): {what} {ends} at {at}{left}. {remedy}"),
    )
}

fn of_unfinished(parts: &Parts, sign_in: &SignIn) -> Attention {
    let provider = parts.sign_ins.providers.get(&sign_in.provider);
    let title = provider.map_or(sign_in.provider.as_str(), |own| own.title());
    Attention::new(
        AttentionKind::SignInUnfinished,
        Some(sign_in.id.to_string()),
        format!("{title}: signed in, and nothing is connected yet. Try again in Connections."),
    )
}

fn of_duplicates(open: u64) -> Option<Attention> {
    let text = match open {
        0 => return None,
        1 => "Two accounts may be one. Say whether they are, so that none is counted twice."
            .to_owned(),
        open => format!(
            "{open} times, two accounts may be one. Say whether they are, so that none is counted twice."
        ),
    };
    Some(Attention::new(AttentionKind::DuplicatesOpen, None, text))
}

fn of_upload(job: &UploadJob) -> Option<Attention> {
    let text = match job.state {
        UploadState::Checked => "Files are checked and not stored yet.",
        UploadState::Interrupted | UploadState::Failed => "Files are not stored to the end.",
        UploadState::Receiving
        | UploadState::Checking
        | UploadState::Running
        | UploadState::Done
        | UploadState::Cancelled => return None,
    };
    let about = Some(job.id.to_string());
    Some(Attention::new(AttentionKind::UploadWaiting, about, text))
}

fn of_key(grant: &Grant, now: DateTime<Utc>) -> Option<Attention> {
    let end = grant.expires_at?;
    let is_near = grant.check(now).is_ok() && end - now < KEY_NOTICE;
    is_near.then(|| {
        let name = grant.agent.to_string();
        let text = format!(
            "The key of {name} ends at {}.",
            end.format("%Y-%m-%d %H:%M UTC")
        );
        Attention::new(AttentionKind::KeyExpiring, Some(name), text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn journal(state: JournalState, runs_for_s: i64) -> Option<String> {
        let stats = JournalStats {
            state,
            ..JournalStats::default()
        };
        of_journal(&stats, TimeDelta::seconds(runs_for_s)).map(|one| one.text)
    }

    #[test]
    fn a_journal_that_takes_no_rows_is_reported() {
        assert_eq!(journal(JournalState::Ok, 100), None);
        assert_eq!(journal(JournalState::Absent, 9), None, "it has not begun");
        let absent = journal(JournalState::Absent, 10).unwrap();
        assert!(
            absent.starts_with("There is no journal. Calls go on"),
            "{absent}"
        );
        let since = DateTime::UNIX_EPOCH;
        let failing = journal(JournalState::Failing { since }, 0).unwrap();
        let begin = "The disk has failed the journal since 1970-01-01 00:00 UTC.";
        assert!(failing.starts_with(begin), "{failing}");
    }

    #[test]
    fn rows_that_wait_are_reported_when_they_wait_longer_than_they_should() {
        let kinds = |waiting_rows, is_reachable| -> Vec<_> {
            let stats = AuditStats {
                waiting_rows,
                ..AuditStats::default()
            };
            let attention = of_audit_log(&stats, is_reachable).into_iter();
            attention.map(|one| one.kind).collect()
        };
        assert_eq!(kinds(ROWS_WAITING_USUALLY_MAX, true), []);
        assert_eq!(
            kinds(ROWS_WAITING_USUALLY_MAX + 1, true),
            [AttentionKind::RecordWaiting]
        );
        assert_eq!(
            kinds(1, false),
            [AttentionKind::DatabaseDown, AttentionKind::RecordWaiting]
        );
        assert_eq!(kinds(0, false), [AttentionKind::DatabaseDown]);
    }
}
