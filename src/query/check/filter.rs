//! `where`: operators, lists, nulls, and `and`, `or`, `not`, resolved and typed.
//!
//! Logic has two values here: what is null is not equal to anything, so `ne` and `not_in` hold for it.

mod condition;

use serde_json::{Map, Value, json};

pub use self::condition::{Filter, Test};
use self::condition::{escape, not, one_or, whole_day};

use super::value::{self, Typed};
use crate::catalog::{Kind, Table};
use crate::query::column::{Column, Place};
use crate::query::fault::{Fault, quoted};
use crate::query::nearest::nearest;
use crate::query::param::Param;
use crate::query::time::LocalTime;

/// How deep `and`, `or`, `not` may nest.
const DEPTH_MAX: usize = 8;
/// Conditions in one `where`.
const CONDITIONS_MAX: usize = 100;
/// Values in one list.
const VALUES_MAX: usize = 500;

const OPERATORS: &[&str] = &[
    "eq",
    "ne",
    "lt",
    "lte",
    "gt",
    "gte",
    "in",
    "not_in",
    "contains",
    "starts_with",
    "is_null",
];

/// Checks a whole `where`; what does not fail but may surprise goes to `notes`.
pub(super) fn check(
    table: &'static Table,
    filter: Option<&Map<String, Value>>,
    time: &LocalTime,
    notes: &mut Vec<String>,
) -> Result<Filter, Fault> {
    let mut reader = Reader {
        table,
        time,
        notes,
        conditions: 0,
    };
    filter.map_or(Ok(Filter::All(Vec::new())), |filter| {
        reader.object(filter, 0)
    })
}

struct Reader<'a> {
    table: &'static Table,
    time: &'a LocalTime,
    notes: &'a mut Vec<String>,
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
        let field = self.table.fields.first().map_or("id", |field| field.name);
        let condition = json!({field: {"is_null": false}});
        let value = if name == "not" {
            condition
        } else {
            json!([condition])
        };
        let shape = if name == "not" {
            "an object"
        } else {
            "a list of objects"
        };
        Fault::new(format!("`{name}` in `where` takes {shape}"))
            .example(json!({"target": self.table.target(), "where": {name: value}}))
    }

    fn field(&mut self, name: &str, value: &Value) -> Result<Filter, Fault> {
        let column = super::find(self.table, name)?;
        match value {
            Value::Object(tests) if tests.is_empty() => {
                Err(self.wrong(&column, "needs an operator"))
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
                "`where` has at most {CONDITIONS_MAX} conditions"
            )));
        }
        match operator {
            "eq" => self.equal(column, value),
            "ne" => Ok(not(self.equal(column, value)?)),
            "in" => self.one_of(column, value),
            "not_in" => Ok(not(self.one_of(column, value)?)),
            "lt" | "lte" | "gt" | "gte" => self.compare(column, operator, value),
            "contains" => self.like(column, operator, value),
            "starts_with" => self.like(column, operator, value),
            "is_null" => self.null(column, value),
            unknown => Err(self.unknown_operator(column, unknown)),
        }
    }

    fn read(&self, column: &Column, value: &Value) -> Result<Typed, Fault> {
        value::read(column, value, self.time)
            .map_err(|fault| fault.example(self.example(column, "eq", value::example(column))))
    }

    fn equal(&mut self, column: &Column, value: &Value) -> Result<Filter, Fault> {
        if value.is_null() {
            return Ok(Filter::Is(*column, Test::Null));
        }
        self.note_foreign_value(column, value);
        Ok(match self.read(column, value)? {
            Typed::Value(param) => Filter::Is(*column, Test::Equal(param)),
            Typed::WholeDay { start, end } => whole_day(column, start, end),
        })
    }

    fn one_of(&mut self, column: &Column, value: &Value) -> Result<Filter, Fault> {
        let Value::Array(items) = value else {
            return Err(self.wrong(column, "takes a list with `in` and `not_in`"));
        };
        if items.len() > VALUES_MAX {
            return Err(self.wrong(
                column,
                &format!("takes a list of at most {VALUES_MAX} values"),
            ));
        }
        let nulls = items.iter().filter(|item| item.is_null()).count();
        let mut values = Vec::new();
        let mut any = Vec::new();
        for item in items.iter().filter(|item| !item.is_null()) {
            self.note_foreign_value(column, item);
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
            return Err(self.wrong(
                column,
                &format!("is {}, which has no order", column.kind.name()),
            ));
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
            return Err(self.wrong(column, &format!("is {}, not text", column.kind.name())));
        }
        let Typed::Value(Param::Text(text)) = self.read(column, value)? else {
            return Err(self.wrong(column, "takes a string"));
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
            _ => Err(self.wrong(column, "takes true or false with `is_null`")),
        }
    }

    /// A value outside the field's list matches nothing, which is no fault, but is worth a word.
    fn note_foreign_value(&mut self, column: &Column, value: &Value) {
        let is_foreign = value.as_str().is_some_and(|text| {
            column.place == Place::Stored
                && !column.values.is_empty()
                && !column.values.contains(&text)
        });
        if is_foreign {
            let note = format!(
                "`{}` is only ever one of: {}",
                column.name,
                column.values.join(", ")
            );
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }

    fn unknown_operator(&self, column: &Column, unknown: &str) -> Fault {
        let right = nearest(unknown, OPERATORS.iter().copied()).unwrap_or("eq");
        let text = format!(
            "unknown operator {} on `{}`; the operators are: {}",
            quoted(unknown),
            column.name,
            OPERATORS.join(", ")
        );
        Fault::new(text).swap(unknown, right)
    }

    fn wrong(&self, column: &Column, what: &str) -> Fault {
        let fault = Fault::new(format!("`{}` {what}", column.name));
        fault.example(self.example(column, "eq", value::example(column)))
    }

    fn example(&self, column: &Column, operator: &str, value: Value) -> Value {
        json!({"target": self.table.target(), "where": {column.name: {operator: value}}})
    }
}
