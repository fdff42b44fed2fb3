//! What is wrong with a condition, and the `where` that is right.

use serde_json::{Map, Value};

use super::ConditionReader;
use crate::query::column::{Column, Location};
use crate::query::fault::{Fault, quoted};
use crate::query::nearest::nearest;
use crate::query::operators::{OPERATORS, operator};
use crate::query::repair::{conditions, values};

impl ConditionReader<'_> {
    pub(super) fn wrong_nesting(&self, name: &str) -> Fault {
        let shape = if name == "not" {
            "an object"
        } else {
            "a list of objects"
        };
        Fault::new(format!("`{name}` in `where` takes {shape}"))
            .prefer_set("where", self.normalised())
            .set("where", conditions::without(self.root, name))
    }

    /// The same conditions, if they were only written in another way.
    pub(super) fn normalised(&self) -> Option<Value> {
        let is_field = |name: &str| Column::find(self.table, name).is_some();
        conditions::normalised(self.root, &is_field)
    }

    /// A value outside the field's list matches nothing, which would read as if there were nothing.
    pub(super) fn refuse_foreign_value(&self, column: &Column, value: &Value) -> Result<(), Fault> {
        let is_known = |text: &str| column.values.is_empty() || column.values.contains(&text);
        if column.location != Location::Stored || value.as_str().is_none_or(is_known) {
            return Ok(());
        }
        let nearest = values::nearest(column, value, self.time).unwrap_or_default();
        let what = format!(
            "is only ever one of: {}; the nearest is {nearest}",
            column.values.join(", ")
        );
        Err(self.replace_value(column, &what, value, nearest))
    }

    /// A month or a year is no time to be equal to: its first day alone would leave out the others.
    pub(super) fn refuse_interval(&self, column: &Column, value: &Value) -> Result<(), Fault> {
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
        Err(Fault::new(text).set("where", repaired))
    }

    pub(super) fn unknown_operator(&self, column: &Column, unknown: &str) -> Fault {
        let right = nearest(unknown, OPERATORS.iter().copied()).unwrap_or("eq");
        let right = operator(unknown).unwrap_or(right);
        let text = format!(
            "unknown operator {} on `{}`; the nearest is {right}; the operators are: {}",
            quoted(unknown),
            column.name,
            OPERATORS.join(", ")
        );
        let with = |right| conditions::with_operator(self.root, column.name, unknown, right);
        Fault::new(text)
            .prefer_set("where", self.normalised())
            .set("where", with(Some(right)))
            .set("where", with(None))
    }

    /// An operator that does not fit, where `right` does; or else there is no such test.
    pub(super) fn unfit(&self, column: &Column, operator: &str, what: &str, right: &str) -> Fault {
        let with = |right| conditions::with_operator(self.root, column.name, operator, right);
        Fault::new(format!("`{}` {what}", column.name))
            .set("where", with(Some(right)))
            .set("where", with(None))
    }

    /// A value that does not fit, where `right` does.
    pub(super) fn replace_value(
        &self,
        column: &Column,
        what: &str,
        wrong: &Value,
        right: Value,
    ) -> Fault {
        let repaired = conditions::with_value(self.root, column.name, wrong, Some(&right));
        Fault::new(format!("`{}` {what}", column.name)).set("where", repaired)
    }
}
