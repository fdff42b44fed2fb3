//! Counted calls as the lines of a plot, all of the same length.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;

use crate::store::audit_hourly::{HourRange, HourlyCalls};

/// The most lines; all others are added up in one more.
const LINES_MAX: usize = 24;
/// The line of calls without a name; no agent may be called so.
const NAMELESS: &str = "-";
/// The line of all others together; no agent may be called so.
const OTHERS: &str = "*";

/// Where each step begins, and the calls of each name in it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Series {
    t: Vec<DateTime<Utc>>,
    series: BTreeMap<String, Vec<u64>>,
}

impl Series {
    /// The lines of these counts; steps of `range` without calls are 0.
    pub(super) fn of(range: HourRange, counted: Vec<HourlyCalls>) -> Self {
        let t: Vec<_> = std::iter::successors(Some(range.from), |at| Some(*at + range.step))
            .take_while(|at| *at < range.to)
            .collect();
        let mut lines: HashMap<String, Vec<u64>> = HashMap::new();
        for HourlyCalls { name, step, calls } in counted {
            let name = name.unwrap_or_else(|| NAMELESS.to_owned());
            let line = lines.entry(name).or_insert_with(|| vec![0; t.len()]);
            if let Some(point) = line.get_mut(step) {
                *point += calls;
            }
        }
        Self {
            series: keep_largest(lines),
            t,
        }
    }
}

/// The lines with the most calls, and the sum of the others.
fn keep_largest(lines: HashMap<String, Vec<u64>>) -> BTreeMap<String, Vec<u64>> {
    let mut lines: Vec<_> = lines.into_iter().collect();
    lines.sort_by_cached_key(|(name, line)| {
        (std::cmp::Reverse(line.iter().sum::<u64>()), name.clone())
    });
    let others = lines.split_off(lines.len().min(LINES_MAX));
    let mut kept: BTreeMap<_, _> = lines.into_iter().collect();
    let sum = others.into_iter().map(|(_, line)| line).reduce(add);
    kept.extend(sum.map(|line| (OTHERS.to_owned(), line)));
    kept
}

fn add(one: Vec<u64>, other: Vec<u64>) -> Vec<u64> {
    one.iter()
        .zip(other)
        .map(|(one, other)| one + other)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeDelta;

    #[test]
    fn every_line_has_every_step_and_the_rest_is_one_line() {
        let from = DateTime::UNIX_EPOCH;
        let range = HourRange {
            from,
            to: from + TimeDelta::hours(2),
            step: TimeDelta::hours(1),
        };
        let named = |name: String, calls| HourlyCalls {
            name: Some(name),
            step: 1,
            calls,
        };
        let mut counted: Vec<_> = (0..26)
            .map(|at| named(format!("a{at:02}"), 100 - at))
            .collect();
        counted.push(HourlyCalls {
            name: None,
            step: 0,
            calls: 900,
        });
        let plot = Series::of(range, counted);
        assert_eq!(plot.t, [from, from + TimeDelta::hours(1)]);
        assert_eq!(plot.series.len(), LINES_MAX + 1);
        assert_eq!(plot.series[NAMELESS], [900, 0]);
        assert_eq!(plot.series["a00"], [0, 100]);
        assert_eq!(plot.series[OTHERS], [0, 77 + 76 + 75], "the three smallest");
    }
}
