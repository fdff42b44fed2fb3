//! The operators of one column: each with its value becomes a checked condition.

use serde_json::Value;

use super::ConditionReader;
use super::condition::{Condition, Test, escape, not, one_or, whole_day};
use crate::catalog::Kind;
use crate::query::check::value::{self, TypedValue};
use crate::query::column::Column;
use crate::query::fault::CallFault;
use crate::query::param::Param;
use crate::query::repair::{conditions, values};

/// The most values in one list.
const VALUES_MAX: usize = 500;

impl ConditionReader<'_> {
    fn read(&self, column: &Column, value: &Value) -> Result<TypedValue, CallFault> {
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

    pub(super) fn equal(
        &mut self,
        column: &Column,
        operator: &str,
        value: &Value,
    ) -> Result<Condition, CallFault> {
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

    pub(super) fn one_of(
        &mut self,
        column: &Column,
        operator: &str,
        value: &Value,
    ) -> Result<Condition, CallFault> {
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

    pub(super) fn compare(
        &mut self,
        column: &Column,
        operator: &str,
        value: &Value,
    ) -> Result<Condition, CallFault> {
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

    pub(super) fn like(
        &mut self,
        column: &Column,
        operator: &str,
        value: &Value,
    ) -> Result<Condition, CallFault> {
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

    pub(super) fn null(&mut self, column: &Column, value: &Value) -> Result<Condition, CallFault> {
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
