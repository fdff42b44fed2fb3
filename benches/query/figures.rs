//! Writes the table of times: medians, and their ratio to those at the smallest size and to PostgreSQL's alone.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use super::kinds::Kind;

const HEAD: &str = "\
| question | rows | p50 ms | p99 ms | ÷ smallest | ÷ SQL alone | SQL alone ms | its ÷ smallest |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |";

/// The times of one query at one size.
#[derive(Default)]
struct Times {
    own: Vec<Duration>,
    other: Vec<Duration>,
}

#[derive(Default)]
pub struct Figures {
    times: BTreeMap<Kind, BTreeMap<usize, Times>>,
}

impl Figures {
    pub fn add(&mut self, kind: Kind, size: usize, own: Duration, other: Duration) {
        let times = self.times.entry(kind).or_default().entry(size).or_default();
        times.own.push(own);
        times.other.push(other);
    }

    pub fn table(&self) -> String {
        let mut table = HEAD.to_owned();
        for (kind, sizes) in &self.times {
            let smallest = sizes.values().next().unwrap();
            for (size, times) in sizes {
                let (own, other) = (share(&times.own, 50), share(&times.other, 50));
                write!(
                    table,
                    "\n| {} | {size} | {own:.2} | {:.2} | {:.2} | {:.2} | {other:.2} | {:.2} |",
                    kind.name(),
                    share(&times.own, 99),
                    own / share(&smallest.own, 50),
                    own / other,
                    other / share(&smallest.other, 50),
                )
                .unwrap();
            }
        }
        table
    }
}

/// The given percentile, in milliseconds.
fn share(times: &[Duration], percent: usize) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let place = sorted.len() * percent / 100;
    let time = sorted.get(place).or(sorted.last()).unwrap();
    time.as_secs_f64() * 1e3
}
