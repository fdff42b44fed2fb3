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
    /// Words of which a server's name has one; all servers where none is named. pgbench is always measured.
    pub servers: Vec<String>,
    /// Programs of other builds.
    pub programs: Vec<PathBuf>,
}

impl Selection {
    /// Reads `--rounds=N` (odd), `--anchors=Q1,Q4`, `--clients=8,32`, `--servers=stateless,toolbox`, and paths.
    pub fn read(words: &[&str]) -> Self {
        let mut selected = Self {
            rounds: ROUNDS,
            anchors: ANCHORS.iter().collect(),
            clients: Vec::from(CLIENTS),
            servers: Vec::new(),
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
                Some(("servers", names)) => {
                    selected.servers = names.split(',').map(str::to_owned).collect();
                }
                Some((name, _)) => {
                    panic!("no word `--{name}`: rounds, anchors, clients, servers, or paths")
                }
            }
        }
        selected
    }

    /// Whether a server of this name is measured.
    pub fn has_server(&self, name: &str) -> bool {
        self.servers.is_empty() || self.servers.iter().any(|word| name.contains(word))
    }
}

fn number(text: &str) -> usize {
    text.parse().unwrap()
}
