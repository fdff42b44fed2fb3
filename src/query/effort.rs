//! How much work a read is for the database, from the checked query alone: whether a key or an index leads to the few rows of the
//! answer, or every row may have to be read. Pure.

mod months;

use super::check::{CheckedQuery, Condition, GroupQuery, OrderKey, RowQuery, Test};
use super::column::{Column, ID};
use crate::catalog::Table;

/// The most that fetching a page of a cheap query may cost: its rows times the cost of each selected value.
const CHEAP_PAGE_COST_MAX: u64 = 25_000;

/// How much work a read is for the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A key or an index leads to the rows of the answer, or to few sums of them, however many rows the table has.
    Cheap,
    /// Every row may have to be read.
    Other,
}

impl Effort {
    /// The effort of `question`.
    pub fn of(question: &CheckedQuery) -> Self {
        match question {
            CheckedQuery::Rows(checked) if is_cheap(checked) => Effort::Cheap,
            CheckedQuery::Groups(grouped) if adds_up_little(grouped) => Effort::Cheap,
            CheckedQuery::Rows(_) | CheckedQuery::Groups(_) => Effort::Other,
        }
    }
}

fn adds_up_little(grouped: &GroupQuery) -> bool {
    conjuncts(&grouped.scope.filter).is_some_and(|tests| months::reads_few_sums(grouped, &tests))
}

fn is_cheap(checked: &RowQuery) -> bool {
    let scope = &checked.scope;
    let reads_all = checked.count || checked.since.is_some() || scope.search.is_some();
    scope.table.is_stored()
        && !reads_all
        && fetches_little(checked)
        && conjuncts(&scope.filter)
            .is_some_and(|tests| names_rows(&tests) || walks_index(checked, &tests))
}

fn fetches_little(checked: &RowQuery) -> bool {
    let row: u64 = checked.select.iter().map(|column| column.cost).sum();
    let rows = u64::try_from(checked.limit).unwrap_or(u64::MAX);
    rows.saturating_mul(row) <= CHEAP_PAGE_COST_MAX
}

/// The tests that all have to hold; `None` where the filter has an `or` or a `not`.
fn conjuncts(filter: &Condition) -> Option<Vec<(&Column, &Test)>> {
    match filter {
        Condition::All(parts) => {
            let parts: Option<Vec<Vec<_>>> = parts.iter().map(conjuncts).collect();
            parts.map(|parts| parts.concat())
        }
        Condition::Is(column, test) => Some(vec![(column, test)]),
        Condition::Any(_) | Condition::Not(_) => None,
    }
}

/// Whether all tests name rows by their ids.
fn names_rows(tests: &[(&Column, &Test)]) -> bool {
    let is_name = |test: &Test| matches!(test, Test::Equal(_) | Test::OneOf(_));
    !tests.is_empty()
        && tests
            .iter()
            .all(|(column, test)| **column == ID && is_name(test))
}

/// Whether the page is read along an index in which each row is a row of the answer: in the table's own order, in a range of it or
/// among the rows of one parent, or in the order of ids.
fn walks_index(checked: &RowQuery, tests: &[(&Column, &Test)]) -> bool {
    let (table, order) = (checked.scope.table, checked.order.as_slice());
    let main = if is_own(order, table) {
        order.first()
    } else if matches!(order, [only] if only.column == ID) && tests.is_empty() {
        None
    } else {
        return false;
    };
    let is_in_main = |column: &Column| main.is_some_and(|key| key.column == *column);
    let (stretch, others): (Vec<_>, Vec<_>) =
        tests.iter().partition(|(column, _)| is_in_main(column));
    let is_of_one_parent =
        |(column, test): (&Column, &Test)| column.is_reference && matches!(test, Test::Equal(_));
    let is_sought = checked.after.is_none() || order.iter().all(|key| key.column.is_required);
    !checked.is_ranked
        && is_sought
        && stretch.iter().all(|(_, test)| is_range(test))
        && others.len() <= 1
        && others.into_iter().all(is_of_one_parent)
}

/// Whether the test selects one range of an order.
fn is_range(test: &Test) -> bool {
    !matches!(test, Test::Like(_) | Test::OneOf(_) | Test::Null)
}

