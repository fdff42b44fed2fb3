use actix_web::{HttpResponse, web};
use serde_json::Value;
use sextant_actors::domain::{Sector, Tool};

use super::sector_in_path::{TARGET, sector_in_path};
use crate::catalog::{self, Table};
use crate::http::arguments::Arguments;
use crate::http::console::Parts;
use crate::http::console::inspector::answer;
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::Problem;
use crate::http::{tool_answers, tool_requests, tool_result};

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/data/{sector}",
    "Query a table of a sector, as an agent with all six would. Not recorded.",
    || web::to(query),
)
.takes_body(RequestBody::Required(tool_requests::query_of_a_sector))
.answers(&[endpoint::json(200, tool_answers::query)])
.refuses(tool_result::CODES);

async fn query(
    parts: web::Data<Parts>,
    sector: web::Path<String>,
    arguments: Arguments,
) -> Result<HttpResponse, Problem> {
    let arguments = qualify_target(sector_in_path(&sector)?, arguments.0)?;
    answer(&parts, Tool::Query, arguments).await
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
    use serde_json::json;

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
