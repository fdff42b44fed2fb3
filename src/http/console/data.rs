//! The data inspector (docs/operating.md#asking-as-the-operator): a query and a record, as an agent with all six sectors gets them.
//! No row (r041, r109).

use actix_web::{HttpResponse, web};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use sextant_actors::domain::{Sector, Tool};
use uuid::Uuid;

use super::Parts;
use super::inspector::{answer, ask, respond};
use crate::catalog::{self, Table};
use crate::http::arguments::Arguments;
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{self, FromQuery};
use crate::http::tool_answers;
use crate::http::tool_requests;
use crate::http::tool_result;

/// The argument that names a table.
const TARGET: &str = "target";

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::new(
        Verb::Post,
        "/api/data/{sector}",
        "Query a table of a sector, as an agent with all six would. Not recorded.",
        || web::to(query),
    )
    .takes_body(RequestBody::Required(tool_requests::query_of_a_sector))
    .answers(&[endpoint::json(200, tool_answers::query)])
    .refuses(tool_result::CODES),
    Endpoint::new(
        Verb::Get,
        "/api/data/{sector}/{id}",
        "One record of a sector, whole up to 1 MiB; a text that is cut says how it goes on. Not recorded.",
        || web::to(record),
    )
    .takes_query(request::parameters::<RecordAsked>)
    .answers(&[endpoint::json(200, tool_answers::record)])
    .refuses(tool_result::CODES),
];

async fn query(
    parts: web::Data<Parts>,
    sector: web::Path<String>,
    arguments: Arguments,
) -> Result<HttpResponse, Problem> {
    let arguments = qualify_target(sector_in_path(&sector)?, arguments.0)?;
    answer(&parts, Tool::Query, arguments).await
}

/// How much of a record is read.
#[derive(Deserialize, JsonSchema)]
struct RecordAsked {
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

async fn record(
    parts: web::Data<Parts>,
    path: web::Path<(String, String)>,
    FromQuery(asked): FromQuery<RecordAsked>,
) -> Result<HttpResponse, Problem> {
    let (sector, id) = path.into_inner();
    let sector = sector_in_path(&sector)?;
    let id: Uuid = id.parse().map_err(|_| no_record(sector))?;
    let arguments = json!({
        TARGET: sector,
        "id": id,
        "raw": matches!(asked.raw, Some(Flag::True)),
        "field": asked.field,
        "from": asked.from.map(|Offset(bytes)| bytes),
    });
    let served = ask(&parts, Tool::GetRecord, arguments).await;
    match served.count {
        Some(0) => Err(no_record(sector)),
        _ => respond(served),
    }
}

/// A text that is no sector is the name of no sector.
fn sector_in_path(sector: &str) -> Result<Sector, Problem> {
    sector.parse().map_err(|_| {
        let names = Sector::ALL.map(Sector::name).join(", ");
        Problem::new(
            Code::NotFound,
            format!("there is no such sector; there are {names}"),
        )
    })
}

fn no_record(sector: Sector) -> Problem {
    Problem::new(
        Code::NotFound,
        format!(
            "no record of {sector} has this id; POST /api/data/{sector} gives the ids there are"
        ),
    )
}

/// The query with its table qualified by the path's sector; a table of another sector is not read here.
fn qualify_target(sector: Sector, mut arguments: Value) -> Result<Value, Problem> {
    let target = arguments.get(TARGET).and_then(Value::as_str);
    let Some(target) = target.map(str::to_owned) else {
        return Ok(arguments);
    };
    let qualified = match target.split_once('.') {
        None => format!("{sector}.{target}"),
        Some((word, _)) if word == sector.name() => target,
        Some(_) => return Err(of_another_sector(sector)),
    };
    if let Some(members) = arguments.as_object_mut() {
        members.insert(TARGET.to_owned(), qualified.into());
    }
    Ok(arguments)
}

fn of_another_sector(sector: Sector) -> Problem {
    let tables: Vec<String> = catalog::sector(sector).iter().map(Table::target).collect();
    Problem::invalid(
        TARGET,
        format!(
            "this route reads {sector}: send one of {}",
            tables.join(", ")
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_bare_or_of_the_paths_own_sector() {
        let aim =
            |target: Value| qualify_target(Sector::Mail, json!({ "target": target, "limit": 1 }));
        let qualified = json!({"target": "mail.messages", "limit": 1});
        assert_eq!(aim(json!("messages")).unwrap(), qualified);
        assert_eq!(aim(json!("mail.messages")).unwrap(), qualified);
        assert!(aim(json!("finance.transactions")).is_err());
        assert!(aim(json!("mails.messages")).is_err());
        assert_eq!(aim(json!(7)).unwrap()["target"], 7);
        assert_eq!(qualify_target(Sector::Mail, json!([])).unwrap(), json!([]));
    }
}
