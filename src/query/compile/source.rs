//! What a question for groups is answered from: the table's rows, or the sums of months that the database keeps of them
//! (`sql/migrations/0006_sums.sql`). Pure.
//!
//! A sum stands for rows that are alike in some fields, in their month and in the sign of their amount, and has these in
//! columns of the same names. So keys, conditions and order are written as they are for the rows. What is decided here is
//! whether each condition and each key holds for a sum exactly as it does for each of its rows, and whether what is computed
//! can be computed of sums: then either way leads to the same answer, to the last digit.

use chrono::{Datelike, NaiveDate};

use super::Plan;
use crate::catalog::Months;
use crate::query::check::{Bucket, Filter, Function, Grouped, Key, Measure, Test};
use crate::query::column::{Column, Place};
use crate::query::param::Param;

/// Where the groups are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Rows,
    Months(&'static Months),
}

impl Source {
    /// The sums of the table's months, if they hold the answer.
    pub(super) fn of(grouped: &Grouped) -> Self {
        let months = grouped.scope.table.months;
        months
            .filter(|months| months.answer(grouped))
            .map_or(Source::Rows, Source::Months)
    }

    /// How many rows there are.
    pub(super) fn counted(self) -> String {
        match self {
            Source::Rows => "count(*)".to_owned(),
            Source::Months(_) => "coalesce(sum(t.\"rows\"), 0)".to_owned(),
        }
    }

    /// How many rows have a value at `place`; where sums answer, all of them have.
    pub(super) fn counted_of(self, place: &str) -> String {
        match self {
            Source::Rows => format!("count({place})"),
            Source::Months(_) => self.counted(),
        }
    }

    /// Whether a date of it stands for such a stretch already.
    pub(super) fn is_in(self, bucket: Bucket) -> bool {
        matches!(self, Source::Months(_)) && bucket == Bucket::Month
    }

    /// Sums are few, whatever is bound.
    pub(super) const fn plan(self) -> Plan {
        match self {
            Source::Rows => Plan::Momentary,
            Source::Months(_) => Plan::Lasting,
        }
    }
}

impl Months {
    fn answer(&self, grouped: &Grouped) -> bool {
        grouped.scope.search.is_none()
            && self.decide(&grouped.scope.filter)
            && grouped.keys.iter().all(|key| self.have_key(key))
            && grouped.measures.iter().all(|measure| self.have(measure))
    }

    fn have_key(&self, key: &Key) -> bool {
        match key.bucket {
            None => self.are_alike_in(&key.column),
            Some(Bucket::Month | Bucket::Quarter | Bucket::Year) => key.column.name == self.day,
            Some(Bucket::Hour | Bucket::Day | Bucket::Week | Bucket::Weekday) => false,
        }
    }

    fn have(&self, measure: &Measure) -> bool {
        match (measure.function, &measure.column) {
            (Function::Count, column) => column.is_none_or(|column| column.always),
            (Function::Sum | Function::Average, Some(column)) => column.name == self.amount,
            _ => false,
        }
    }

    /// Whether the condition holds for all rows of a sum or for none.
    fn decide(&self, filter: &Filter) -> bool {
        match filter {
            Filter::All(filters) | Filter::Any(filters) => {
                filters.iter().all(|filter| self.decide(filter))
            }
            Filter::Not(filter) => self.decide(filter),
            Filter::Is(column, test) if column.name == self.day => parts_months(test),
            Filter::Is(column, test) if column.name == self.amount => parts_signs(test),
            Filter::Is(column, _) => self.are_alike_in(column),
        }
    }

    fn are_alike_in(&self, column: &Column) -> bool {
        column.place == Place::Label || self.alike.contains(&column.name)
    }
}

/// Whether it parts dates where one month ends and the next begins, so that a month's first day stands for all of them.
fn parts_months(test: &Test) -> bool {
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

/// Whether it is a test against zero, which a sum of one sign passes as its parts do.
fn parts_signs(test: &Test) -> bool {
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
