//! `where`: operators, lists, nulls, and `and`, `or`, `not`, resolved and typed.
//!
//! Logic has two values here: what is null is not equal to anything, so `ne` and `not_in` hold for it.

mod condition;

use serde_json::{Map, Value};

pub use self::condition::{Filter, Test};
use self::condition::{escape, not, one_or, whole_day};

use super::names;
use super::value::{self, Typed};
use crate::catalog::{Kind, Table};
use crate::query::column::{Column, Place};
use crate::query::fault::{Fault, quoted};
use crate::query::nearest::nearest;
use crate::query::operators::{OPERATORS, operator};
use crate::query::param::Param;
use crate::query::repair::{conditions, values};
use crate::query::time::LocalTime;

/// How deep `and`, `or`, `not` may nest.
const DEPTH_MAX: usize = 8;
/// Conditions in one `where`.
const CONDITIONS_MAX: usize = 100;
/// Values in one list.
const VALUES_MAX: usize = 500;

/// Checks a whole `where`.
pub(super) fn check(
    table: &'static Table,
    filter: Option<&Map<String, Value>>,
    time: &LocalTime,
) -> Result<Filter, Fault> {
    let Some(root) = filter else {
        return Ok(Filter::All(Vec::new()));
    };
    let mut reader = Reader {
        table,
        time,
        root,
        conditions: 0,
    };
    reader.object(root, 0)
}

struct Reader<'a> {
    table: &'static Table,
    time: &'a LocalTime,
    /// The whole of it, for faults to put right.
    root: &'a Map<String, Value>,
    conditions: usize,
}

