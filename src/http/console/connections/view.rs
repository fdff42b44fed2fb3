//! A connection as the Console shows it: whether it has a secret, never which.

use actix_web::HttpRequest;
use actix_web::http::header;
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use sextant_actors::domain::ConnectionState;
use uuid::Uuid;

use crate::http::schema::{
    any, count, flag, id, list, object, one_of, or_null, sector, stamp, text,
};
use crate::store::connections::Connection;

const SECONDS_PER_MINUTE: i32 = 60;

/// One connection. What only a pulled source has is null.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::http::console) struct ConnectionView {
    id: String,
    provider: String,
    label: String,
    sector: &'static str,
    /// The qualified table that pushes fill.
    table: String,
    state: &'static str,
    health: String,
    error: Option<Value>,
    created_at: DateTime<Utc>,
    last_sync_at: Option<DateTime<Utc>>,
    next_sync_at: Option<DateTime<Utc>>,
    sync_interval_minutes: Option<i32>,
    sync_window_days: Option<i32>,
    has_ingest_secret: bool,
    /// It holds the sample household, and goes with it.
    is_sample: bool,
    sign_in_id: Option<String>,
}

impl ConnectionView {
    pub(in crate::http::console) fn of(connection: Connection) -> Self {
        Self {
            id: connection.id.to_string(),
            provider: connection.provider,
            label: connection.label,
            sector: connection.sector.name(),
            table: connection.target,
            state: match connection.state {
                ConnectionState::Active => "active",
                ConnectionState::Paused => "paused",
            },
            health: connection.health,
            error: connection.problem,
            created_at: connection.created_at,
            last_sync_at: connection.last_success_at,
            next_sync_at: connection.retry_at,
            sync_interval_minutes: connection
                .interval_s
                .map(|seconds| seconds / SECONDS_PER_MINUTE),
            sync_window_days: connection.window_days,
            has_ingest_secret: connection.has_secret,
            is_sample: connection.is_sample,
            sign_in_id: connection.sign_in.map(|id| id.to_string()),
        }
    }
}

/// A connection that was just made, with its secret: shown this once (r085).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreatedView {
    pub(super) connections: Vec<ConnectionView>,
    pub(super) secret: String,
    pub(super) ingest_url: String,
}

/// A new secret: shown this once (r085).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SecretView {
    pub(super) secret: String,
    pub(super) ingest_url: String,
}

/// What a disconnect did.
#[derive(Serialize)]
pub(super) struct DisconnectedView {
    pub(super) id: String,
    pub(super) rows: &'static str,
    pub(super) deleted: u64,
}

/// The JSON Schema of a connection.
pub(super) fn schema() -> Value {
    object([
        ("id", id()),
        ("provider", text()),
        ("label", text()),
        ("sector", sector()),
        ("table", text()),
        ("state", one_of(&["active", "paused"])),
        ("health", text()),
        ("error", any()),
        ("createdAt", stamp()),
        ("lastSyncAt", or_null(stamp())),
        ("nextSyncAt", or_null(stamp())),
        ("syncIntervalMinutes", or_null(count())),
        ("syncWindowDays", or_null(count())),
        ("hasIngestSecret", flag()),
        ("isSample", flag()),
        ("signInId", or_null(text())),
    ])
}

/// The JSON Schema of several connections.
pub(in crate::http::console) fn connections_schema() -> Value {
    object([("connections", list(schema()))])
}

/// The JSON Schema of a connection that was just made.
pub(super) fn created_schema() -> Value {
    object([
        ("connections", list(schema())),
        ("secret", text()),
        ("ingestUrl", text()),
    ])
}

/// The JSON Schema of a new secret.
pub(super) fn secret_schema() -> Value {
    object([("secret", text()), ("ingestUrl", text())])
}

/// The JSON Schema of what a disconnect did.
pub(super) fn disconnected_schema() -> Value {
    object([
        ("id", id()),
        ("rows", one_of(&["keep", "delete"])),
        ("deleted", count()),
    ])
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
