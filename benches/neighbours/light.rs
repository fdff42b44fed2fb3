//! The agent that is measured: one client on the agent port, one query after the other.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sextant::app::App;

use super::attack::{Port, key};
use super::data::SOME_ID;

/// Its queries, in turn.
const ASKED: [&str; 3] = ["a page", "a record", "a count"];

pub struct Light(Port);

/// The times of each query.
pub struct Times([Vec<Duration>; ASKED.len()]);

fn question(place: usize) -> (&'static str, Value) {
    match place {
        0 => (
            "query",
            json!({ "target": "finance.transactions", "limit": 50 }),
        ),
        1 => (
            "get_record",
            json!({ "target": "finance.transactions", "id": SOME_ID }),
        ),
        _ => (
            "query",
            json!({ "target": "finance.transactions", "select": ["id"], "limit": 1, "count": true }),
        ),
    }
}

impl Light {
    pub async fn open(app: &App) -> Self {
        Self(Port::of(app, key(app, "light").await))
    }

    /// Makes queries for this time; returns how long each took.
    pub async fn asks_for(&self, time: Duration) -> Times {
        let mut times = Times(Default::default());
        let begun = Instant::now();
        while begun.elapsed() < time {
            for (place, times) in times.0.iter_mut().enumerate() {
                let (tool, arguments) = question(place);
                let asked = Instant::now();
                let answer = self.0.call(tool, &arguments).send().await.unwrap();
                let answer: Value = answer.json().await.unwrap();
                times.push(asked.elapsed());
                let failed = answer.pointer("/result/isError");
                assert_eq!(failed, Some(&json!(false)), "{answer}");
            }
        }
        times
    }
}

impl Times {
    pub fn print(&self, beside: &str, alone: &Self) {
        for ((asked, own), alone) in ASKED.iter().zip(&self.0).zip(&alone.0) {
            println!(
                "| {beside} | {asked} | {:.1} | {:.1} | {:.1} | {:.1} |",
                share(own, 50),
                share(own, 99),
                share(own, 100),
                share(own, 99) / share(alone, 99),
            );
        }
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
