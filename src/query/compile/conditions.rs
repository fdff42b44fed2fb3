//! Writes a checked condition as SQL. Everything bound here came from an agent; everything written came from the catalogue.

use super::builder::{Builder, column_sql};
use crate::catalog::Kind;
use crate::query::check::{Condition, RowScope, Test};
use crate::query::column::{Column, Location};
use crate::query::param::Param;

/// Writes the conditions of a scope after those that hold for every read.
pub(super) fn write_scope(builder: &mut Builder, scope: &RowScope) {
    write_filter(builder, &scope.filter);
    if let Some(search) = &scope.search {
        builder.push("\n  AND t.tsv @@ websearch_to_tsquery('simple', ");
        builder.bind(Param::Text(search.clone())).push(")");
    }
}

/// Writes the filter of a scope alone.
pub(super) fn write_filter(builder: &mut Builder, filter: &Condition) {
    if *filter != Condition::All(Vec::new()) {
        builder.push("\n  AND ");
        write(builder, filter);
    }
}

/// Writes `filter`. Under a `Not`, null counts as false, so that the negation is true.
pub(super) fn write(builder: &mut Builder, filter: &Condition) {
    match filter {
        Condition::All(filters) => join(builder, filters, " AND ", "true"),
        Condition::Any(filters) => join(builder, filters, " OR ", "false"),
        Condition::Not(filter) => {
            builder.push("(");
            write(builder, filter);
            builder.push(") IS NOT TRUE");
        }
        Condition::Is(column, test) => write_test(builder, column, test),
    }
}

/// Whether the connection's label is tested anywhere.
pub(super) fn uses_label(filter: &Condition) -> bool {
    uses(filter, |column| column.location == Location::Label)
}

/// Whether a column that `is_meant` is tested anywhere.
pub(super) fn uses(filter: &Condition, is_meant: impl Fn(&Column) -> bool + Copy) -> bool {
    match filter {
        Condition::All(filters) | Condition::Any(filters) => {
            filters.iter().any(|filter| uses(filter, is_meant))
        }
        Condition::Not(filter) => uses(filter, is_meant),
        Condition::Is(column, _) => is_meant(column),
    }
}

fn join(builder: &mut Builder, filters: &[Condition], word: &str, of_none: &str) {
    if filters.is_empty() {
        builder.push(of_none);
        return;
    }
    builder.push("(");
    for (index, filter) in filters.iter().enumerate() {
        builder.push(if index == 0 { "" } else { word });
        write(builder, filter);
    }
    builder.push(")");
}

fn write_test(builder: &mut Builder, column: &Column, test: &Test) {
    let value = column_sql(column);
    if matches!(test, Test::Null) {
        builder.push(&value).push(" IS NULL");
        return;
    }
    match elements(column.kind, &value) {
        None => compare(builder, &value, test),
        Some(elements) => {
            builder
                .push("EXISTS (SELECT 1 FROM ")
                .push(&elements)
                .push(" WHERE ");
            compare(builder, "e", test);
            builder.push(")");
        }
    }
}

/// The elements of a list, or the strings inside JSON, as rows with one column `e`; `None` for a single value.
fn elements(kind: Kind, value: &str) -> Option<String> {
    match kind {
        Kind::TextList | Kind::IntegerList => Some(format!("unnest({value}) AS e")),
        Kind::Json => Some(format!(
            "(SELECT j #>> '{{}}' AS e FROM jsonb_path_query({value}, '$.** ? (@.type() == \"string\")') AS j) AS s"
        )),
        _ => None,
    }
}

fn compare(builder: &mut Builder, left: &str, test: &Test) {
    let (operator, param) = match test {
        Test::Equal(param) => (" = ", param),
        Test::Less(param) => (" < ", param),
        Test::LessOrEqual(param) => (" <= ", param),
        Test::Greater(param) => (" > ", param),
        Test::GreaterOrEqual(param) => (" >= ", param),
        Test::Like(pattern) => {
            builder
                .push(left)
                .push(" ILIKE ")
                .bind(Param::Text(pattern.clone()));
            return;
        }
        Test::OneOf(list) => {
            builder
                .push(left)
                .push(" = ANY(")
                .bind(list.clone())
                .push(")");
            return;
        }
        Test::Null => return,
    };
    builder.push(left).push(operator).bind(param.clone());
}
