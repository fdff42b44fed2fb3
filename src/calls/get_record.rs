//! `get_record`: every field of one record, long texts whole.

use serde_json::{Map, Value, json};
use sextant_actors::domain::Sector;
use uuid::Uuid;

use super::desk::Visit;
use super::verdict::{Answered, Failure};
use crate::catalog::{self, Table};
use crate::query::answer::{self, Head};
use crate::query::arguments::{flag, object, refuse_unknown, text};
use crate::query::cell::{self, Show};
use crate::query::column::Column;
use crate::query::effort::Effort;
use crate::query::fault::{Fault, quoted};
use crate::query::{check, run};

const ARGUMENTS: &[&str] = &["target", "id", "raw"];

/// The record that is asked for.
pub(super) struct Wanted {
    /// The tables to look in: one, or with a bare sector all of it, since ids are unique within a sector.
    pub(super) tables: Vec<&'static Table>,
    id: Uuid,
    raw: bool,
}

pub(super) async fn run(visit: &Visit<'_>, wanted: &Wanted) -> Result<Answered, Failure> {
    let nonce = visit.nonce()?;
    let (mut reader, user) = (visit.reader(Effort::Cheap).await?, visit.caller.user);
    let (standing, found) =
        run::record(&mut reader, user, &wanted.tables, wanted.id, wanted.raw).await?;
    // Whoever writes an answer needs no connection any more.
    drop(reader);
    let sources: Vec<Value> = standing
        .sources
        .iter()
        .map(|source| source.brief(visit.time.now))
        .collect();
    Ok(match found {
        Some((table, cells)) => found_answer(table, &cells, sources, &nonce),
        None => missing_answer(wanted, sources),
    })
}

pub(super) fn read(arguments: &Value) -> Result<Wanted, Fault> {
    let map = object(arguments)?;
    refuse_unknown(map, ARGUMENTS)?;
    let target = text(map, "target")?.ok_or_else(|| missing("target"))?;
    let id = text(map, "id")?.ok_or_else(|| missing("id"))?;
    let tables = match target.parse::<Sector>() {
        Ok(sector) => catalog::sector(sector).iter().collect(),
        Err(_) => vec![check::table(&target)?],
    };
    let id = id.parse().map_err(|_| {
        Fault::new(format!(
            "`id` is the uuid of a record, not {}; `query` tells them: {}",
            quoted(&id),
            json!({"target": target, "select": ["id"], "limit": 5})
        ))
    })?;
    Ok(Wanted {
        tables,
        id,
        raw: flag(map, "raw")?,
    })
}

fn missing(name: &str) -> Fault {
    Fault::new(format!(
        "`{name}` is missing: get_record takes `target`, a sector or a table, and `id`, which `query` gives in the column id"
    ))
}

fn found_answer(
    table: &Table,
    cells: &[(Column, Value)],
    sources: Vec<Value>,
    nonce: &str,
) -> Answered {
    let show = Show {
        text_chars: None,
        nonce,
    };
    let record: Map<String, Value> = cells
        .iter()
        .map(|(column, value)| {
            let shown = cell::show(value, &Head::from(column), show);
            (column.name.to_owned(), shown.into_owned())
        })
        .collect();
    let heads: Vec<Head> = cells.iter().map(|(column, _)| column.into()).collect();
    let answer = json!({
        "target": table.target(),
        "record": record,
        "untrusted": answer::untrusted(&heads),
        "sources": sources,
    });
    Answered {
        text: answer.to_string(),
        count: 1,
    }
}

fn missing_answer(wanted: &Wanted, sources: Vec<Value>) -> Answered {
    let targets: Vec<String> = wanted.tables.iter().map(|table| table.target()).collect();
    let hint = format!(
        "no record with this id in {}: it may have been deleted at its source; `query` gives the ids there are",
        targets.join(", ")
    );
    let answer = json!({
        "target": targets.first(),
        "record": null,
        "sources": sources,
        "empty": {"reason": "no_match", "hint": hint},
    });
    Answered {
        text: answer.to_string(),
        count: 0,
    }
}
