//! What a run measures: all of it, unless words of the command line bound it.

use std::path::PathBuf;

use super::anchors::{ANCHORS, Anchor};
use super::load::CLIENTS;

/// Rounds when none are named; the table shows medians.
const ROUNDS: usize = 3;

/// What is measured.
pub struct Selection {
    pub rounds: usize,
    pub anchors: Vec<&'static Anchor>,
    pub clients: Vec<usize>,
    /// Programs of other builds.
    pub programs: Vec<PathBuf>,
}

impl Selection {
    /// Reads `--rounds=N` (odd), `--anchors=Q1,Q4`, `--clients=8,32`, and paths.
    pub fn read(words: &[&str]) -> Self {
        let mut selected = Self {
            rounds: ROUNDS,
            anchors: ANCHORS.iter().collect(),
            clients: Vec::from(CLIENTS),
            programs: Vec::new(),
        };
        for word in words {
            match word
                .strip_prefix("--")
                .and_then(|word| word.split_once('='))
            {
                None => selected.programs.push(PathBuf::from(word)),
                Some(("rounds", count)) => selected.rounds = number(count) | 1,
                Some(("anchors", names)) => {
                    let names: Vec<&str> = names.split(',').collect();
                    selected
                        .anchors
                        .retain(|anchor| names.contains(&anchor.name));
                }
                Some(("clients", counts)) => {
                    selected.clients = counts.split(',').map(number).collect();
                }
                Some((name, _)) => {
                    panic!("no word `--{name}`: rounds, anchors, clients, or paths of programs")
                }
            }
        }
        selected
    }
}

fn number(text: &str) -> usize {
    text.parse().unwrap()
}
