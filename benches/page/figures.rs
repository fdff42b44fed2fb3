//! Writes the table of times: the median and the longest of each wait.

use std::fmt::Write as _;

use super::harness::Waits;

const HEAD: &str = "\
| screen | rows ms | worst | control ms | worst |
| --- | ---: | ---: | ---: | ---: |";

/// The waits of each screen, in the order of the screens.
#[derive(Default)]
pub struct Figures(Vec<(&'static str, Vec<Waits>)>);

impl Figures {
    pub fn add(&mut self, screen: &'static str, waits: Waits) {
        match self.0.iter_mut().find(|(name, _)| *name == screen) {
            Some((_, known)) => known.push(waits),
            None => self.0.push((screen, vec![waits])),
        }
    }

    pub fn table(&self) -> String {
        let mut table = HEAD.to_owned();
        for (screen, waits) in &self.0 {
            let (rows, rows_worst) = half_and_most(waits.iter().map(|wait| wait.rows));
            let (control, control_worst) = half_and_most(waits.iter().map(|wait| wait.control));
            write!(
                table,
                "\n| {screen} | {rows:.0} | {rows_worst:.0} | {control:.0} | {control_worst:.0} |"
            )
            .unwrap();
        }
        table
    }
}

fn half_and_most(times: impl Iterator<Item = f64>) -> (f64, f64) {
    let mut sorted: Vec<f64> = times.collect();
    sorted.sort_unstable_by(f64::total_cmp);
    (sorted[sorted.len() / 2], sorted[sorted.len() - 1])
}
