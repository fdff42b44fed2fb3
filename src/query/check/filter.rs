//! Checks `where`: operators, lists, nulls, and `and`, `or`, `not`.
//!
//! Logic has two values here: null is not equal to anything, so `ne` and `not_in` hold for it.

mod condition;
mod faults;

use serde_json::{Map, Value};

pub use self::condition::{Condition, Test};
use self::condition::{escape, not, one_or, whole_day};

use super::names;
use super::value::{self, TypedValue};
use crate::catalog::{Kind, Table};
use crate::query::column::Column;
use crate::query::fault::Fault;
use crate::query::param::Param;
use crate::query::repair::{conditions, values};
use crate::query::time::LocalTime;

/// How deep `and`, `or`, `not` may nest.
const DEPTH_MAX: usize = 8;
/// The most tests in one `where`.
const CONDITIONS_MAX: usize = 100;
/// The most values in one list.
const VALUES_MAX: usize = 500;

/// Checks a whole `where`.
pub(super) fn check(
    table: &'static Table,
    filter: Option<&Map<String, Value>>,
    time: &LocalTime,
) -> Result<Condition, Fault> {
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
    fn object(&mut self, filter: &Map<String, Value>, depth: usize) -> Result<Condition, Fault> {
        if depth > DEPTH_MAX {
            return Err(Fault::new(format!(
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

    fn list(&mut self, name: &str, value: &Value, depth: usize) -> Result<Vec<Condition>, Fault> {
        match value {
            Value::Array(items) if !items.is_empty() => items
                .iter()
                .map(|item| self.nested(name, item, depth))
                .collect(),
            _ => Err(self.wrong_nesting(name)),
        }
    }

    fn nested(&mut self, name: &str, value: &Value, depth: usize) -> Result<Condition, Fault> {
        match value {
            Value::Object(filter) => self.object(filter, depth + 1),
            _ => Err(self.wrong_nesting(name)),
        }
    }

    fn field(&mut self, name: &str, value: &Value) -> Result<Condition, Fault> {
        let column = names::find(self.table, name)
            .map_err(|fault| fault.prefer_set("where", self.normalised()))?;
        match value {
            Value::Object(tests) if tests.is_empty() => {
                let text = format!("`{name}` needs an operator, such as {{\"is_null\": false}}");
                Err(Fault::new(text).set("where", conditions::without(self.root, name)))
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

    fn test(&mut self, column: &Column, operator: &str, value: &Value) -> Result<Condition, Fault> {
        self.conditions += 1;
        if self.conditions > CONDITIONS_MAX {
            return Err(Fault::new(format!(
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

    fn read(&self, column: &Column, value: &Value) -> Result<TypedValue, Fault> {
        value::read(column, value, self.time).map_err(|wrong| {
            let repaired = |right| conditions::with_value(self.root, column.name, value, right);
            let wrong = wrong.suggest_lookup(self.table, column, value);
            let fault = match &wrong.nearest {
                Some(nearest) => wrong.fault.set("where", repaired(Some(nearest))),
                None => wrong.fault,
            };
            fault.set("where", repaired(None))
        })
    }

    fn equal(
        &mut self,
        column: &Column,
        operator: &str,
        value: &Value,
    ) -> Result<Condition, Fault> {
        if value.is_null() {
            return Ok(Condition::Is(*column, Test::Null));
        }
        if value.is_array() {
            let right = if operator == "eq" { "in" } else { "not_in" };
            let what = format!("takes one value with `{operator}`; a list goes with `{right}`");
            return Err(self.unfit(column, operator, &what, right));
        }
        self.refuse_foreign_value(column, value)?;
        if operator == "eq" {
            self.refuse_interval(column, value)?;
        }
        Ok(match self.read(column, value)? {
            TypedValue::Value(param) => Condition::Is(*column, Test::Equal(param)),
            TypedValue::WholeDay { start, end } => whole_day(column, start, end),
        })
    }

    fn one_of(
        &mut self,
        column: &Column,
        operator: &str,
        value: &Value,
    ) -> Result<Condition, Fault> {
        let Value::Array(items) = value else {
            let right = if operator == "in" { "eq" } else { "ne" };
            let what = format!("takes a list with `{operator}`; one value goes with `{right}`");
            return Err(self.unfit(column, operator, &what, right));
        };
        if items.len() > VALUES_MAX {
            let first: Vec<Value> = items.iter().take(VALUES_MAX).cloned().collect();
            let what = format!(
                "takes a list of at most {VALUES_MAX} values: ask for the rest in another call"
            );
            return Err(self.replace_value(column, &what, value, first.into()));
        }
        let nulls = items.iter().filter(|item| item.is_null()).count();
        let mut values = Vec::new();
        let mut any = Vec::new();
        for item in items.iter().filter(|item| !item.is_null()) {
            self.refuse_foreign_value(column, item)?;
            match self.read(column, item)? {
                TypedValue::Value(param) => values.push(param),
                TypedValue::WholeDay { start, end } => any.push(whole_day(column, start, end)),
            }
        }
        any.extend(Param::list(values).map(|list| Condition::Is(*column, Test::OneOf(list))));
        any.extend((nulls > 0).then_some(Condition::Is(*column, Test::Null)));
        Ok(one_or(any, Condition::Any))
    }

    fn compare(
        &mut self,
        column: &Column,
        operator: &str,
        value: &Value,
    ) -> Result<Condition, Fault> {
        if !column.is_orderable() || matches!(column.kind, Kind::Id | Kind::Boolean) {
            let what = format!("is {}, which has no order", column.kind.name());
            return Err(self.unfit(column, operator, &what, "eq"));
        }
        let test = match (operator, self.read(column, value)?) {
            ("lt", TypedValue::Value(param)) => Test::Less(param),
            ("lte", TypedValue::Value(param)) => Test::LessOrEqual(param),
            ("gt", TypedValue::Value(param)) => Test::Greater(param),
            (_, TypedValue::Value(param)) => Test::GreaterOrEqual(param),
            ("lt", TypedValue::WholeDay { start, .. }) => Test::Less(start),
            ("lte", TypedValue::WholeDay { end, .. }) => Test::Less(end),
            ("gt", TypedValue::WholeDay { end, .. }) => Test::GreaterOrEqual(end),
            (_, TypedValue::WholeDay { start, .. }) => Test::GreaterOrEqual(start),
        };
        Ok(Condition::Is(*column, test))
    }

    fn like(&mut self, column: &Column, operator: &str, value: &Value) -> Result<Condition, Fault> {
        if !matches!(column.kind, Kind::Text | Kind::TextList | Kind::Json) {
            let what = format!("is {}, not text", column.kind.name());
            let right = if column.is_time() { "gte" } else { "eq" };
            return Err(self.unfit(column, operator, &what, right));
        }
        let TypedValue::Value(Param::Text(text)) = self.read(column, value)? else {
            return Err(self.unfit(column, operator, "takes a string", "eq"));
        };
        let wild = if operator == "contains" { "%" } else { "" };
        let pattern = format!("{wild}{}%", escape(&text));
        Ok(Condition::Is(*column, Test::Like(pattern)))
    }

    fn null(&mut self, column: &Column, value: &Value) -> Result<Condition, Fault> {
        let is_null = Condition::Is(*column, Test::Null);
        match value {
            Value::Bool(true) => Ok(is_null),
            Value::Bool(false) => Ok(not(is_null)),
            other => {
                let meant = values::flag(other).unwrap_or(true);
                Err(self.replace_value(
                    column,
                    "takes true or false with `is_null`",
                    other,
                    meant.into(),
                ))
            }
        }
    }
}
