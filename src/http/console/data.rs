//! The data inspector (interfaces §9): a query and a record, as an agent with all six sectors gets them. No row (r041, r109).

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};
use sextant_actors::domain::{Sector, Tool};
use uuid::Uuid;

use super::Parts;
use super::inspector::{answer, ask, respond};
use crate::catalog::{self, Table};
use crate::http::answers;
use crate::http::arguments::Arguments;
use crate::http::asked;
use crate::http::endpoint::{self, Endpoint, Parameter, Sent, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::query_string::Parameters;
use crate::http::schema::{count, one_of, text};
use crate::http::served;

/// The argument that names a table.
const TARGET: &str = "target";
/// The arguments that read one field in pieces.
const FIELD: &str = "field";
const FROM: &str = "from";

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::new(
        Verb::Post,
        "/api/data/{sector}",
        "Query a table of a sector, as an agent with all six would. Not recorded.",
        || web::to(query),
    )
    .takes(Sent::Object(asked::query_of_a_sector))
    .answers(&[endpoint::json(200, answers::query)])
    .refuses(served::CODES),
    Endpoint::new(
        Verb::Get,
        "/api/data/{sector}/{id}",
        "One record of a sector, whole up to 1 MiB; a text that is cut says how it goes on. Not recorded.",
        || web::to(record),
    )
    .asks(|| vec![
        Parameter::new("raw", "true adds what the source sent beyond the table's fields.", one_of(&["true", "false"])),
        Parameter::new(FIELD, "This field alone.", text()),
        Parameter::new(FROM, "Where to read on in the text of field, in bytes.", count()),
    ])
    .answers(&[endpoint::json(200, answers::record)])
    .refuses(served::CODES),
];

async fn query(
    parts: web::Data<Parts>,
    sector: web::Path<String>,
    arguments: Arguments,
) -> Result<HttpResponse, Problem> {
    let arguments = aimed(named(&sector)?, arguments.0)?;
    answer(&parts, Tool::Query, arguments).await
}

async fn record(
    parts: web::Data<Parts>,
    path: web::Path<(String, String)>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let mut sent = Parameters::of(&request, &["raw", FIELD, FROM])?;
    let (is_raw, from) = (raw(&mut sent)?, from(&mut sent)?);
    let (sector, id) = path.into_inner();
    let sector = named(&sector)?;
    let id: Uuid = id.parse().map_err(|_| no_record(sector))?;
    let field = sent.take(FIELD);
    let arguments = json!({ TARGET: sector, "id": id, "raw": is_raw, FIELD: field, FROM: from });
    let served = ask(&parts, Tool::GetRecord, arguments).await;
    match served.count {
        Some(0) => Err(no_record(sector)),
        _ => respond(served),
    }
}

fn raw(sent: &mut Parameters) -> Result<bool, Problem> {
    match sent.take("raw").as_deref() {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(_) => Err(Problem::invalid("raw", "send true or false")),
    }
}

fn from(sent: &mut Parameters) -> Result<Option<u64>, Problem> {
    let number = |text: String| text.parse();
    let from = sent.take(FROM).map(number).transpose();
    from.map_err(|_| Problem::invalid(FROM, "send a whole number, 0 or more"))
}

/// A text that is no sector is the name of no sector.
fn named(sector: &str) -> Result<Sector, Problem> {
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
fn aimed(sector: Sector, mut arguments: Value) -> Result<Value, Problem> {
    let target = arguments.get(TARGET).and_then(Value::as_str);
    let Some(target) = target.map(str::to_owned) else {
        return Ok(arguments);
    };
    let qualified = match target.split_once('.') {
        None => format!("{sector}.{target}"),
        Some((word, _)) if word == sector.name() => target,
        Some(_) => return Err(elsewhere(sector)),
    };
    if let Some(members) = arguments.as_object_mut() {
        members.insert(TARGET.to_owned(), qualified.into());
    }
    Ok(arguments)
}

fn elsewhere(sector: Sector) -> Problem {
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
        let aim = |target: Value| aimed(Sector::Mail, json!({ "target": target, "limit": 1 }));
        let qualified = json!({"target": "mail.messages", "limit": 1});
        assert_eq!(aim(json!("messages")).unwrap(), qualified);
        assert_eq!(aim(json!("mail.messages")).unwrap(), qualified);
        assert!(aim(json!("finance.transactions")).is_err());
        assert!(aim(json!("mails.messages")).is_err());
        assert_eq!(aim(json!(7)).unwrap()["target"], 7);
        assert_eq!(aimed(Sector::Mail, json!([])).unwrap(), json!([]));
    }
}
