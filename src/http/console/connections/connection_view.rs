//! A connection as the Console shows it: whether it has a secret, never which.

use actix_web::HttpRequest;
use actix_web::http::header;
use chrono::{DateTime, TimeDelta, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use sextant_actors::domain::{ConnectionState, Sector};
use uuid::Uuid;

use crate::http::sector_name::SectorName;
use crate::store::connections::Connection;

/// The health of a connection whose actor rests.
const PARKED: &str = "parked";
const SECONDS_PER_MINUTE: i32 = 60;

/// The words of health under which nothing is read before a person has acted.
const WAITS_FOR_A_PERSON: [&str; 3] = ["needs_sign_in", "needs_credentials", "consent_expired"];

/// One connection (console S2). What only a pulled source has is null.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http::console) struct ConnectionView {
    id: Uuid,
    provider: String,
    label: String,
    sector: SectorName,
    /// The qualified table that pushes fill; the main one of a source that is read.
    table: String,
    state: PushState,
    health: String,
    error: Option<Value>,
    created_at: DateTime<Utc>,
    last_sync_at: Option<DateTime<Utc>>,
    /// When it is read next, as far as that is known.
    next_sync_at: Option<DateTime<Utc>>,
    #[schemars(range(min = 0))]
    sync_interval_minutes: Option<i32>,
    #[schemars(range(min = 0))]
    /// How many days back are read; null for all there is.
    sync_window_days: Option<i32>,
    has_ingest_secret: bool,
    /// It holds the sample household, and goes with it.
    is_sample: bool,
    sign_in_id: Option<String>,
    /// Whose the sign-in is, in the provider's words.
    account: Option<String>,
    /// When the credential or consent behind it ends by itself.
    consent_expires_at: Option<DateTime<Utc>>,
}

/// Whether it is read, or its pushes are taken.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum PushState {
    Active,
    Paused,
}

impl ConnectionView {
    /// The connection as it is stored, at the time `now`.
    pub(in crate::http::console) fn of(connection: Connection, now: DateTime<Utc>) -> Self {
        Self {
            next_sync_at: next_round_at(&connection, now),
            id: connection.id,
            provider: connection.provider,
            label: connection.label,
            sector: connection.sector.into(),
            table: connection.target,
            state: match connection.state {
                ConnectionState::Active => PushState::Active,
                ConnectionState::Paused => PushState::Paused,
            },
            health: connection.health,
            error: connection.problem,
            created_at: connection.created_at,
            last_sync_at: connection.last_success_at,
            sync_interval_minutes: connection
                .interval_s
                .map(|seconds| seconds / SECONDS_PER_MINUTE),
            sync_window_days: connection.window_days,
            has_ingest_secret: connection.has_secret,
            is_sample: connection.is_sample,
            sign_in_id: connection.sign_in.map(|id| id.to_string()),
            account: connection.account,
            consent_expires_at: connection.expires_at,
        }
    }
}

impl ConnectionView {
    /// The same, as `parked` if what reads it crashed too often and rests: that is stored nowhere.
    pub(super) fn unless_parked(self, is_parked: bool) -> Self {
        let health = if is_parked {
            PARKED.to_owned()
        } else {
            self.health
        };
        Self { health, ..self }
    }
}

/// When a connection is read next: at the time that the source or a failure has set, else an interval after its last success. None
/// for one that is paused, waits for a person, has not been read yet, or is pushed to; and for a home, which tells its changes by itself.
fn next_round_at(connection: &Connection, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let waits_for_a_person = WAITS_FOR_A_PERSON.contains(&connection.health.as_str());
    if connection.state == ConnectionState::Paused || waits_for_a_person {
        return None;
    }
    if let Some(retry_at) = connection.retry_at.filter(|at| *at > now) {
        return Some(retry_at);
    }
    if connection.sector == Sector::Home {
        return None;
    }
    let interval = TimeDelta::seconds(connection.interval_s?.into());
    connection.last_success_at?.checked_add_signed(interval)
}

/// Several connections.
#[derive(Serialize, JsonSchema)]
pub(in crate::http::console) struct ConnectionList {
    pub(in crate::http::console) connections: Vec<ConnectionView>,
}

/// Where a device pushes to, by the address through which the caller came; the Host check has accepted it.
pub(super) fn ingest_url(request: &HttpRequest, id: Uuid) -> String {
    let host = request
        .headers()
        .get(header::HOST)
        .and_then(|host| host.to_str().ok())
        .unwrap_or("127.0.0.1");
    format!("http://{host}/api/ingest/{id}")
}
