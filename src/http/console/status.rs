//! `GET /api/status`: what needs the operator, and how much there is (docs/operating.md#health).
//! It answers with the database away too, from what was last known.

mod attention;
mod known;

use actix_web::{HttpResponse, web};
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use sextant_actors::domain::{PushConnection, Sector};

use self::attention::Attention;
use self::known::Facts;
use super::Parts as Routes;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::schema::{
    count, flag, list, object, one_of, or_null, sector, stamp, text as text_of,
};

pub use known::Known;

pub(super) const ENDPOINTS: &[Endpoint] = &[Endpoint::new(
    Verb::Get,
    "/api/status",
    "How the service stands: its ports and database, what needs you, and how much there is of each sector.",
    || web::to(tell),
)
.answers(&[endpoint::json(200, schema)])];

/// The ports that were opened.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Ports {
    pub console: u16,
    pub agent: u16,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    version: &'static str,
    started_at: DateTime<Utc>,
    ports: Ports,
    database: &'static str,
    /// There is a source, and an agent that may ask about it.
    onboarded: bool,
    attention: Vec<Attention>,
    sectors: Vec<SectorView>,
    exposure: Exposure,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SectorView {
    name: &'static str,
    /// Null until the database has answered once.
    rows: Option<u64>,
    connections: usize,
    last_sync_at: Option<DateTime<Utc>>,
}

#[derive(Serialize)]
struct Exposure {
    mode: &'static str,
    url: Option<String>,
}

fn schema() -> Value {
    let sectors = object([
        ("name", sector()),
        ("rows", or_null(count())),
        ("connections", count()),
        ("lastSyncAt", or_null(stamp())),
    ]);
    object([
        ("version", text_of()),
        ("startedAt", stamp()),
        ("ports", object([("console", count()), ("agent", count())])),
        ("database", one_of(&["ok", "down"])),
        ("onboarded", flag()),
        ("attention", list(attention::schema())),
        ("sectors", list(sectors)),
        (
            "exposure",
            object([
                ("mode", one_of(&["local", "public"])),
                ("url", or_null(text_of())),
            ]),
        ),
    ])
}

async fn tell(parts: web::Data<Routes>) -> HttpResponse {
    let facts = parts.known.refresh(&parts.pool).await;
    let published = parts.connections.snapshot();
    let grants = parts.grants.list();
    HttpResponse::Ok().json(Status {
        version: env!("CARGO_PKG_VERSION"),
        started_at: parts.started_at,
        ports: parts.ports,
        database: if facts.is_reachable { "ok" } else { "down" },
        onboarded: !published.is_empty() && !grants.is_empty(),
        attention: attention::all(&parts, &facts, &grants),
        sectors: Sector::ALL
            .map(|sector| tile(sector, &facts, published.values()))
            .into(),
        exposure: Exposure {
            mode: "local",
            url: None,
        },
    })
}

fn tile<'a>(
    sector: Sector,
    facts: &Facts,
    published: impl Iterator<Item = &'a PushConnection>,
) -> SectorView {
    let own = facts.connections.iter();
    let own = own.filter(|connection| connection.sector == sector);
    SectorView {
        name: sector.name(),
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
