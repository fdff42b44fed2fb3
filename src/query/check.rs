//! Request -> Checked: every name resolved in the catalogue, every value typed. Pure.
//!
//! Whether the sector is granted was decided before (`calls::target`); here a table is known and its names are resolved.

mod filter;
mod group;
mod order;
mod scope;
mod since;
mod value;

use serde_json::{Value, json};
use uuid::Uuid;

pub use filter::{Filter, Test};
pub use group::{Bucket, By, Function, GroupOrder, Grouped, Key, Measure, grouped};
pub use order::OrderKey;
pub use scope::Scope;
pub use value::example;

use super::ROWS_DEFAULT;
use super::budget::Budget;
use super::column::{self, Column};
use super::cursor::{self, Place};
use super::fault::{Fault, quoted};
use super::moment::Moment;
use super::nearest::nearest;
use super::request::{Format, Request};
use super::time::LocalTime;
use crate::catalog::{self, Table};

/// Characters of a search.
const SEARCH_CHARS_MAX: usize = 1000;

/// A question for rows that can be compiled: nothing in it is still a foreign name.
#[derive(Clone, Debug)]
pub struct Checked {
    pub scope: Scope,
    pub select: Vec<Column>,
    /// The columns were asked for by name.
    pub is_selected: bool,
    /// Ends with the id, so that no two rows are equal.
    pub order: Vec<OrderKey>,
    /// Where the page before ended.
    pub after: Option<Place>,
    /// Only what changed since then is asked for, and what is gone.
    pub since: Option<Moment>,
    pub limit: usize,
    pub count: bool,
    pub budget: Budget,
    pub format: Format,
    /// Stands in the cursor, so that one of another query is refused.
    pub digest: String,
    /// The same of the change cursor; a table without tombstones has none.
    pub change_digest: Option<String>,
    pub notes: Vec<String>,
}

/// Checks a request for rows, for `user` at `time`.
///
/// # Errors
/// The first fault, with its repair.
pub fn check(request: &Request, user: Uuid, time: &LocalTime) -> Result<Checked, Fault> {
    let table = table(&request.target)?;
    let change_digest = table.is_stored().then(|| cursor::digest_of_rows(request));
    let mut notes = Vec::new();
    let since = since::check(request, table, change_digest.as_deref(), &mut notes)?;
    let order = match since {
        None => order::check(table, &request.order_by)?,
        Some(_) => order::of_ids(),
    };
    let digest = cursor::digest(request);
    Ok(Checked {
        scope: scope(request, table, user, time, &mut notes)?,
        select: select(table, request.select.as_deref())?,
        is_selected: request.select.is_some(),
        after: after(request, &order, &digest)?,
        since,
        order,
        limit: request.limit.unwrap_or(ROWS_DEFAULT),
        count: request.count,
        budget: request.budget,
        format: request.format,
        digest,
        change_digest,
        notes,
    })
}

/// What a request asks for.
#[derive(Clone, Debug)]
pub enum Question {
    Rows(Checked),
    Groups(Grouped),
}

impl Question {
    /// The rows it is about.
    pub fn scope(&self) -> &Scope {
        match self {
            Question::Rows(checked) => &checked.scope,
            Question::Groups(grouped) => &grouped.scope,
        }
    }
}

/// Checks a request, whatever it asks for.
///
/// # Errors
/// As [`check`] and [`grouped`].
pub fn question(request: &Request, user: Uuid, time: &LocalTime) -> Result<Question, Fault> {
    if request.is_grouped() {
        grouped(request, user, time).map(Question::Groups)
    } else {
        check(request, user, time).map(Question::Rows)
    }
}

/// The rows that `where` and `search` leave; what may surprise goes to `notes`.
fn scope(
    request: &Request,
    table: &'static Table,
    user: Uuid,
    time: &LocalTime,
    notes: &mut Vec<String>,
) -> Result<Scope, Fault> {
    Ok(Scope {
        user,
        table,
        filter: filter::check(table, request.filter.as_ref(), time, notes)?,
        search: search(table, request.search.as_deref())?,
    })
}

/// The table that a target names.
///
/// # Errors
/// Names the tables of the sector, and the nearest.
pub fn table(target: &str) -> Result<&'static Table, Fault> {
    if let Some(table) = catalog::by_target(target) {
        return Ok(table);
    }
    let word = target.split('.').next().unwrap_or_default();
    let targets: Vec<String> = word
        .parse()
        .map(|sector| catalog::sector(sector).iter().map(Table::target).collect())
        .unwrap_or_default();
    let right = nearest(target, targets.iter().map(String::as_str)).unwrap_or_default();
    let text = format!(
        "`target` {} is no table; the tables of {word} are: {}",
        quoted(target),
        targets.join(", ")
    );
    Err(Fault::new(text)
        .swap(target, right)
        .example(json!({"target": right})))
}

/// The column `name`.
///
/// # Errors
/// Names the nearest field.
pub fn find(table: &Table, name: &str) -> Result<Column, Fault> {
    Column::find(table, name).ok_or_else(|| {
        let right = nearest(name, column::all(table).map(|column| column.name)).unwrap_or("id");
        let text = format!(
            "{} has no field {}; the nearest is {right}, get_schema lists all",
            table.target(),
            quoted(name)
        );
        Fault::new(text).swap(name, right)
    })
}

fn select(table: &Table, names: Option<&[String]>) -> Result<Vec<Column>, Fault> {
    let Some(names) = names else {
        return Ok(column::all(table).collect());
    };
    let mut columns: Vec<Column> = Vec::with_capacity(names.len());
    for name in names {
        let column = find(table, name)?;
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    Ok(columns)
}

fn search(table: &Table, search: Option<&str>) -> Result<Option<String>, Fault> {
    let Some(text) = search else {
        return Ok(None);
    };
    if table.searchable().next().is_none() {
        return Err(not_searchable(table));
    }
    if !text.chars().any(char::is_alphanumeric) || text.contains('\0') {
        let example = json!({"target": table.target(), "search": "coffee -decaf"});
        return Err(Fault::new("`search` needs at least one word").example(example));
    }
    if text.chars().count() > SEARCH_CHARS_MAX {
        return Err(Fault::new(format!(
            "`search` has at most {SEARCH_CHARS_MAX} characters"
        )));
    }
    Ok(Some(text.to_owned()))
}

fn not_searchable(table: &Table) -> Fault {
    let text_field = table
        .fields
        .iter()
        .find(|field| field.kind == catalog::Kind::Text);
    let fault = Fault::new(format!(
        "{} has no searchable fields; use `where` with contains",
        table.target()
    ));
    match text_field {
        Some(field) => {
            let filter: Value = json!({field.name: {"contains": "coffee"}});
            fault.example(json!({"target": table.target(), "where": filter}))
        }
        None => fault,
    }
}

fn after(request: &Request, order: &[OrderKey], digest: &str) -> Result<Option<Place>, Fault> {
    request
        .cursor
        .as_deref()
        .map(|cursor| cursor::decode(cursor, digest, order))
        .transpose()
}

#[cfg(test)]
mod tests;
