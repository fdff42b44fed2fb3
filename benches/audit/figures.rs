//! Writes the table of times: medians, the slowest, and their ratio to those at the smallest size.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use super::asked::Kind;

const HEAD: &str = "\
| asked | rows | p50 ms | slowest ms | ÷ smallest |
| --- | ---: | ---: | ---: | ---: |";

#[derive(Default)]
pub struct Figures {
    times: BTreeMap<Kind, BTreeMap<u64, Vec<Duration>>>,
}

impl Figures {
    pub fn add(&mut self, kind: Kind, size: u64, lasted: Duration) {
        let sizes = self.times.entry(kind).or_default();
        sizes.entry(size).or_default().push(lasted);
    }

    pub fn table(&self) -> String {
        let mut table = HEAD.to_owned();
        for (kind, sizes) in &self.times {
            let smallest = median(sizes.values().next().expect("a size"));
            for (size, times) in sizes {
                let (half, most) = (median(times), milliseconds(times.iter().max().unwrap()));
                let name = kind.name();
                let of_smallest = half / smallest;
                write!(
                    table,
                    "\n| {name} | {size} | {half:.1} | {most:.1} | {of_smallest:.2} |"
                )
                .unwrap();
            }
        }
        table
    }
}

fn median(times: &[Duration]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    milliseconds(sorted.get(sorted.len() / 2).unwrap())
}

fn milliseconds(time: &Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
