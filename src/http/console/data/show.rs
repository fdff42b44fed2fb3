use actix_web::{HttpResponse, web};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use sextant_actors::domain::{Sector, Tool};
use uuid::Uuid;

use super::sector_in_path::{TARGET, sector_in_path};
use crate::http::console::Parts;
use crate::http::console::inspector::{ask, respond};
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{self, FromQuery};
use crate::http::{tool_answers, tool_result};

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/data/{sector}/{id}",
    "One record of a sector, whole up to 1 MiB; a text that is cut says how it goes on. Not recorded.",
    || web::to(show),
)
.takes_query(request::parameters::<RecordQuery>)
.answers(&[endpoint::json(200, tool_answers::record)])
.refuses(tool_result::CODES);

/// How much of a record is read.
#[derive(Deserialize, JsonSchema)]
struct RecordQuery {
    /// true adds what the source sent beyond the table's fields.
    raw: Option<Flag>,
    /// This field alone.
    field: Option<String>,
    /// Where to read on in the text of field, in bytes.
    from: Option<Offset>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(!try_from, rename_all = "lowercase")]
enum Flag {
    True,
    False,
}

impl TryFrom<String> for Flag {
    type Error = &'static str;

    fn try_from(word: String) -> Result<Self, &'static str> {
        match word.as_str() {
            "true" => Ok(Self::True),
            "false" => Ok(Self::False),
            _ => Err("send true or false"),
        }
    }
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(!try_from)]
struct Offset(u64);

impl TryFrom<String> for Offset {
    type Error = &'static str;

    fn try_from(number: String) -> Result<Self, &'static str> {
        let bytes = number
            .parse()
            .map_err(|_| "send a whole number, 0 or more")?;
        Ok(Self(bytes))
    }
}

async fn show(
    parts: web::Data<Parts>,
    path: web::Path<(String, String)>,
    FromQuery(query): FromQuery<RecordQuery>,
) -> Result<HttpResponse, Problem> {
    let (sector, id) = path.into_inner();
    let sector = sector_in_path(&sector)?;
    let id: Uuid = id.parse().map_err(|_| no_record(sector))?;
    let arguments = json!({
        TARGET: sector,
        "id": id,
        "raw": matches!(query.raw, Some(Flag::True)),
        "field": query.field,
        "from": query.from.map(|Offset(bytes)| bytes),
    });
    let served = ask(&parts, Tool::GetRecord, arguments).await;
    match served.count {
        Some(0) => Err(no_record(sector)),
        _ => respond(served),
    }
}

fn no_record(sector: Sector) -> Problem {
    Problem::new(
        Code::NotFound,
        format!(
            "no record of {sector} has this id; POST /api/data/{sector} gives the ids there are"
        ),
    )
}
