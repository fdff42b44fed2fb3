//! Checks `group_by` and `aggregate`: groups of rows, and what is computed of each.

mod key;
mod measure;

use uuid::Uuid;

pub use self::key::{Bucket, GroupKey};
pub use self::measure::{Function, Measure};

use super::RowScope;
use super::names;
use crate::catalog::Table;
use crate::query::budget::TokenBudget;
use crate::query::fault::{CallFault, quoted};
use crate::query::nearest::nearest;
use crate::query::repair::shapes;
use crate::query::request::{Request, RowFormat};
use crate::query::time::LocalTime;
use crate::query::{GROUP_KEYS_MAX, ORDER_KEYS_MAX, ROWS_MAX};

/// A query for groups that can be compiled.
#[derive(Clone, Debug)]
pub struct GroupQuery {
    pub scope: RowScope,
    /// Without keys all rows are one group.
    pub keys: Vec<GroupKey>,
    pub measures: Vec<Measure>,
    /// Ends with the keys, so that no two groups are equal.
    pub order: Vec<GroupOrderKey>,
    pub limit: usize,
    pub budget: TokenBudget,
    pub format: RowFormat,
    /// The zone of the buckets.
    pub time: LocalTime,
    /// What the answer says beside its groups.
    pub notes: Vec<String>,
}

/// One key of the order of groups. Nulls come last in either direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupOrderKey {
    pub by: GroupColumn,
    pub is_descending: bool,
}

/// A column of the groups: the index of a key or of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupColumn {
    Key(usize),
    Measure(usize),
}

/// Checks a request for groups, for `user` at `time`.
///
/// # Errors
/// The first fault, with its repair.
pub fn check_groups(
    request: &Request,
    user: Uuid,
    time: &LocalTime,
) -> Result<GroupQuery, CallFault> {
    let table = names::table(&request.target)?;
    refuse_what_rows_have(request)?;
    let mut notes = Vec::new();
    let scope = super::scope(request, table, user, time)?;
    // Without keys all rows are one group.
    let mut keys = keys(table, request.group_by.as_deref().unwrap_or_default())?;
    let measures = measure::check(table, request.aggregate.as_ref(), &keys)?;
    keep_unlike_apart(&scope, &measures, &mut keys, &mut notes)?;
    notes.extend(keys.iter().filter_map(GroupKey::note));
    notes.extend(super::former::note(table, request));
    Ok(GroupQuery {
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

fn refuse_what_rows_have(request: &Request) -> Result<(), CallFault> {
    let refused = |name: &str, why: &str| Err(CallFault::new(why).without(name));
    if let Some(names) = &request.select {
        let (functions, _) = shapes::split_computed(names);
        if request.aggregate.is_none() && names.iter().any(|name| shapes::is_computed(name)) {
            let why = "groups have no `select`: what is computed goes into `aggregate`";
            return Err(CallFault::new(why).replace_argument("select", "aggregate", functions));
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

fn keys(table: &'static Table, names: &[String]) -> Result<Vec<GroupKey>, CallFault> {
    names::check_count("group_by", names, GROUP_KEYS_MAX)?;
    let mut keys: Vec<GroupKey> = Vec::with_capacity(names.len());
    for name in names {
        let key =
            GroupKey::parse(table, name).map_err(|fault| match shapes::is_computed(name) {
                true => fault,
                false => names::prefer_reshaped(fault, "group_by", names),
            })?;
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    Ok(keys)
}

/// Adds the unit or currency of each measure to the keys, where the rows may differ in it: amounts of different units are
/// never added up.
fn keep_unlike_apart(
    scope: &RowScope,
    measures: &[Measure],
    keys: &mut Vec<GroupKey>,
    notes: &mut Vec<String>,
) -> Result<(), CallFault> {
    for measure in measures.iter().filter(|measure| measure.mixes_values()) {
        let Some(column) = measure.column else {
            continue;
        };
        for name in column.measured_in {
            let unit = names::find(scope.table, name)?;
            let key = GroupKey::whole(unit);
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

fn order(
    keys: &[GroupKey],
    measures: &[Measure],
    names: &[String],
) -> Result<Vec<GroupOrderKey>, CallFault> {
    names::check_count("order_by", names, ORDER_KEYS_MAX)?;
    let mut order = names
        .iter()
        .map(|name| order_key(keys, measures, name))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|fault| names::prefer_reshaped(fault, "order_by", names))?;
    for index in 0..keys.len() {
        let by = GroupColumn::Key(index);
        if order.iter().all(|key| key.by != by) {
            order.push(GroupOrderKey {
                by,
                is_descending: false,
            });
        }
    }
    Ok(order)
}

fn order_key(
    keys: &[GroupKey],
    measures: &[Measure],
    name: &str,
) -> Result<GroupOrderKey, CallFault> {
    let (is_descending, name) = match name.strip_prefix('-') {
        Some(name) => (true, name),
        None => (false, name),
    };
    let measure = measures.iter().position(|measure| measure.name == name);
    let key = || keys.iter().position(|key| key.name == name);
    // A bucket may be named by its field alone.
    let field = || keys.iter().position(|key| key.column.name == name);
    let by = measure
        .map(GroupColumn::Measure)
        .or_else(|| key().or_else(field).map(GroupColumn::Key));
    let by = by.ok_or_else(|| {
        let known = keys.iter().map(|key| key.name.as_str());
        let known: Vec<&str> = known
            .chain(measures.iter().map(|measure| measure.name.as_str()))
            .collect();
        // A query for groups has at least one key or measure.
        let right = nearest(name, known.iter().copied()).unwrap_or_default();
        let text = format!(
            "groups are ordered by a key or an aggregate, not by {}; the nearest is {right}; there are: {}",
            quoted(name),
            known.join(", ")
        );
        CallFault::new(text).replace_word("order_by", name, right)
    })?;
    Ok(GroupOrderKey { by, is_descending })
}

#[cfg(test)]
mod tests;
