//! `group_by` and `aggregate`: groups of rows, and what is counted or added up of each.

mod key;
mod measure;

use uuid::Uuid;

pub use self::key::{Bucket, Key};
pub use self::measure::{Function, Measure};

use super::Scope;
use super::names;
use crate::catalog::Table;
use crate::query::budget::Budget;
use crate::query::fault::{Fault, quoted};
use crate::query::nearest::nearest;
use crate::query::repair::shapes;
use crate::query::request::{Format, Request};
use crate::query::time::LocalTime;
use crate::query::{GROUP_KEYS_MAX, ORDER_KEYS_MAX, ROWS_MAX};

/// A question for groups that can be compiled.
#[derive(Clone, Debug)]
pub struct Grouped {
    pub scope: Scope,
    /// None: all rows are one group.
    pub keys: Vec<Key>,
    pub measures: Vec<Measure>,
    /// Ends with the keys, so that no two groups are equal.
    pub order: Vec<GroupOrder>,
    pub limit: usize,
    pub budget: Budget,
    pub format: Format,
    pub time: LocalTime,
    pub notes: Vec<String>,
}

/// One key of the order of groups. Nulls come last in either direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupOrder {
    pub by: By,
    pub is_descending: bool,
}

/// What groups are ordered by: the key or the measure at this place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    Key(usize),
    Measure(usize),
}

/// Checks a request for groups, for `user` at `time`.
///
/// # Errors
/// The first fault, with its repair.
pub fn grouped(request: &Request, user: Uuid, time: &LocalTime) -> Result<Grouped, Fault> {
    let table = names::table(&request.target)?;
    refuse_what_rows_have(request)?;
    let mut notes = Vec::new();
    let scope = super::scope(request, table, user, time)?;
    // Without keys all rows are one group.
    let mut keys = keys(table, request.group_by.as_deref().unwrap_or_default())?;
    let measures = measure::check(table, request.aggregate.as_ref(), &keys)?;
    keep_unlike_apart(&scope, &measures, &mut keys, &mut notes)?;
    notes.extend(keys.iter().filter_map(Key::note));
    notes.extend(super::former::note(table, request));
    Ok(Grouped {
        order: order(&keys, &measures, &request.order_by)?,
        scope,
        keys,
        measures,
        limit: request.limit.unwrap_or(ROWS_MAX),
        budget: request.budget,
        format: request.format,
        time: *time,
        notes,
    })
}

fn refuse_what_rows_have(request: &Request) -> Result<(), Fault> {
    let refused = |name: &str, why: &str| Err(Fault::new(why).without(name));
    if let Some(names) = &request.select {
        let (functions, _) = shapes::computed_apart(names);
        if request.aggregate.is_none() && names.iter().any(|name| shapes::is_computed(name)) {
            let why = "groups have no `select`: what is computed goes into `aggregate`";
            return Err(Fault::new(why).instead("select", "aggregate", functions));
        }
        let why =
            "groups have the columns that `group_by` and `aggregate` name: leave `select` out";
        return refused("select", why);
    }
    if request.cursor.is_some() {
        let why = "groups have no cursor: they come at once, in the order of `order_by`";
        return refused("cursor", why);
    }
    if request.changed_since.is_some() {
        let why = "groups have no `changed_since`: ask for them anew";
        return refused("changed_since", why);
    }
    Ok(())
}

fn keys(table: &'static Table, names: &[String]) -> Result<Vec<Key>, Fault> {
    names::at_most("group_by", names, GROUP_KEYS_MAX)?;
    let mut keys: Vec<Key> = Vec::with_capacity(names.len());
    for name in names {
        let key = Key::parse(table, name).map_err(|fault| match shapes::is_computed(name) {
            true => fault,
            false => names::reshaped(fault, "group_by", names),
        })?;
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    Ok(keys)
}

/// Adds what values are measured in to the keys, where the rows may differ in it: unlike currencies and units are never
/// added.
fn keep_unlike_apart(
    scope: &Scope,
    measures: &[Measure],
    keys: &mut Vec<Key>,
    notes: &mut Vec<String>,
) -> Result<(), Fault> {
    for measure in measures.iter().filter(|measure| measure.is_of_values()) {
        let Some(column) = measure.column else {
            continue;
        };
        for name in column.measured_in {
            let unit = names::find(scope.table, name)?;
            let key = Key::whole(unit);
            if scope.fixes(&unit) || keys.contains(&key) {
                continue;
            }
            keys.push(key);
            notes.push(format!(
                "`{name}` was added to the groups: `{}` of unlike {name} is never mixed",
                column.name
            ));
        }
    }
    Ok(())
}

fn order(keys: &[Key], measures: &[Measure], names: &[String]) -> Result<Vec<GroupOrder>, Fault> {
    names::at_most("order_by", names, ORDER_KEYS_MAX)?;
    let mut order = names
        .iter()
        .map(|name| order_key(keys, measures, name))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|fault| names::reshaped(fault, "order_by", names))?;
    for place in 0..keys.len() {
        let by = By::Key(place);
        if order.iter().all(|key| key.by != by) {
            order.push(GroupOrder {
                by,
                is_descending: false,
            });
        }
    }
    Ok(order)
}

fn order_key(keys: &[Key], measures: &[Measure], name: &str) -> Result<GroupOrder, Fault> {
    let (is_descending, name) = match name.strip_prefix('-') {
        Some(name) => (true, name),
        None => (false, name),
    };
    let measure = measures.iter().position(|measure| measure.name == name);
    let key = || keys.iter().position(|key| key.name == name);
    // A bucket may be called by its field alone.
    let field = || keys.iter().position(|key| key.column.name == name);
    let by = measure
        .map(By::Measure)
        .or_else(|| key().or_else(field).map(By::Key));
    let by = by.ok_or_else(|| {
        let known = keys.iter().map(|key| key.name.as_str());
        let known: Vec<&str> = known
            .chain(measures.iter().map(|measure| measure.name.as_str()))
            .collect();
        // There is a key or a measure, or this would be no question for groups.
        let right = nearest(name, known.iter().copied()).unwrap_or_default();
        let text = format!(
            "groups are ordered by a key or an aggregate, not by {}; the nearest is {right}; there are: {}",
            quoted(name),
            known.join(", ")
        );
        Fault::new(text).word("order_by", name, right)
    })?;
    Ok(GroupOrder { by, is_descending })
}

#[cfg(test)]
mod tests;
