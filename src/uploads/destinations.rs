//! Which connection takes the records of a table. Pure.

use std::collections::BTreeMap;

use sextant_actors::connections::ConnectionSnapshot;
use sextant_actors::domain::{ConnectionState, KnownConnection};
use uuid::Uuid;

use crate::catalog::Table;
use crate::intake::label;
use crate::providers::PUSH;

/// Where the records of a table go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    There(Uuid, String),
    /// To a new connection of this label.
    New(String),
}

/// The connection that the person chose, else the one that files of this table went to before, else a new one.
///
/// # Errors
/// When the chosen one cannot take them.
pub(super) fn destination(
    table: &Table,
    chosen: &BTreeMap<String, Option<Uuid>>,
    known: &ConnectionSnapshot,
) -> Result<Destination, String> {
    let target = table.target();
    let own_label = label(table);
    match chosen.get(&target) {
        Some(Some(id)) => match known.get(id).filter(|known| takes(known, &target)) {
            Some(chosen) => Ok(Destination::There(chosen.id, chosen.label.clone())),
            None => Err(format!(
                "connection {id} takes no records of {target} now: choose one that is active, of this table, and no sample"
            )),
        },
        Some(None) => Ok(Destination::New(own_label)),
        None => {
            let mut fitting = known.values().filter(|known| takes(known, &target));
            let usual = fitting.find(|known| known.label == own_label);
            Ok(match usual {
                Some(usual) => Destination::There(usual.id, usual.label.clone()),
                None => Destination::New(own_label),
            })
        }
    }
}

/// Whether records of the table may be stored for a connection: never a sample, never one that is paused.
pub(super) fn takes(connection: &KnownConnection, target: &str) -> bool {
    connection.provider == PUSH
        && connection.target == target
        && connection.state == ConnectionState::Active
        && !connection.is_sample
}