/// Whether the order is that of the table's index, the id last.
fn is_own(order: &[OrderKey], table: &Table) -> bool {
    let Some((id, keys)) = order.split_last() else {
        return false;
    };
    let is_same = |(key, name): (&OrderKey, &&str)| {
        key.column.name == name.trim_start_matches('-')
            && key.is_descending == name.starts_with('-')
    };
    id.column == ID
        && id.is_descending == keys.last().is_some_and(|key| key.is_descending)
        && keys.len() == table.default_order.len()
        && keys.iter().zip(table.default_order).all(is_same)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use sextant_actors::domain::OPERATOR;

    use super::*;
    use crate::query::check::check_query;
    use crate::query::request::Request;
    use crate::query::time::LocalTime;

    const SOME_ID: &str = "6f9619ff-8b86-4011-b42d-00c04fc964ff";

    fn effort(target: &str, changed: Value) -> Effort {
        let mut arguments = json!({"target": target});
        let members = changed.as_object().unwrap().clone();
        arguments.as_object_mut().unwrap().extend(members);
        let time = LocalTime {
            now: "2026-03-17T23:30:00Z".parse().unwrap(),
            zone: chrono_tz::Europe::Berlin,
        };
        let checked = check_query(&Request::parse(&arguments).unwrap(), OPERATOR, &time);
        Effort::of(&checked.unwrap_or_else(|fault| panic!("{}", fault.say(&arguments))))
    }

    #[test]
    fn what_goes_by_a_key_or_an_index_is_cheap() {
        for asked in [
            json!({}),
            json!({"limit": 500}),
            json!({"select": ["amount"], "limit": 1000, "order_by": ["-booked_on"]}),
            json!({"order_by": ["id"]}),
            json!({"where": {"id": SOME_ID}, "order_by": ["amount"]}),
            json!({"where": {"id": [SOME_ID]}}),
            json!({"where": {"booked_on": {"gte": "2026-01-01", "lt": "2026-02-01"}}}),
            json!({"where": {"account_id": SOME_ID, "booked_on": "2026-01-01"}}),
        ] {
            assert_eq!(
                effort("finance.transactions", asked.clone()),
                Effort::Cheap,
                "{asked}"
            );
        }
        assert_eq!(
            effort(
                "mail.attachments",
                json!({"where": {"message_id": SOME_ID}})
            ),
            Effort::Cheap
        );
        assert_eq!(effort("contacts.people", json!({})), Effort::Cheap);
        assert_eq!(effort("mail.messages", json!({})), Effort::Cheap);
    }

    fn effort_of_months(filter: Value) -> Effort {
        let grouped = json!({"group_by": ["category", "booked_on:month"], "aggregate": {"total": "sum(amount)"}, "where": filter});
        effort("finance.transactions", grouped)
    }

    #[test]
    fn the_sums_of_few_months_are_cheap() {
        for filter in [
            json!({"booked_on": {"gte": "2024-04-01"}}),
            json!({"booked_on": {"gt": "2024-03-31"}, "currency": "EUR", "amount": {"lt": 0}}),
            json!({"booked_on": {"gte": "2019-01-01", "lt": "2021-01-01"}, "account_id": [SOME_ID]}),
            json!({"booked_on": {"gte": "2019-01-01", "lte": "2020-12-31"}, "category": ["food", "rent"]}),
        ] {
            assert_eq!(effort_of_months(filter.clone()), Effort::Cheap, "{filter}");
        }
    }

    #[test]
    fn sums_of_any_months_or_costly_tests_of_them_are_not() {
        let many: Vec<String> = (0..51).map(|number| number.to_string()).collect();
        for filter in [
            json!({}),
            json!({"booked_on": {"gte": "2024-03-01"}}),
            json!({"booked_on": {"lt": "2024-04-01"}}),
            json!({"booked_on": {"gte": "2018-12-01", "lt": "2021-01-01"}}),
            json!({"booked_on": {"gte": "2026-03-02"}}),
            json!({"booked_on": {"gte": "2026-03-01"}, "category": {"contains": "food"}}),
            json!({"booked_on": {"gte": "2026-03-01"}, "category": many}),
            json!({"booked_on": {"gte": "2026-03-01"}, "value_on": {"gte": "2026-03-01"}}),
            json!({"or": [{"booked_on": {"gte": "2026-03-01"}}, {"currency": "EUR"}]}),
        ] {
            assert_eq!(effort_of_months(filter.clone()), Effort::Other, "{filter}");
        }
    }

    #[test]
    fn what_may_look_at_every_row_is_not() {
        for asked in [
            json!({"count": true}),
            json!({"where": {"id": SOME_ID}, "count": true}),
            json!({"search": "coffee"}),
            json!({"search": "coffee", "order_by": ["-rank"]}),
            json!({"group_by": ["category"]}),
            json!({"group_by": ["booked_on:month"]}),
            json!({"order_by": ["booked_on"]}),
            json!({"order_by": ["amount"]}),
            json!({"order_by": ["-booked_on", "amount"]}),
            json!({"order_by": ["id"], "where": {"account_id": SOME_ID}}),
            json!({"where": {"amount": 12345}}),
            json!({"where": {"description": {"contains": "nowhere"}}}),
            json!({"where": {"id": SOME_ID, "description": {"contains": "nowhere"}}}),
            json!({"where": {"or": [{"id": SOME_ID}, {"account_id": SOME_ID}]}}),
            json!({"where": {"account_id": SOME_ID, "replaces_id": SOME_ID}}),
            json!({"where": {"account_id": null}}),
            json!({"where": {"booked_on": {"ne": "2026-01-01"}}}),
            json!({"where": {"booked_on": ["2026-01-01", "2020-01-01"]}}),
            json!({"where": {"connection": "Bank"}}),
            json!({"limit": 1000}),
        ] {
            assert_eq!(
                effort("finance.transactions", asked.clone()),
                Effort::Other,
                "{asked}"
            );
        }
        // A view groups all messages before it has its first row.
        assert_eq!(effort("mail.threads", json!({})), Effort::Other);
        assert_eq!(
            effort("mail.messages", json!({"limit": 1000})),
            Effort::Other
        );
    }
}
