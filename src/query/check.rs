//! Checks a request: every name is resolved in the catalogue, every value is typed. Pure.
//!
//! Whether the sector is granted was decided before (`calls::target`).

mod checked;
mod filter;
mod former;
mod group;
mod names;
mod order;
mod scope;
mod since;
mod value;

use self::names::prefer_reshaped;
use serde_json::json;
use uuid::Uuid;

pub use checked::{CheckedQuery, RowQuery};
pub use filter::{Condition, Test};
pub use group::{
    Bucket, Function, GroupColumn, GroupKey, GroupOrderKey, GroupQuery, Measure, check_groups,
};
pub use names::{find, table};
pub use order::OrderKey;
pub use scope::RowScope;

use super::ROWS_DEFAULT;
use super::column::{self, Column};
use super::cost;
use super::cursor::{self, PagePosition};
use super::fault::CallFault;
use super::repair::{conditions, shapes};
use super::request::Request;
use super::time::LocalTime;
use crate::catalog::{self, Table};

/// The most characters of `search`.
const SEARCH_CHARS_MAX: usize = 1000;
/// What SQL calls every field.
const EVERY: &str = "*";

/// Checks a request for rows, for `user` at `time`.
///
/// # Errors
/// The first fault, with its repair.
pub fn check_rows(request: &Request, user: Uuid, time: &LocalTime) -> Result<RowQuery, CallFault> {
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
    Ok(RowQuery {
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

/// Checks a request for rows or for groups, and that it does not cost too much.
///
/// # Errors
/// As [`check_rows`] and [`check_groups`], or when it costs too much.
pub fn check_query(
    request: &Request,
    user: Uuid,
    time: &LocalTime,
) -> Result<CheckedQuery, CallFault> {
    let question = if request.is_grouped() {
        CheckedQuery::Groups(check_groups(request, user, time)?)
    } else {
        CheckedQuery::Rows(check_rows(request, user, time)?)
    };
    cost::check(&question, request)?;
    Ok(question)
}

/// The rows that `where` and `search` select.
fn scope(
    request: &Request,
    table: &'static Table,
    user: Uuid,
    time: &LocalTime,
) -> Result<RowScope, CallFault> {
    Ok(RowScope {
        user,
        table,
        filter: filter::check(table, request.filter.as_ref(), time)?,
        search: search(table, request)?,
    })
}

fn select(table: &Table, names: Option<&[String]>) -> Result<Vec<Column>, CallFault> {
    let Some(names) = names else {
        return Ok(column::all(table).collect());
    };
    if names.iter().any(|name| name == EVERY) {
        let text = "`select` takes names of fields: leave it out for all of them";
        return Err(CallFault::new(text).without("select"));
    }
    let mut columns: Vec<Column> = Vec::with_capacity(names.len());
    for name in names {
        if shapes::is_computed(name) {
            return Err(computed(names));
        }
        let column = find(table, name).map_err(|fault| prefer_reshaped(fault, "select", names))?;
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    Ok(columns)
}

/// The fault of a `select` with functions: they belong in `aggregate`, and the fields beside them in `group_by`.
fn computed(names: &[String]) -> CallFault {
    let fault = CallFault::new(
        "`select` takes names of fields: what is computed goes into `aggregate`, and the fields beside it into `group_by`",
    );
    let (functions, fields) = shapes::split_computed(names);
    if fields.is_empty() {
        fault.replace_argument("select", "aggregate", functions)
    } else {
        fault.set("group_by", fields)
    }
}

fn search(table: &Table, request: &Request) -> Result<Option<String>, CallFault> {
    let Some(text) = request.search.as_deref() else {
        return Ok(None);
    };
    if table.searchable().next().is_none() {
        return Err(not_searchable(table, text, request));
    }
    if !text.chars().any(char::is_alphanumeric) || text.contains('\0') {
        return Err(CallFault::new("`search` needs at least one word").without("search"));
    }
    if text.chars().count() > SEARCH_CHARS_MAX {
        let first: String = text.chars().take(SEARCH_CHARS_MAX).collect();
        let text = format!("`search` has at most {SEARCH_CHARS_MAX} characters");
        return Err(CallFault::new(text).set("search", first));
    }
    Ok(Some(text.to_owned()))
}

/// Suggests a `contains` on the table's first text field, if there is one.
fn not_searchable(table: &Table, text: &str, request: &Request) -> CallFault {
    let is_free = |field: &&catalog::Field| {
        field.kind == catalog::Kind::Text && field.values.is_empty() && field.reference.is_none()
    };
    let fault = CallFault::new(format!(
        "{} has no searchable fields; use `where` with contains",
        table.target()
    ));
    let fault = match table.fields.iter().find(is_free) {
        Some(field) => {
            // A call may have no filter.
            let own = request.filter.clone().unwrap_or_default();
            let filter = conditions::with_condition(
                own,
                json!({field.name: {"contains": text.trim_matches('"')}}),
            );
            fault.replace_argument("search", "where", filter)
        }
        None => fault,
    };
    fault.without("search")
}

fn after(
    request: &Request,
    order: &[OrderKey],
    digest: &str,
) -> Result<Option<PagePosition>, CallFault> {
    request
        .cursor
        .as_deref()
        .map(|cursor| cursor::decode(cursor, digest, order))
        .transpose()
}

#[cfg(test)]
mod tests;
