//! Computes a line of the table from the rounds.

use std::time::Duration;

use super::files::File;

pub const HEAD: &str = "\
rows a second: median (least to most) of the rounds; push/parse and push/insert: medians of the ratios of each round

| file | rows | MB | parse alone | insert alone | push | push/parse | push/insert |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |";

/// The rows per second of each round.
#[derive(Default)]
pub struct Figures {
    parse: Vec<f64>,
    insert: Vec<f64>,
    push: Vec<f64>,
}

impl Figures {
    /// Adds a round: the times of parse, insert and push.
    pub fn add(&mut self, rows: usize, times: [Duration; 3]) {
        let [parse, insert, push] = times.map(|time| rows as f64 / time.as_secs_f64());
        self.parse.push(parse);
        self.insert.push(insert);
        self.push.push(push);
    }

    pub fn line(&self, file: &File, rows: usize) -> String {
        let megabytes = file.path.metadata().unwrap().len() as f64 / 1e6;
        format!(
            "| {} | {rows} | {megabytes:.1} | {} | {} | {} | {:.3} | {:.3} |",
            file.kind,
            spread(&self.parse),
            spread(&self.insert),
            spread(&self.push),
            median(&ratios(&self.push, &self.parse)),
            median(&ratios(&self.push, &self.insert)),
        )
    }
}

fn ratios(of: &[f64], to: &[f64]) -> Vec<f64> {
    of.iter().zip(to).map(|(of, to)| of / to).collect()
}

fn spread(values: &[f64]) -> String {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    format!("{:.0} ({least:.0} to {most:.0})", median(values))
}

/// The middle value; the number of values must be odd.
fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap()
}
