//! A connection as the Console shows it: whether it has a secret, never which.

use actix_web::HttpRequest;
use actix_web::http::header;
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use sextant_actors::domain::ConnectionState;
use uuid::Uuid;

use crate::http::sector_name::SectorName;
use crate::store::connections::Connection;

/// The health of a connection whose actor rests.
const PARKED: &str = "parked";
const SECONDS_PER_MINUTE: i32 = 60;

/// One connection (console S2). What only a pulled source has is null.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http::console) struct ConnectionView {
    id: Uuid,
    provider: String,
    label: String,
    sector: SectorName,
    /// The qualified table that pushes fill.
    table: String,
    state: PushState,
    health: String,
    error: Option<Value>,
    created_at: DateTime<Utc>,
    last_sync_at: Option<DateTime<Utc>>,
    next_sync_at: Option<DateTime<Utc>>,
    #[schemars(range(min = 0))]
    sync_interval_minutes: Option<i32>,
    #[schemars(range(min = 0))]
    sync_window_days: Option<i32>,
    has_ingest_secret: bool,
    /// It holds the sample household, and goes with it.
    is_sample: bool,
    sign_in_id: Option<String>,
}

/// Whether its pushes are taken.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum PushState {
    Active,
    Paused,
}

impl ConnectionView {
    /// The connection as it is stored.
    pub(in crate::http::console) fn of(connection: Connection) -> Self {
        Self {
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
