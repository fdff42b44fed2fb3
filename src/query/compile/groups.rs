//! Compiles a query for groups: keys, measures, the number of rows of each group, and the number of groups.
//!
//! The inner query computes typed values, by which groups are ordered; the outer one writes them as the answer has them.

use super::Statement;
use super::builder::{Builder, column_sql};
use super::conditions;
use super::source::GroupSource;
use crate::catalog::Kind;
use crate::query::check::{Bucket, Function, GroupColumn, GroupKey, GroupQuery, Measure};
use crate::query::column::Location;
use crate::query::param::Param;
use crate::query::time::LocalTime;

/// Decimal places that a mean has beyond those of its values.
const MEAN_EXTRA_DIGITS: u32 = 4;

/// One row a group: the watermark, its keys, its measures, its number of rows, the number of all groups, and for each key that is an hour
/// the UTC offset in force. One group more than `limit` is read, to know whether there are more. Texts are cut one character
/// after `text_chars`, so that a cut is noticed.
pub fn groups(grouped: &GroupQuery, text_chars: usize) -> Statement {
    statement(grouped, GroupSource::of(grouped), text_chars)
}

/// The same statement read from the table's rows even where sums of months hold the answer, for tests that compare the two.
pub fn groups_of_rows(grouped: &GroupQuery, text_chars: usize) -> Statement {
    statement(grouped, GroupSource::Rows, text_chars)
}

fn statement(grouped: &GroupQuery, source: GroupSource, text_chars: usize) -> Statement {
    let mut builder = Builder::new(grouped.scope.user);
    builder.push("SELECT ").push_watermark(grouped.scope.table);
    for (index, key) in grouped.keys.iter().enumerate() {
        write_output(&mut builder, &format!("g.k{index}"), key.kind(), text_chars);
        builder.push(", ");
    }
    for (index, measure) in grouped.measures.iter().enumerate() {
        write_output(
            &mut builder,
            &format!("g.m{index}"),
            measure.kind(),
            text_chars,
        );
        builder.push(", ");
    }
    builder.push("g.n, count(*) OVER ()");
    for index in hours(grouped) {
        builder.push(&format!(", g.o{index}"));
    }
    builder.push("\nFROM (");
    write_inner(&mut builder, grouped, source);
    builder.push("\n) AS g");
    write_order(&mut builder, grouped);
    let limit = grouped.limit.saturating_add(1);
    builder.push(&format!("\nLIMIT {limit}"));
    builder.finish(source.plan())
}

fn write_inner(builder: &mut Builder, grouped: &GroupQuery, source: GroupSource) {
    builder.push("SELECT ");
    for (index, key) in grouped.keys.iter().enumerate() {
        write_key(builder, key, source, &grouped.time);
        builder.push(&format!(" AS k{index}, "));
    }
    for index in hours(grouped) {
        write_offset(builder, grouped, index);
        builder.push(&format!(" AS o{index}, "));
    }
    for (index, measure) in grouped.measures.iter().enumerate() {
        builder
            .push(&measure_sql(measure, source))
            .push(&format!(" AS m{index}, "));
    }
    builder.push(&source.row_count_sql()).push(" AS n");
    match source.sums() {
        None => {
            builder.from(grouped.scope.table, uses_label(grouped));
            conditions::write_scope(builder, &grouped.scope);
        }
        Some(sums) => {
            builder.sums(sums, uses_label(grouped));
            conditions::write_filter(builder, &source.filter(&grouped.scope.filter));
        }
    }
    for index in 0..grouped.keys.len() + hours(grouped).count() {
        builder.push(if index == 0 { "\nGROUP BY " } else { ", " });
        builder.push(&(index + 1).to_string());
    }
}

fn write_output(builder: &mut Builder, value: &str, kind: Kind, text_chars: usize) {
    let cut = i64::try_from(text_chars).unwrap_or(i64::MAX);
    match kind {
        Kind::Text => builder
            .push("left(")
            .push(value)
            .push(", ")
            .bind(Param::Integer(cut.saturating_add(1)))
            .push("::integer)"),
        _ => builder.push(value),
    };
}

/// The indexes of the keys that are hours.
fn hours(grouped: &GroupQuery) -> impl Iterator<Item = usize> {
    let keys = grouped.keys.iter().enumerate();
    keys.filter(|(_, key)| key.is_hour())
        .map(|(index, _)| index)
}

/// Writes the UTC offset in force, in seconds. Two hours may begin at one instant: where a clock is put forward in the middle
/// of an hour, the rest of that hour is labelled with a beginning before the change.
fn write_offset(builder: &mut Builder, grouped: &GroupQuery, index: usize) {
    let Some(key) = grouped.keys.get(index) else {
        return;
    };
    let value = column_sql(&key.column);
    builder
        .push("extract(epoch FROM (")
        .push(&value)
        .push(" AT TIME ZONE ")
        .bind(zone_param(&grouped.time))
        .push(") - (")
        .push(&value)
        .push(" AT TIME ZONE 'UTC'))::integer");
}

