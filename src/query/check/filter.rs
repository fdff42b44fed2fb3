//! Checks `where`: operators, lists, nulls, and `and`, `or`, `not`.
//!
//! Logic has two values here: null is not equal to anything, so `ne` and `not_in` hold for it.

mod condition;
mod faults;
mod operators;

use serde_json::{Map, Value};

pub use self::condition::{Condition, Test};
use self::condition::{not, one_or};

use super::names;
use crate::catalog::Table;
use crate::query::column::Column;
use crate::query::fault::CallFault;
use crate::query::repair::conditions;
use crate::query::time::LocalTime;

/// How deep `and`, `or`, `not` may nest.
const DEPTH_MAX: usize = 8;
/// The most tests in one `where`.
const CONDITIONS_MAX: usize = 100;

/// Checks a whole `where`.
pub(super) fn check(
    table: &'static Table,
    filter: Option<&Map<String, Value>>,
    time: &LocalTime,
) -> Result<Condition, CallFault> {
    let Some(root) = filter else {
        return Ok(Condition::All(Vec::new()));
    };
    let mut reader = ConditionReader {
        table,
        time,
        root,
        conditions: 0,
    };
    reader.object(root, 0)
}

/// Reads one `where`.
struct ConditionReader<'a> {
    table: &'static Table,
    time: &'a LocalTime,
    /// The whole `where`, from which faults make a corrected one.
    root: &'a Map<String, Value>,
    /// Tests read so far.
    conditions: usize,
}

impl ConditionReader<'_> {
    fn object(
        &mut self,
        filter: &Map<String, Value>,
        depth: usize,
    ) -> Result<Condition, CallFault> {
        if depth > DEPTH_MAX {
            return Err(CallFault::new(format!(
                "`where` nests at most {DEPTH_MAX} deep"
            )));
        }
        let mut all = Vec::with_capacity(filter.len());
        for (name, value) in filter {
            all.push(match name.as_str() {
                "and" => Condition::All(self.list(name, value, depth)?),
                "or" => Condition::Any(self.list(name, value, depth)?),
                "not" => Condition::Not(Box::new(self.nested(name, value, depth)?)),
                field => self.field(field, value)?,
            });
        }
        Ok(one_or(all, Condition::All))
    }

    fn list(
        &mut self,
        name: &str,
        value: &Value,
        depth: usize,
    ) -> Result<Vec<Condition>, CallFault> {
        match value {
            Value::Array(items) if !items.is_empty() => items
                .iter()
                .map(|item| self.nested(name, item, depth))
                .collect(),
            _ => Err(self.wrong_nesting(name)),
        }
    }

    fn nested(&mut self, name: &str, value: &Value, depth: usize) -> Result<Condition, CallFault> {
        match value {
            Value::Object(filter) => self.object(filter, depth + 1),
            _ => Err(self.wrong_nesting(name)),
        }
    }

    fn field(&mut self, name: &str, value: &Value) -> Result<Condition, CallFault> {
        let column = names::find(self.table, name)
            .map_err(|fault| fault.prefer_set("where", self.normalised()))?;
        match value {
            Value::Object(tests) if tests.is_empty() => {
                let text = format!("`{name}` needs an operator, such as {{\"is_null\": false}}");
                Err(CallFault::new(text).set("where", conditions::without(self.root, name)))
            }
            Value::Object(tests) => {
                let mut all = Vec::with_capacity(tests.len());
                for (operator, value) in tests {
                    all.push(self.test(&column, operator, value)?);
                }
                Ok(one_or(all, Condition::All))
            }
            Value::Array(_) => self.test(&column, "in", value),
            Value::Null => self.test(&column, "is_null", &Value::Bool(true)),
            _ => self.test(&column, "eq", value),
        }
    }

    fn test(
        &mut self,
        column: &Column,
        operator: &str,
        value: &Value,
    ) -> Result<Condition, CallFault> {
        self.conditions += 1;
        if self.conditions > CONDITIONS_MAX {
            return Err(CallFault::new(format!(
                "`where` has at most {CONDITIONS_MAX} conditions: a list takes many values in one"
            )));
        }
        match operator {
            "eq" => self.equal(column, operator, value),
            "ne" => Ok(not(self.equal(column, operator, value)?)),
            "in" => self.one_of(column, operator, value),
            "not_in" => Ok(not(self.one_of(column, operator, value)?)),
            "lt" | "lte" | "gt" | "gte" => self.compare(column, operator, value),
            "contains" => self.like(column, operator, value),
            "starts_with" => self.like(column, operator, value),
            "is_null" => self.null(column, value),
            unknown => Err(self.unknown_operator(column, unknown)),
        }
    }
}
