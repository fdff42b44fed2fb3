//! Request -> Checked: every name resolved in the catalogue, every value typed. Pure.
//!
//! Whether the sector is granted was decided before (`calls::target`); here a table is known and its names are resolved.

mod filter;
mod former;
mod group;
mod order;
mod scope;
mod since;
mod value;

use serde_json::json;
use uuid::Uuid;

pub use filter::{Filter, OPERATORS, Test};
pub use group::{Bucket, By, Function, GroupOrder, Grouped, Key, Measure, grouped};
pub use order::OrderKey;
pub use scope::Scope;

use super::ROWS_DEFAULT;
use super::budget::Budget;
use super::column::{self, Column};
use super::cost;
use super::cursor::{self, Place};
use super::fault::{Fault, quoted};
use super::moment::Moment;
use super::nearest::nearest;
use super::repair::{conditions, fields, shapes};
use super::request::{Format, Request};
use super::time::LocalTime;
use crate::catalog::{self, Table};

/// Characters of a search.
const SEARCH_CHARS_MAX: usize = 1000;
/// What other tools call every field.
const EVERY: &str = "*";

/// A question for rows that can be compiled: nothing in it is still a foreign name.
#[derive(Clone, Debug)]
pub struct Checked {
    pub scope: Scope,
    pub select: Vec<Column>,
    /// The columns were asked for by name.
    pub is_selected: bool,
    /// Ends with the id, so that no two rows are equal.
    pub order: Vec<OrderKey>,
    /// The best of the newest hits of the search come first; among equals, `order` holds. There is no cursor.
    pub is_ranked: bool,
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
    let is_ranked = order::is_ranked(request, &mut notes)?;
    notes.extend(former::note(table, request));
    let order = match since {
        None if is_ranked => order::check(table, &[])?,
        None => order::check(table, &request.order_by)?,
        Some(_) => order::of_ids(),
    };
    let digest = cursor::digest(request);
    Ok(Checked {
        scope: scope(request, table, user, time)?,
        select: select(table, request.select.as_deref())?,
        is_selected: request.select.is_some(),
        after: after(request, &order, &digest)?,
        since,
        order,
        is_ranked,
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

    /// How large its answer may be.
    pub fn budget(&self) -> Budget {
        match self {
            Question::Rows(checked) => checked.budget,
            Question::Groups(grouped) => grouped.budget,
        }
    }
}

/// Checks a request, whatever it asks for.
///
/// # Errors
/// As [`check`] and [`grouped`], or when it costs too much.
pub fn question(request: &Request, user: Uuid, time: &LocalTime) -> Result<Question, Fault> {
    let question = if request.is_grouped() {
        Question::Groups(grouped(request, user, time)?)
    } else {
        Question::Rows(check(request, user, time)?)
    };
    cost::check(&question, request)?;
    Ok(question)
}

/// The rows that `where` and `search` leave.
fn scope(
    request: &Request,
    table: &'static Table,
    user: Uuid,
    time: &LocalTime,
) -> Result<Scope, Fault> {
    Ok(Scope {
        user,
        table,
        filter: filter::check(table, request.filter.as_ref(), time)?,
        search: search(table, request)?,
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
    // The first part of a text is always there.
    let word = target.split('.').next().unwrap_or_default();
    // What names no sector has no tables to be told.
    let targets: Vec<String> = word
        .parse()
        .map(|sector| catalog::sector(sector).iter().map(Table::target).collect())
        .unwrap_or_default();
    let main = targets.first().map(String::as_str);
    let near = nearest(target, targets.iter().map(String::as_str));
    let right = main.filter(|_| target == word).or(near);
    // Where no table is near, none is suggested.
    let right = right.unwrap_or_default();
    let text = format!(
        "`target` {} is no table; the nearest is {right}; the tables of {word} are: {}",
        quoted(target),
        targets.join(", ")
    );
    Err(Fault::new(text).set("target", right))
}

/// The fault of a list of names, which may only be written in another way.
fn reshaped(fault: Fault, argument: &str, names: &[String]) -> Fault {
    let written = json!(names);
    let meant = shapes::names(&written);
    fault.rather_set(argument, (meant != written).then_some(meant))
}

/// Refuses more names than an argument may hold.
fn at_most(argument: &str, names: &[String], count: usize) -> Result<(), Fault> {
    match names.get(..count) {
        Some(first) if names.len() > count => {
            let text = format!("`{argument}` has at most {count} fields");
            Err(Fault::new(text).set(argument, json!(first)))
        }
        _ => Ok(()),
    }
}

/// The column `name`.
///
/// # Errors
/// Names the nearest field.
pub fn find(table: &Table, name: &str) -> Result<Column, Fault> {
    Column::find(table, name).ok_or_else(|| {
        if let Some(present) = table.renamed(name) {
            let text = format!("`{name}` of {} is called `{present}` now", table.target());
            return Fault::new(text).field(name, present);
        }
        let right = fields::meant(table, name, column::all(table).map(|column| column.name))
            .unwrap_or("id");
        let text = format!(
            "{} has no field {}; the nearest is {right}, get_schema lists all",
            table.target(),
            quoted(name)
        );
        Fault::new(text).field(name, right)
    })
}

fn select(table: &Table, names: Option<&[String]>) -> Result<Vec<Column>, Fault> {
    let Some(names) = names else {
        return Ok(column::all(table).collect());
    };
    if names.iter().any(|name| name == EVERY) {
        let text = "`select` takes names of fields: leave it out for all of them";
        return Err(Fault::new(text).without("select"));
    }
    let mut columns: Vec<Column> = Vec::with_capacity(names.len());
    for name in names {
        if shapes::is_computed(name) {
            return Err(computed(names));
        }
        let column = find(table, name).map_err(|fault| reshaped(fault, "select", names))?;
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    Ok(columns)
}

/// What is computed has an argument of its own: the fields beside it are what is grouped by.
fn computed(names: &[String]) -> Fault {
    let fault = Fault::new(
        "`select` takes names of fields: what is computed goes into `aggregate`, and the fields beside it into `group_by`",
    );
    let (functions, fields) = shapes::computed_apart(names);
    if fields.is_empty() {
        fault.instead("select", "aggregate", functions)
    } else {
        fault.set("group_by", fields)
    }
}

fn search(table: &Table, request: &Request) -> Result<Option<String>, Fault> {
    let Some(text) = request.search.as_deref() else {
        return Ok(None);
    };
    if table.searchable().next().is_none() {
        return Err(not_searchable(table, text, request));
    }
    if !text.chars().any(char::is_alphanumeric) || text.contains('\0') {
        return Err(Fault::new("`search` needs at least one word").without("search"));
    }
    if text.chars().count() > SEARCH_CHARS_MAX {
        let first: String = text.chars().take(SEARCH_CHARS_MAX).collect();
        let text = format!("`search` has at most {SEARCH_CHARS_MAX} characters");
        return Err(Fault::new(text).set("search", first));
    }
    Ok(Some(text.to_owned()))
}

/// A text field can be asked for the same words, if there is one.
fn not_searchable(table: &Table, text: &str, request: &Request) -> Fault {
    let is_free = |field: &&catalog::Field| {
        field.kind == catalog::Kind::Text && field.values.is_empty() && field.reference.is_none()
    };
    let fault = Fault::new(format!(
        "{} has no searchable fields; use `where` with contains",
        table.target()
    ));
    let fault = match table.fields.iter().find(is_free) {
        Some(field) => {
            // A call may have no filter.
            let own = request.filter.clone().unwrap_or_default();
            let filter = conditions::beside(
                own,
                json!({field.name: {"contains": text.trim_matches('"')}}),
            );
            fault.instead("search", "where", filter)
        }
        None => fault,
    };
    fault.without("search")
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
