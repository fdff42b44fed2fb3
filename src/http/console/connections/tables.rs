//! `GET /api/push-tables`: what a push connection can be made for (docs/pushing.md#connections).

use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use sextant_actors::domain::Sector;

use crate::catalog::{self, Table, example};
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::schema;
use crate::http::sector_name::SectorName;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/push-tables",
    "The tables that take pushes, a sector's default first, each with an example of a record.",
    || web::to(list),
)
.answers(&[endpoint::json(200, schema::answer::<PushTables>)]);

#[derive(Serialize, JsonSchema)]
struct PushTables {
    tables: Vec<PushTable>,
}

#[derive(Serialize, JsonSchema)]
struct PushTable {
    sector: SectorName,
    /// Its name with its sector.
    target: String,
    about: &'static str,
    /// A record that a push may hold.
    example: Value,
}

async fn list() -> Json<PushTables> {
    let tables = Sector::ALL.into_iter().flat_map(of_sector);
    Json(PushTables {
        tables: tables.collect(),
    })
}

fn of_sector(sector: Sector) -> impl Iterator<Item = PushTable> {
    let default = catalog::push_default(sector).map(|table| table.name);
    let mut tables: Vec<&Table> = catalog::sector(sector).iter().collect();
    tables.retain(|table| table.is_pushable());
    tables.sort_by_key(|table| Some(table.name) != default);
    tables.into_iter().map(move |table| PushTable {
        sector: sector.into(),
        target: table.target(),
        about: table.about,
        example: example::record(table),
    })
}
