//! Whether a query for groups reads few sums of months, and compares little for each. Pure.
//!
//! How many sums a month has depends on how many accounts and categories there are, and not on the rows.

use chrono::{Datelike, NaiveDate};

use crate::query::check::{GroupQuery, Test};
use crate::query::column::Column;
use crate::query::compile;
use crate::query::param::Param;

/// The most months whose sums are few: two years.
const MONTHS_MAX: i32 = 24;
/// The most values that each sum may be compared with in one test.
const VALUES_MAX: usize = 50;

/// Whether sums of months hold the answer, and few of them are read; `tests` are those of its filter, all of which have to hold.
pub(super) fn reads_few_sums(grouped: &GroupQuery, tests: &[(&Column, &Test)]) -> bool {
    let Some(months) = compile::months_for(grouped) else {
        return false;
    };
    tests.iter().all(|(_, test)| compares_little(test))
        && count_months(tests, months.day, grouped.time.today())
            .is_some_and(|count| count <= MONTHS_MAX)
}

/// Whether the test takes little time for each sum; it may be one of a text of any length.
fn compares_little(test: &Test) -> bool {
    match test {
        Test::Like(_) => false,
        Test::OneOf(list) => list.len() <= VALUES_MAX,
        _ => true,
    }
}

/// The number of months between the bounds of `day`, whose last is the present month unless an earlier one is named; `None` without
/// a first.
fn count_months(tests: &[(&Column, &Test)], day: &str, today: NaiveDate) -> Option<i32> {
    let (mut first, mut last) = (None, number(today));
    for (_, test) in tests.iter().filter(|(column, _)| column.name == day) {
        match test {
            Test::GreaterOrEqual(Param::Date(day)) => first = first.max(Some(number(*day))),
            Test::Greater(Param::Date(day)) => first = first.max(Some(number(day.succ_opt()?))),
            Test::LessOrEqual(Param::Date(day)) => last = last.min(number(*day)),
            Test::Less(Param::Date(day)) => last = last.min(number(day.pred_opt()?)),
            _ => {}
        }
    }
    first.map(|first| last - first + 1)
}

/// Months counted from the beginning of the calendar.
fn number(day: NaiveDate) -> i32 {
    day.year() * 12 + day.month0().cast_signed()
}
