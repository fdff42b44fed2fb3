//! Resolves names of tables and fields in the catalogue, or refuses them with the name that was probably meant.

use serde_json::json;

use crate::catalog::{self, Table};
use crate::query::column::{self, Column};
use crate::query::fault::{CallFault, quoted};
use crate::query::nearest::nearest;
use crate::query::repair::{fields, shapes};

/// The table that a target names.
///
/// # Errors
/// Names the tables of the sector, and the nearest.
pub fn table(target: &str) -> Result<&'static Table, CallFault> {
    if let Some(table) = catalog::by_target(target) {
        return Ok(table);
    }
    // The first part of a text is always there.
    let word = target.split('.').next().unwrap_or_default();
    // A word that is no sector has no tables.
    let targets: Vec<String> = word
        .parse()
        .map(|sector| catalog::sector(sector).iter().map(Table::target).collect())
        .unwrap_or_default();
    let main = targets.first().map(String::as_str);
    let near = nearest(target, targets.iter().map(String::as_str));
    let right = main.filter(|_| target == word).or(near);
    // Without tables there is nothing to suggest.
    let right = right.unwrap_or_default();
    let text = format!(
        "`target` {} is no table; the nearest is {right}; the tables of {word} are: {}",
        quoted(target),
        targets.join(", ")
    );
    Err(CallFault::new(text).set("target", right))
}

/// `fault` with the list in our shape as its first correction, if only the shape was wrong.
pub(super) fn prefer_reshaped(fault: CallFault, argument: &str, names: &[String]) -> CallFault {
    let original = json!(names);
    let normalised = shapes::names(&original);
    fault.prefer_set(argument, (normalised != original).then_some(normalised))
}

/// Refuses more than `count` names in an argument.
pub(super) fn check_count(argument: &str, names: &[String], count: usize) -> Result<(), CallFault> {
    match names.get(..count) {
        Some(first) if names.len() > count => {
            let text = format!("`{argument}` has at most {count} fields");
            Err(CallFault::new(text).set(argument, json!(first)))
        }
        _ => Ok(()),
    }
}

/// The column `name`.
///
/// # Errors
/// Names the nearest field.
pub fn find(table: &Table, name: &str) -> Result<Column, CallFault> {
    Column::find(table, name).ok_or_else(|| {
        if let Some(present) = table.renamed(name) {
            let text = format!("`{name}` of {} is called `{present}` now", table.target());
            return CallFault::new(text).rename_field(name, present);
        }
        let right =
            fields::nearest_field(table, name, column::all(table).map(|column| column.name))
                .unwrap_or("id");
        let text = format!(
            "{} has no field {}; the nearest is {right}, get_schema lists all",
            table.target(),
            quoted(name)
        );
        CallFault::new(text).rename_field(name, right)
    })
}