impl Reader<'_> {
    fn object(&mut self, filter: &Map<String, Value>, depth: usize) -> Result<Filter, Fault> {
        if depth > DEPTH_MAX {
            return Err(Fault::new(format!(
                "`where` nests at most {DEPTH_MAX} deep"
            )));
        }
        let mut all = Vec::with_capacity(filter.len());
        for (name, value) in filter {
            all.push(match name.as_str() {
                "and" => Filter::All(self.list(name, value, depth)?),
                "or" => Filter::Any(self.list(name, value, depth)?),
                "not" => Filter::Not(Box::new(self.nested(name, value, depth)?)),
                field => self.field(field, value)?,
            });
        }
        Ok(one_or(all, Filter::All))
    }

    fn list(&mut self, name: &str, value: &Value, depth: usize) -> Result<Vec<Filter>, Fault> {
        match value {
            Value::Array(items) if !items.is_empty() => items
                .iter()
                .map(|item| self.nested(name, item, depth))
                .collect(),
            _ => Err(self.wrong_nesting(name)),
        }
    }

    fn nested(&mut self, name: &str, value: &Value, depth: usize) -> Result<Filter, Fault> {
        match value {
            Value::Object(filter) => self.object(filter, depth + 1),
            _ => Err(self.wrong_nesting(name)),
        }
    }

    fn wrong_nesting(&self, name: &str) -> Fault {
        let shape = if name == "not" {
            "an object"
        } else {
            "a list of objects"
        };
        Fault::new(format!("`{name}` in `where` takes {shape}"))
            .rather_set("where", self.normal())
            .set("where", conditions::without(self.root, name))
    }

    /// The same conditions, if they were only written in another way.
    fn normal(&self) -> Option<Value> {
        let is_field = |name: &str| Column::find(self.table, name).is_some();
        conditions::normal(self.root, &is_field)
    }

    fn field(&mut self, name: &str, value: &Value) -> Result<Filter, Fault> {
        let column = names::find(self.table, name)
            .map_err(|fault| fault.rather_set("where", self.normal()))?;
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
                Ok(one_or(all, Filter::All))
            }
            Value::Array(_) => self.test(&column, "in", value),
            Value::Null => self.test(&column, "is_null", &Value::Bool(true)),
            _ => self.test(&column, "eq", value),
        }
    }

    fn test(&mut self, column: &Column, operator: &str, value: &Value) -> Result<Filter, Fault> {
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

    fn read(&self, column: &Column, value: &Value) -> Result<Typed, Fault> {
        value::read(column, value, self.time).map_err(|wrong| {
            let repaired = |right| conditions::with_value(self.root, column.name, value, right);
            let wrong = wrong.or_looked_up(self.table, column, value);
            let fault = match &wrong.nearest {
                Some(nearest) => wrong.fault.set("where", repaired(Some(nearest))),
                None => wrong.fault,
            };
            fault.set("where", repaired(None))
        })
    }

    fn equal(&mut self, column: &Column, operator: &str, value: &Value) -> Result<Filter, Fault> {
        if value.is_null() {
            return Ok(Filter::Is(*column, Test::Null));
        }
        if value.is_array() {
            let right = if operator == "eq" { "in" } else { "not_in" };
            let what = format!("takes one value with `{operator}`; a list goes with `{right}`");
            return Err(self.unfit(column, operator, &what, right));
        }
        self.refuse_foreign_value(column, value)?;
        if operator == "eq" {
            self.refuse_stretch(column, value)?;
        }
        Ok(match self.read(column, value)? {
            Typed::Value(param) => Filter::Is(*column, Test::Equal(param)),
            Typed::WholeDay { start, end } => whole_day(column, start, end),
        })
    }

    fn one_of(&mut self, column: &Column, operator: &str, value: &Value) -> Result<Filter, Fault> {
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
            return Err(self.exchange(column, &what, value, first.into()));
        }
        let nulls = items.iter().filter(|item| item.is_null()).count();
        let mut values = Vec::new();
        let mut any = Vec::new();
        for item in items.iter().filter(|item| !item.is_null()) {
            self.refuse_foreign_value(column, item)?;
            match self.read(column, item)? {
                Typed::Value(param) => values.push(param),
                Typed::WholeDay { start, end } => any.push(whole_day(column, start, end)),
            }
        }
        any.extend(Param::list(values).map(|list| Filter::Is(*column, Test::OneOf(list))));
        any.extend((nulls > 0).then_some(Filter::Is(*column, Test::Null)));
        Ok(one_or(any, Filter::Any))
    }

    fn compare(&mut self, column: &Column, operator: &str, value: &Value) -> Result<Filter, Fault> {
        if !column.is_orderable() || matches!(column.kind, Kind::Id | Kind::Boolean) {
            let what = format!("is {}, which has no order", column.kind.name());
            return Err(self.unfit(column, operator, &what, "eq"));
        }
        let test = match (operator, self.read(column, value)?) {
            ("lt", Typed::Value(param)) => Test::Less(param),
            ("lte", Typed::Value(param)) => Test::LessOrEqual(param),
            ("gt", Typed::Value(param)) => Test::Greater(param),
            (_, Typed::Value(param)) => Test::GreaterOrEqual(param),
            ("lt", Typed::WholeDay { start, .. }) => Test::Less(start),
            ("lte", Typed::WholeDay { end, .. }) => Test::Less(end),
            ("gt", Typed::WholeDay { end, .. }) => Test::GreaterOrEqual(end),
            (_, Typed::WholeDay { start, .. }) => Test::GreaterOrEqual(start),
        };
        Ok(Filter::Is(*column, test))
    }

    fn like(&mut self, column: &Column, operator: &str, value: &Value) -> Result<Filter, Fault> {
        if !matches!(column.kind, Kind::Text | Kind::TextList | Kind::Json) {
            let what = format!("is {}, not text", column.kind.name());
            let right = if column.is_time() { "gte" } else { "eq" };
            return Err(self.unfit(column, operator, &what, right));
        }
        let Typed::Value(Param::Text(text)) = self.read(column, value)? else {
            return Err(self.unfit(column, operator, "takes a string", "eq"));
        };
        let wild = if operator == "contains" { "%" } else { "" };
        let pattern = format!("{wild}{}%", escape(&text));
        Ok(Filter::Is(*column, Test::Like(pattern)))
    }

    fn null(&mut self, column: &Column, value: &Value) -> Result<Filter, Fault> {
        let is_null = Filter::Is(*column, Test::Null);
        match value {
            Value::Bool(true) => Ok(is_null),
            Value::Bool(false) => Ok(not(is_null)),
            other => {
                let meant = values::flag(other).unwrap_or(true);
                Err(self.exchange(
                    column,
                    "takes true or false with `is_null`",
                    other,
                    meant.into(),
                ))
            }
        }
    }

    /// A value outside the field's list matches nothing, which would read as if there were nothing.
    fn refuse_foreign_value(&self, column: &Column, value: &Value) -> Result<(), Fault> {
        let is_known = |text: &str| column.values.is_empty() || column.values.contains(&text);
        if column.place != Place::Stored || value.as_str().is_none_or(is_known) {
            return Ok(());
        }
        // The list is not empty, so that one of its values is the nearest.
        let nearest = values::nearest(column, value, self.time).unwrap_or_default();
        let what = format!(
            "is only ever one of: {}; the nearest is {nearest}",
            column.values.join(", ")
        );
        Err(self.exchange(column, &what, value, nearest))
    }

    /// A month or a year is no time to be equal to: its first day alone would leave out the others.
    fn refuse_stretch(&self, column: &Column, value: &Value) -> Result<(), Fault> {
        let Some([from, to]) = values::stretch(column, value) else {
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

    fn unknown_operator(&self, column: &Column, unknown: &str) -> Fault {
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
            .rather_set("where", self.normal())
            .set("where", with(Some(right)))
            .set("where", with(None))
    }

    /// An operator that does not fit, where `right` does; or else there is no such test.
    fn unfit(&self, column: &Column, operator: &str, what: &str, right: &str) -> Fault {
        let with = |right| conditions::with_operator(self.root, column.name, operator, right);
        Fault::new(format!("`{}` {what}", column.name))
            .set("where", with(Some(right)))
            .set("where", with(None))
    }

    /// A value that does not fit, where `right` does.
    fn exchange(&self, column: &Column, what: &str, wrong: &Value, right: Value) -> Fault {
        let repaired = conditions::with_value(self.root, column.name, wrong, Some(&right));
        Fault::new(format!("`{}` {what}", column.name)).set("where", repaired)
    }
}
