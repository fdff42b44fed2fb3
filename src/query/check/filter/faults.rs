//! The faults of a condition, each with a corrected `where`.

use serde_json::{Map, Value};

use super::ConditionReader;
use crate::query::column::{Column, Location};
use crate::query::fault::{CallFault, quoted};
use crate::query::nearest::nearest;
use crate::query::operators::{OPERATORS, operator};
use crate::query::repair::{conditions, values};

impl ConditionReader<'_> {
    pub(super) fn wrong_nesting(&self, name: &str) -> CallFault {
        let shape = if name == "not" {
            "an object"
        } else {
            "a list of objects"
        };
        CallFault::new(format!("`{name}` in `where` takes {shape}"))
            .prefer_set("where", self.normalised())
            .set("where", conditions::without(self.root, name))
    }

    /// The same conditions in our shape, if only the shape was wrong.
    pub(super) fn normalised(&self) -> Option<Value> {
        let is_field = |name: &str| Column::find(self.table, name).is_some();
        conditions::normalised(self.root, &is_field)
    }

    /// Refuses a value that the field never has: it would match no row, which would look as if there were none.
    pub(super) fn refuse_foreign_value(
        &self,
        column: &Column,
        value: &Value,
    ) -> Result<(), CallFault> {
        let is_known = |text: &str| column.values.is_empty() || column.values.contains(&text);
        if column.location != Location::Stored || value.as_str().is_none_or(is_known) {
            return Ok(());
        }
        // The list is not empty, so one of its values is the nearest.
        let nearest = values::nearest(column, value, self.time).unwrap_or_default();
        let what = format!(
            "is only ever one of: {}; the nearest is {nearest}",
            column.values.join(", ")
        );
        Err(self.replace_value(column, &what, value, nearest))
    }

    /// Refuses equality with a month or a year: read as its first day, it would leave out all others.
    pub(super) fn refuse_interval(&self, column: &Column, value: &Value) -> Result<(), CallFault> {
        let Some([from, to]) = values::calendar_interval(column, value) else {
            return Ok(());
        };
        let tests = Map::from_iter([
            ("gte".to_owned(), from.into()),
            ("lt".to_owned(), to.into()),
        ]);
        let text = format!(
            "`{}` takes a day, not {value}; the whole of it is {}",
            column.name,
            Value::Object(tests.clone())
        );
        let repaired = conditions::with_tests(self.root, column.name, value, &tests);
        Err(CallFault::new(text).set("where", repaired))
    }

    pub(super) fn unknown_operator(&self, column: &Column, unknown: &str) -> CallFault {
        let right = nearest(unknown, OPERATORS.iter().copied()).unwrap_or("eq");
        let right = operator(unknown).unwrap_or(right);
        let text = format!(
            "unknown operator {} on `{}`; the nearest is {right}; the operators are: {}",
            quoted(unknown),
            column.name,
            OPERATORS.join(", ")
        );
        let with = |right| conditions::with_operator(self.root, column.name, unknown, right);
        CallFault::new(text)
            .prefer_set("where", self.normalised())
            .set("where", with(Some(right)))
            .set("where", with(None))
    }

    /// The fault of an operator that the column does not take: corrected to `right`, or without the test.
    pub(super) fn unfit(
        &self,
        column: &Column,
        operator: &str,
        what: &str,
        right: &str,
    ) -> CallFault {
        let with = |right| conditions::with_operator(self.root, column.name, operator, right);
        CallFault::new(format!("`{}` {what}", column.name))
            .set("where", with(Some(right)))
            .set("where", with(None))
    }

    /// The fault of the value `wrong`, corrected to `right`.
    pub(super) fn replace_value(
        &self,
        column: &Column,
        what: &str,
        wrong: &Value,
        right: Value,
    ) -> CallFault {
        let repaired = conditions::with_value(self.root, column.name, wrong, Some(&right));
        CallFault::new(format!("`{}` {what}", column.name)).set("where", repaired)
    }
}
