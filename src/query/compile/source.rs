//! Chooses what a query for groups is answered from: the table's rows, or the sums of months that the database keeps of them
//! (`sql/migrations/0006_sums.sql`). Pure.
//!
//! A sum stands for rows that have equal values in some fields and the same month, and holds these in columns of the same names.
//! So keys, conditions and order are written as for the rows. Only where a filter compares the amount with zero, the sums of each
//! sign are read apart, and the condition is written for the sign. This module decides whether each condition and each key holds
//! for a sum exactly as for each of its rows, and whether the measures can be computed from sums: then all sources give the same
//! answer, to the last digit.

use std::borrow::Cow;

use chrono::{Datelike, NaiveDate};

use super::{Plan, conditions};
use crate::catalog::Months;
use crate::query::check::{Bucket, Condition, Function, GroupKey, GroupQuery, Measure, Test};
use crate::query::column::{Column, Location};
use crate::query::param::Param;

/// The column that holds the sign, where sums of each sign are read apart.
const SIGN: &str = "sign";

/// The rows that groups are computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GroupSource {
    Rows,
    /// Each sum stands for amounts of any sign.
    Months(&'static Months),
    /// Each sum stands for amounts of one sign.
    MonthsBySign(&'static Months),
}

impl GroupSource {
    /// The sums of the table's months, if they can answer `grouped`, and its rows otherwise.
    pub(super) fn of(grouped: &GroupQuery) -> Self {
        let Some(months) = months_for(grouped) else {
            return GroupSource::Rows;
        };
        let is_amount = |column: &Column| column.name == months.amount;
        if conditions::uses(&grouped.scope.filter, is_amount) {
            GroupSource::MonthsBySign(months)
        } else {
            GroupSource::Months(months)
        }
    }

    /// The table or view of sums that it is, if it is not the table's rows.
    pub(super) const fn sums(self) -> Option<&'static str> {
        match self {
            GroupSource::Rows => None,
            GroupSource::Months(months) => Some(months.name),
            GroupSource::MonthsBySign(months) => Some(months.by_sign),
        }
    }

    /// `filter` as it is written for this source.
    pub(super) fn filter(self, filter: &Condition) -> Cow<'_, Condition> {
        match self {
            GroupSource::Rows | GroupSource::Months(_) => Cow::Borrowed(filter),
            GroupSource::MonthsBySign(months) => Cow::Owned(of_sign(filter, months.amount)),
        }
    }

    /// The expression that counts rows.
    pub(super) fn row_count_sql(self) -> String {
        match self.sums() {
            None => "count(*)".to_owned(),
            Some(_) => "coalesce(sum(t.\"rows\"), 0)".to_owned(),
        }
    }

    /// The expression that counts the rows whose `value` is not null; where sums answer, it is never null.
    pub(super) fn value_count_sql(self, value: &str) -> String {
        match self.sums() {
            None => format!("count({value})"),
            Some(_) => self.row_count_sql(),
        }
    }

    /// Whether its dates are the first days of such buckets already.
    pub(super) fn is_truncated_to(self, bucket: Bucket) -> bool {
        self.sums().is_some() && bucket == Bucket::Month
    }

    /// There are few sums, so one plan serves all values.
    pub(super) const fn plan(self) -> Plan {
        match self.sums() {
            None => Plan::Momentary,
            Some(_) => Plan::Lasting,
        }
    }
}

/// The sums of months that answer `grouped`, if they do.
pub fn months_for(grouped: &GroupQuery) -> Option<&'static Months> {
    let months = grouped.scope.table.months;
    months.filter(|months| months.can_answer(grouped))
}

impl Months {
    fn can_answer(&self, grouped: &GroupQuery) -> bool {
        grouped.scope.search.is_none()
            && self.decides(&grouped.scope.filter)
            && grouped.keys.iter().all(|key| self.can_group_by(key))
            && grouped
                .measures
                .iter()
                .all(|measure| self.can_compute(measure))
    }

    fn can_group_by(&self, key: &GroupKey) -> bool {
        match key.bucket {
            None => self.are_uniform_in(&key.column),
            Some(Bucket::Month | Bucket::Quarter | Bucket::Year) => key.column.name == self.day,
            Some(Bucket::Hour | Bucket::Day | Bucket::Week | Bucket::Weekday) => false,
        }
    }

    fn can_compute(&self, measure: &Measure) -> bool {
        match (measure.function, &measure.column) {
            (Function::Count, column) => column.is_none_or(|column| column.is_required),
            (Function::Sum | Function::Average, Some(column)) => column.name == self.amount,
            _ => false,
        }
    }

    /// Whether the condition holds for all rows of a sum or for none.
    fn decides(&self, filter: &Condition) -> bool {
        match filter {
            Condition::All(filters) | Condition::Any(filters) => {
                filters.iter().all(|filter| self.decides(filter))
            }
            Condition::Not(filter) => self.decides(filter),
            Condition::Is(column, test) if column.name == self.day => splits_at_month_edges(test),
            Condition::Is(column, test) if column.name == self.amount => compares_with_zero(test),
            Condition::Is(column, _) => self.are_uniform_in(column),
        }
    }

    fn are_uniform_in(&self, column: &Column) -> bool {
        column.location == Location::Label || self.alike.contains(&column.name)
    }
}

/// Whether the test divides dates only between two months, so that a month's first day passes it as all its days do.
fn splits_at_month_edges(test: &Test) -> bool {
    let begins_month = |day: &NaiveDate| day.day() == 1;
    match test {
        Test::Less(Param::Date(day)) | Test::GreaterOrEqual(Param::Date(day)) => begins_month(day),
        Test::LessOrEqual(Param::Date(day)) | Test::Greater(Param::Date(day)) => {
            day.succ_opt().is_some_and(|next| begins_month(&next))
        }
        Test::Null => true,
        _ => false,
    }
}

/// `filter` with each comparison of `amount` with zero made one of its sign.
fn of_sign(filter: &Condition, amount: &str) -> Condition {
    let of_signs = |filters: &[Condition]| {
        let filters = filters.iter().map(|filter| of_sign(filter, amount));
        filters.collect()
    };
    match filter {
        Condition::All(filters) => Condition::All(of_signs(filters)),
        Condition::Any(filters) => Condition::Any(of_signs(filters)),
        Condition::Not(filter) => Condition::Not(Box::new(of_sign(filter, amount))),
        Condition::Is(column, test) => {
            let name = if column.name == amount {
                SIGN
            } else {
                column.name
            };
            Condition::Is(Column { name, ..*column }, test.clone())
        }
    }
}

/// Whether the test compares with zero, which a sum of amounts of one sign passes as each amount does.
fn compares_with_zero(test: &Test) -> bool {
    match test {
        Test::Equal(Param::Decimal(bound))
        | Test::Less(Param::Decimal(bound))
        | Test::LessOrEqual(Param::Decimal(bound))
        | Test::Greater(Param::Decimal(bound))
        | Test::GreaterOrEqual(Param::Decimal(bound)) => bound.is_zero(),
        Test::Null => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
