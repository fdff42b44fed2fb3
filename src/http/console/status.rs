//! `GET /api/status`: what needs the operator, and how much data there is (docs/operating.md#health).
//! While the database is away it answers from what was last read.

mod attention;
mod cache;
mod journal;
mod ports;
mod zone;

use actix_web::web::{self, Json};
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use sextant_actors::domain::KnownConnection;
use sextant_actors::domain::Sector;

use self::cache::StatusFacts;
use self::journal::JournalView;
use self::zone::ZoneView;
use super::Parts;
use super::exposure::{ExposureMode, LastCheck};
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::schema;
use crate::http::sector_name::SectorName;

pub(super) use attention::Attention;
pub use cache::StatusCache;
pub use ports::PortNumbers;

pub(super) const ENDPOINTS: &[Endpoint] = &[Endpoint::new(
    Verb::Get,
    "/api/status",
    "How the service stands: its ports and database, what needs you, and how much there is of each sector.",
    || web::to(status),
)
.answers(&[endpoint::json(200, schema::answer::<Status>)])];

/// Whether the database answers.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum DatabaseWord {
    Ok,
    Down,
}

impl DatabaseWord {
    const fn of(facts: &StatusFacts) -> Self {
        if facts.is_reachable {
            Self::Ok
        } else {
            Self::Down
        }
    }
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Status {
    version: &'static str,
    started_at: DateTime<Utc>,
    ports: PortNumbers,
    database: DatabaseWord,
    journal: JournalView,
    timezone: ZoneView,
    /// Whether there is a connection, and an agent that may read.
    onboarded: bool,
    /// Whether any connection holds the sample household.
    sample: bool,
    attention: Vec<Attention>,
    sectors: Vec<SectorView>,
    exposure: ExposureFacts,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SectorView {
    name: SectorName,
    /// Null until the database has answered once.
    rows: Option<u64>,
    connections: usize,
    last_sync_at: Option<DateTime<Utc>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ExposureFacts {
    mode: ExposureMode,
    url: Option<String>,
    /// What was found when the address was last checked; null if it was not since the start.
    check: Option<LastCheck>,
    /// Names beside loopback by which the Console port answers: whoever reaches it by them may do everything.
    allowed_hosts: Vec<String>,
}

async fn status(parts: web::Data<Parts>) -> Json<Status> {
    let facts = parts.status_cache.refresh(&parts.pool).await;
    let published = parts.connections.snapshot();
    let grants = parts.grants.list();
    let address = parts.bridge.exposure().address();
    Json(Status {
        version: env!("CARGO_PKG_VERSION"),
        started_at: parts.started_at,
        ports: parts.ports,
        database: DatabaseWord::of(&facts),
        journal: JournalView::of(&parts.audit.stats()),
        timezone: ZoneView::of(parts.zone, parts.zone_source),
        onboarded: !published.is_empty() && !grants.is_empty(),
        sample: published.values().any(|connection| connection.is_sample),
        attention: attention::all(&parts, &facts, &grants),
        sectors: Sector::ALL
            .map(|sector| sector_view(sector, &facts, published.values()))
            .into(),
        exposure: ExposureFacts {
            mode: ExposureMode::of(address.is_some()),
            url: address.map(|address| address.to_string()),
            check: LastCheck::of(&parts),
            allowed_hosts: parts.allowed_hosts.names(),
        },
    })
}

/// What needs the operator, as events compare it.
pub(super) struct OperatorNeeds {
    pub(super) attention: Vec<Attention>,
    /// How many accounts are asked about.
    pub(super) duplicates_open: u64,
}

/// What needs the operator now.
pub(super) async fn needs(parts: &Parts) -> OperatorNeeds {
    let facts = parts.status_cache.refresh(&parts.pool).await;
    OperatorNeeds {
        attention: attention::all(parts, &facts, &parts.grants.list()),
        duplicates_open: facts.duplicates_open,
    }
}

fn sector_view<'a>(
    sector: Sector,
    facts: &StatusFacts,
    published: impl Iterator<Item = &'a KnownConnection>,
) -> SectorView {
    let own = facts.connections.iter();
    let own = own.filter(|connection| connection.sector == sector);
    SectorView {
        name: sector.into(),
        rows: facts
            .rows
            .as_ref()
            .and_then(|rows| rows.get(&sector).copied()),
        connections: published
            .filter(|connection| connection.sector == sector)
            .count(),
        last_sync_at: own
            .filter_map(|connection| connection.last_success_at)
            .max(),
    }
}
