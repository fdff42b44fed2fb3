//! The Console's list of connections: which there are, which of them a push may use, and which were made by one. Pure.

use std::fmt;

use serde::Deserialize;

use super::error::PushError;
use crate::intake::Route;
use crate::intake::{label, pushable};

/// The Console's list, as far as it matters here.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Listing {
    connections: Vec<Listed>,
}

#[derive(Debug, Clone, Deserialize)]
struct Listed {
    id: String,
    sector: String,
    table: Option<String>,
    #[serde(default)]
    label: String,
    provider: String,
    state: String,
}

/// A connection that bears the label which `--create` would give it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Namesake {
    pub id: String,
    pub label: String,
    /// `sector.table`.
    pub target: String,
}

impl fmt::Display for Namesake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}` for {}", self.id, self.label, self.target)
    }
}

impl Listing {
    /// A connection that was given by its id.
    pub(super) fn given(&self, id: &str) -> Result<Route, PushError> {
        let listed = self.connections.iter().find(|listed| listed.id == id);
        let listed = listed.ok_or_else(|| PushError::Connection(self.unknown(id)))?;
        if listed.provider != "push" {
            let text = format!(
                "connection {id} is pulled from {} and takes no pushes",
                listed.provider
            );
            return Err(PushError::Connection(text));
        }
        let route = listed.route();
        match (route.table, route.closed) {
            (_, Some(reason)) => Err(PushError::Connection(reason)),
            (None, None) => Err(PushError::Connection(format!(
                "connection {id} has no table"
            ))),
            (table, closed) => Ok(Route {
                id: route.id,
                table,
                closed,
            }),
        }
    }

    /// A connection whose secret is known; it may be another server's, or gone.
    pub(super) fn known(&self, id: &str) -> Option<Route> {
        let route = self.pushes().find(|listed| listed.id == id)?.route();
        route.table.is_some().then_some(route)
    }

    /// The connections that bear the label which `--create` would give them.
    pub(super) fn namesakes(&self) -> impl Iterator<Item = Namesake> {
        self.pushes().filter_map(|listed| {
            let target = listed.target()?;
            let is_namesake = label(pushable(&target)?) == listed.label;
            is_namesake.then(|| Namesake {
                id: listed.id.clone(),
                label: listed.label.clone(),
                target,
            })
        })
    }

    fn pushes(&self) -> impl Iterator<Item = &Listed> {
        let connections = self.connections.iter();
        connections.filter(|listed| listed.provider == "push")
    }

    fn unknown(&self, id: &str) -> String {
        let known: Vec<_> = self
            .pushes()
            .map(|listed| format!("{} ({})", listed.id, listed.sector))
            .collect();
        match known.is_empty() {
            true => format!("there is no connection {id}, nor any other that takes pushes"),
            false => format!(
                "there is no connection {id}; those that take pushes are {}",
                known.join(", ")
            ),
        }
    }
}

impl Listed {
    fn route(&self) -> Route {
        let id = &self.id;
        let is_paused = self.state == "paused";
        Route {
            id: id.clone(),
            table: self.target(),
            closed: is_paused.then(|| {
                format!("connection {id} is paused: resume it in the Console, then push again")
            }),
        }
    }

    /// Its table with the sector before it.
    fn target(&self) -> Option<String> {
        let table = self.table.as_deref()?;
        Some(match table.contains('.') {
            true => table.to_owned(),
            false => format!("{}.{table}", self.sector),
        })
    }
}
