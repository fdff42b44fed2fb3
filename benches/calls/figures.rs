//! Writes the table of rounds.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use super::load::Run;

/// The measurements of one server under one load in one round.
pub struct Cell {
    pub anchor: &'static str,
    pub clients: usize,
    pub server: String,
    pub run: Run,
    /// Processor time of PostgreSQL.
    pub postgres: Duration,
    /// Processor time of the server.
    pub served: Duration,
}

/// The server with which the processor time of the others is compared.
const LIMIT: &str = "pgbench";

/// The machine's cores, all of which pgbench and its PostgreSQL use.
fn cores() -> f64 {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as f64
}

/// What the table shows of a cell.
struct Figure {
    rate: f64,
    p50: f64,
    p99: f64,
    postgres: f64,
    served: f64,
    asking: f64,
}

type Place = (&'static str, usize);

/// The rounds of each server, under each load; the servers in the order in which they were added.
#[derive(Default)]
pub struct Figures {
    rounds: BTreeMap<Place, Vec<(String, Vec<Figure>)>>,
}

impl Figures {
    pub fn add(&mut self, cell: Cell) {
        let servers = self.rounds.entry((cell.anchor, cell.clients)).or_default();
        let figure = Figure::of(&cell);
        match servers.iter_mut().find(|(name, _)| *name == cell.server) {
            Some((_, rounds)) => rounds.push(figure),
            None => servers.push((cell.server, vec![figure])),
        }
    }

    /// The table of medians; for the servers in `beside`, the ratio to each (`÷`) of calls per second within each
    /// round, from the least to the greatest.
    pub fn table(&self, server: &str, beside: &[&str]) -> String {
        let mut table = head(server, beside);
        for ((anchor, clients), servers) in &self.rounds {
            for (name, rounds) in servers {
                let of = |figure: fn(&Figure) -> f64| median(rounds.iter().map(figure).collect());
                let ratios = beside.iter().map(|other| ratio(rounds, servers, other));
                write!(
                    table,
                    "\n| {anchor} | {clients} | {name} | {:.0} | {} | {:.2} | {:.2} | {:.0} | {:.0} | {:.0} | {} |",
                    of(|figure| figure.rate),
                    ratios.collect::<Vec<_>>().join(" | "),
                    of(|figure| figure.p50),
                    of(|figure| figure.p99),
                    of(|figure| figure.postgres),
                    of(|figure| figure.served),
                    of(|figure| figure.asking),
                    times_limit(rounds, servers),
                )
                .unwrap();
            }
        }
        table
    }
}

impl Figure {
    fn of(cell: &Cell) -> Self {
        let calls = cell.run.calls as f64;
        let each = |time: Duration| time.as_secs_f64() * 1e6 / calls;
        let mut latencies = cell.run.latencies.clone();
        latencies.sort_unstable();
        let share = |part: usize| {
            let place = latencies.len() * part / 100;
            latencies
                .get(place)
                .map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
        };
        Self {
            rate: calls / cell.run.lasted.as_secs_f64(),
            p50: share(50),
            p99: share(99),
            postgres: each(cell.postgres),
            served: each(cell.served),
            asking: each(cell.run.asking),
        }
    }
}

fn head(server: &str, beside: &[&str]) -> String {
    let ratios: String = beside.iter().map(|other| format!(" ÷ {other} |")).collect();
    let right = " ---: |".repeat(beside.len() + 7);
    format!(
        "| anchor | clients | {server} | calls/s |{ratios} p50 ms | p99 ms | PostgreSQL µs | server µs | asking µs | ÷ P |\n\
         | --- | ---: | --- |{right}"
    )
}

/// The median of the ratios of each round, with the least and the greatest.
fn ratio(rounds: &[Figure], servers: &[(String, Vec<Figure>)], to: &str) -> String {
    let Some((_, others)) = servers.iter().find(|(name, _)| *name == to) else {
        return String::new();
    };
    let ratios = rounds
        .iter()
        .zip(others)
        .map(|(own, other)| own.rate / other.rate);
    let ratios: Vec<f64> = ratios.collect();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ratios.iter().copied().fold(0.0, f64::max);
    format!("{:.2} ({least:.2} to {most:.2})", median(ratios))
}

/// Processor time of a call, of server and PostgreSQL, over P: the whole processor time of pgbench and its PostgreSQL for such a call,
/// which is that of all cores by its rate. The median of the rounds; nothing where pgbench was not measured.
fn times_limit(rounds: &[Figure], servers: &[(String, Vec<Figure>)]) -> String {
    let Some((_, limits)) = servers.iter().find(|(name, _)| name == LIMIT) else {
        return String::new();
    };
    let whole_us = |limit: &Figure| cores() * 1e6 / limit.rate;
    let times = rounds.iter().zip(limits);
    let times = times.map(|(own, limit)| (own.postgres + own.served) / whole_us(limit));
    format!("{:.2}", median(times.collect()))
}

/// The middle value; the number of values must be odd.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap()
}
