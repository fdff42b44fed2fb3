//! `ActivitySummary` to `health.days`: the rings of a day, as the watch itself counted them.
//!
//! Several devices count the same steps; the rings are what Apple made of them, so they are better than any sum of
//! samples and are pushed as the day's values. What a ring was not kept for is left out: it would stand for a zero.

use serde_json::json;

use super::element::HealthElement;
use super::times::day;
use super::values::{kilocalories, name_fault, number_attribute};
use crate::entry::RecordFields;

/// The rings: what is counted, towards which goal, and where both go.
const RINGS: [(&str, &str, &str, &str); 3] = [
    (
        "appleExerciseTime",
        "appleExerciseTimeGoal",
        "exercise_minutes",
        "exercise_goal_minutes",
    ),
    (
        "appleStandHours",
        "appleStandHoursGoal",
        "stand_hours",
        "stand_goal_hours",
    ),
    (
        "appleMoveTime",
        "appleMoveTimeGoal",
        "move_minutes",
        "move_goal_minutes",
    ),
];

/// The record of a day; `None` if nothing was counted on it: it is no entry.
pub(super) fn map(element: &HealthElement) -> Result<Option<RecordFields>, String> {
    let mut fields = RecordFields::new();
    let unit = element.get("activeEnergyBurnedUnit");
    let energy = |name| name_fault(name, kilocalories(element.get(name), unit));
    let burned = (
        energy("activeEnergyBurned")?,
        energy("activeEnergyBurnedGoal")?,
    );
    insert(&mut fields, ("energy_kcal", "energy_goal_kcal"), burned);
    for (name, goal, column, goal_column) in RINGS {
        let kept = (
            number_attribute(element, name)?,
            number_attribute(element, goal)?,
        );
        insert(&mut fields, (column, goal_column), kept);
    }
    if fields.is_empty() {
        return Ok(None);
    }
    let day = day(element, "dateComponents")?.to_string();
    fields.insert("id".to_owned(), day.as_str().into());
    fields.insert("day".to_owned(), day.into());
    Ok(Some(fields))
}

/// A ring that was kept has a goal, or at least a value.
fn insert(
    fields: &mut RecordFields,
    (column, goal_column): (&str, &str),
    (value, goal): (Option<f64>, Option<f64>),
) {
    let goal = goal.filter(|goal| *goal > 0.0);
    if let Some(value) = value.filter(|value| *value > 0.0 || goal.is_some()) {
        fields.insert(column.to_owned(), json!(value));
        if let Some(goal) = goal {
            fields.insert(goal_column.to_owned(), json!(goal));
        }
    }
}
