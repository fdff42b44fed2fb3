//! `GET /metrics`: the service's figures in Prometheus' text format (docs/operating.md#metrics).
//!
//! Figures are read where they are kept; nothing is counted a second time. Labels are fixed words and ids, never a text that an agent
//! or a source chose. While the database is away only the ages of the connections are missing.

mod audit_log;
mod text;

use std::time::Duration;

use actix_web::{HttpResponse, web};
use chrono::{DateTime, Utc};
use sextant_actors::audit::CallResult;
use sextant_actors::sessions::Era;
use tokio::time::timeout;

use self::text::{MEDIA_TYPE, Text};
use super::Parts;
use crate::db::PoolUse;
use crate::http::endpoint::{Endpoint, RouteAnswer, Verb};
use crate::http::schema;
use crate::store::connections::{self, Connection};

/// The longest wait for the database.
const READ_WAIT_MAX: Duration = Duration::from_secs(2);
const VERSION: &str = env!("CARGO_PKG_VERSION");
const MICROSECONDS_PER_SECOND: f64 = 1e6;

pub(super) const ENDPOINTS: &[Endpoint] = &[Endpoint::new(
    Verb::Get,
    "/metrics",
    "How the service fares, in Prometheus' text format.",
    || web::to(metrics),
)
.answers(&[RouteAnswer {
    status: 200,
    media: "text/plain",
    schema: schema::text,
}])];

async fn metrics(parts: web::Data<Parts>) -> HttpResponse {
    let mut text = Text::default();
    write_process(&mut text, &parts);
    write_calls(&mut text, &parts);
    audit_log::write(&mut text, &parts.audit);
    write_actors(&mut text, &parts);
    write_sessions(&mut text, &parts).await;
    write_pools(&mut text, &parts);
    write_database(&mut text, &parts).await;
    HttpResponse::Ok()
        .content_type(MEDIA_TYPE)
        .body(text.finish())
}

fn write_process(text: &mut Text, parts: &Parts) {
    text.gauge("sextant_build_info", "The version that runs; always 1.")
        .sample(&[("version", VERSION)], 1);
    text.gauge(
        "process_start_time_seconds",
        "When the service started, in seconds since 1970.",
    )
    .sample(&[], seconds(parts.started_at));
}

fn write_calls(text: &mut Text, parts: &Parts) {
    let tally = parts.audit.metrics();
    text.counter(
        "sextant_calls_total",
        "Calls, refused handshakes, pushes and acts of the operator, by verb and result.",
    )
    .samples(tally.calls(), |family, count| {
        let (decision, outcome) = match count.result {
            CallResult::Allowed => ("allow", "ok"),
            CallResult::Errored => ("allow", "error"),
            CallResult::Denied => ("deny", ""),
        };
        let labels = [
            ("tool", count.verb),
            ("decision", decision),
            ("outcome", outcome),
        ];
        family.sample(&labels, count.calls)
    });
    text.histogram(
        "sextant_call_duration_seconds",
        "Time from a call's or push's arrival to its row.",
        &tally.call_durations.read(),
    );
}

fn write_actors(text: &mut Text, parts: &Parts) {
    let actors = parts.board.read();
    text.counter("sextant_actor_crashes_total", "Crashes of actors, by kind.")
        .samples(&actors, |family, actor| {
            family.sample(&[("kind", &actor.name)], actor.crashes)
        });
    text.counter(
        "sextant_actor_restarts_total",
        "Restarts of actors, by kind.",
    )
    .samples(&actors, |family, actor| {
        family.sample(&[("kind", &actor.name)], actor.restarts)
    });
}

async fn write_sessions(text: &mut Text, parts: &Parts) {
    let live = parts.sessions.list(None).await;
    let eras = [
        (Era::Legacy, "legacy"),
        (Era::Modern, "modern"),
        (Era::Mirror, "mirror"),
    ];
    text.gauge("sextant_sessions", "Live sessions, by era.")
        .samples(eras, |family, (era, name)| {
            let count = live.iter().filter(|session| session.era == era).count();
            family.sample(&[("era", name)], count)
        });
}

/// Reads one figure of a pool.
type Figure = fn(&PoolUse) -> usize;

fn write_pools(text: &mut Text, parts: &Parts) {
    let pools = [
        ("service", parts.pool.in_use()),
        ("reader_cheap", parts.readers.cheap.in_use()),
        ("reader_other", parts.readers.other.in_use()),
        ("reader_operator", parts.readers.operator.in_use()),
    ];
    let figures: [(&str, &str, Figure); 4] = [
        (
            "sextant_pool_lent",
            "Connections that are in use.",
            |pool| pool.lent,
        ),
        ("sextant_pool_idle", "Connections that lie idle.", |pool| {
            pool.idle
        }),
        (
            "sextant_pool_waiting",
            "Callers that wait for one.",
            |pool| pool.waiting,
        ),
        (
            "sextant_pool_max",
            "The most connections there may be.",
            |pool| pool.connections_max,
        ),
    ];
    for (name, about, figure) in figures {
        text.gauge(name, about)
            .samples(&pools, |family, (pool, used)| {
                family.sample(&[("pool", pool)], figure(used))
            });
    }
}

async fn write_database(text: &mut Text, parts: &Parts) {
    let listed = timeout(READ_WAIT_MAX, connections::list(&parts.pool)).await;
    // Why the database does not answer stands in the log and the status; here it is only up or not.
    let connections = listed.ok().and_then(Result::ok);
    text.gauge("sextant_database_up", "Whether the database answers.")
        .sample(&[], u8::from(connections.is_some()));
    let now = parts.clock.now();
    text.gauge(
        "sextant_sync_age_seconds",
        "Time since the last push or fetch of a connection.",
    )
    .samples(
        connections.into_iter().flatten(),
        |family, connection: Connection| match connection.last_success_at {
            None => family,
            Some(at) => {
                let id = connection.id.to_string();
                let labels = [
                    ("connection", id.as_str()),
                    ("sector", connection.sector.name()),
                ];
                family.sample(&labels, seconds(now) - seconds(at))
            }
        },
    );
}

/// A time as Prometheus writes it: seconds since 1970, exact to the microsecond.
fn seconds(at: DateTime<Utc>) -> f64 {
    at.timestamp_micros() as f64 / MICROSECONDS_PER_SECOND
}