/// A bucket is an interval of the operator's local time. An hour that a clock change repeats is two hours.
fn write_key(builder: &mut Builder, key: &GroupKey, source: GroupSource, time: &LocalTime) {
    let value = column_sql(&key.column);
    let bucket = key.bucket.filter(|bucket| !source.is_truncated_to(*bucket));
    let Some(bucket) = bucket else {
        builder.push(&value);
        return;
    };
    if bucket == Bucket::Hour {
        builder.push("date_trunc('hour', ").push(&value).push(", ");
        builder.bind(zone_param(time)).push(")");
        return;
    }
    let (before, after) = match bucket {
        Bucket::Weekday => ("extract(isodow FROM ".to_owned(), ")::integer"),
        bucket => (format!("date_trunc('{}', ", bucket.name()), ")::date"),
    };
    builder.push(&before);
    if key.column.kind == Kind::Timestamp {
        write_local(builder, &value, time);
    } else {
        builder.push(&value).push("::timestamp");
    }
    builder.push(after);
}

/// Writes the local time; a day earlier where the clock shows a day that has not begun, as conditions count days.
fn write_local(builder: &mut Builder, value: &str, time: &LocalTime) {
    builder.push(value).push(" AT TIME ZONE ");
    builder.bind(zone_param(time));
    let edges = time.early_edges();
    if !edges.is_empty() {
        builder.push(" - (width_bucket(").push(value).push(", ");
        builder.bind(Param::Times(edges));
        builder.push(") % 2) * interval '1 day'");
    }
}

fn zone_param(time: &LocalTime) -> Param {
    Param::Text(time.zone.name().to_owned())
}

fn measure_sql(measure: &Measure, source: GroupSource) -> String {
    let Some(column) = measure.column else {
        return source.row_count_sql();
    };
    let value = column_sql(&column);
    let is_float = column.kind == Kind::Float;
    match measure.function {
        Function::Count => source.value_count_sql(&value),
        Function::CountDistinct => format!("count(DISTINCT {value})"),
        // PostgreSQL adds up integers as a bigint.
        Function::Sum if column.kind == Kind::Integer => format!("sum({value})::numeric"),
        Function::Sum => format!("sum({value})"),
        Function::Least => format!("min({value})"),
        Function::Greatest => format!("max({value})"),
        Function::Average if is_float => format!("avg({value})"),
        Function::Average => {
            let digits = scale(column.kind) + MEAN_EXTRA_DIGITS;
            // PostgreSQL divides numerics to sixteen significant digits, unless the dividend has more decimal places.
            let sum = format!("sum({value})::numeric * 1.000000000000");
            let count = source.value_count_sql(&value);
            format!("trim_scale(round({sum} / {count}, {digits}))")
        }
        Function::Median if is_float => {
            format!("percentile_cont(0.5) WITHIN GROUP (ORDER BY {value})")
        }
        // The mean of the two middle values, exact; `percentile_cont` would compute in floating point.
        Function::Median => {
            let middle = |direction: &str| {
                format!("percentile_disc(0.5) WITHIN GROUP (ORDER BY {value}{direction})")
            };
            format!(
                "trim_scale(({}::numeric + {}) * 0.5)",
                middle(""),
                middle(" DESC")
            )
        }
    }
}

fn scale(kind: Kind) -> u32 {
    match kind {
        Kind::Decimal { scale } => scale,
        _ => 0,
    }
}

fn write_order(builder: &mut Builder, grouped: &GroupQuery) {
    for (index, key) in grouped.order.iter().enumerate() {
        builder.push(if index == 0 { "\nORDER BY " } else { ", " });
        let value = match key.by {
            GroupColumn::Key(index) => format!("g.k{index}"),
            GroupColumn::Measure(index) => format!("g.m{index}"),
        };
        builder.push(&value);
        builder.push(if key.is_descending {
            " DESC NULLS LAST"
        } else {
            ""
        });
    }
    for index in hours(grouped) {
        builder.push(&format!(", g.o{index}"));
    }
}

fn uses_label(grouped: &GroupQuery) -> bool {
    let is_label = |location: Location| location == Location::Label;
    let columns = grouped.measures.iter().filter_map(|measure| measure.column);
    grouped.keys.iter().any(|key| is_label(key.column.location))
        || columns.into_iter().any(|column| is_label(column.location))
        || conditions::uses_label(&grouped.scope.filter)
}
