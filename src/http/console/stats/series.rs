//! Counted calls as the lines of a plot, every one as long as the others.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;

use crate::store::audit_hourly::{HourRange, HourlyCalls};

/// The most lines; what else there is, is added up in one more.
const LINES_MAX: usize = 24;
/// The name of those that have none; no agent may have it.
const NAMELESS: &str = "-";
/// The name of all others together; no agent may have it either.
const OTHERS: &str = "*";

/// Where each step begins, and the calls of each name in it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Series {
    t: Vec<DateTime<Utc>>,
    series: BTreeMap<String, Vec<u64>>,
}

impl Series {
    pub(super) fn of(stretch: HourRange, counted: Vec<HourlyCalls>) -> Self {
        let t: Vec<_> = std::iter::successors(Some(stretch.from), |at| Some(*at + stretch.step))
            .take_while(|at| *at < stretch.to)
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
            series: fewer(lines),
            t,
        }
    }
}

/// The lines with the most calls, and the sum of the others.
fn fewer(lines: HashMap<String, Vec<u64>>) -> BTreeMap<String, Vec<u64>> {
    let mut lines: Vec<_> = lines.into_iter().collect();
    lines.sort_by_cached_key(|(name, line)| {
        (std::cmp::Reverse(line.iter().sum::<u64>()), name.clone())
    });
    let others = lines.split_off(lines.len().min(LINES_MAX));
    let mut kept: BTreeMap<_, _> = lines.into_iter().collect();
    let sum = others.into_iter().map(|(_, line)| line).reduce(added);
    kept.extend(sum.map(|line| (OTHERS.to_owned(), line)));
    kept
}

fn added(one: Vec<u64>, other: Vec<u64>) -> Vec<u64> {
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
        let stretch = HourRange {
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
        let plot = Series::of(stretch, counted);
        assert_eq!(plot.t, [from, from + TimeDelta::hours(1)]);
        assert_eq!(plot.series.len(), LINES_MAX + 1);
        assert_eq!(plot.series[NAMELESS], [900, 0]);
        assert_eq!(plot.series["a00"], [0, 100]);
        assert_eq!(plot.series[OTHERS], [0, 77 + 76 + 75], "the three smallest");
    }
}
