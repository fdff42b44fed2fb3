//! The batches of a loader on their way to the sink.

use std::io;

use sextant_formats::{EntryPlace, RecordFields};

use super::FileLoader;
use crate::intake::batch::{PushBatch, RECORD_BYTES_MAX};
use crate::intake::listener::{IntakeEvent, Listener};
use crate::intake::outcome::BatchOutcome;
use crate::intake::shares::{rejected, shares};
use crate::intake::sink::Sink;

impl<S: Sink, L: Listener> FileLoader<'_, S, L> {
    /// Adds a record to the batch of its connection, which is sent first if it is full.
    pub(super) async fn add(
        &mut self,
        connection: usize,
        place: EntryPlace,
        fields: &RecordFields,
    ) -> Result<(), S::Error> {
        let Ok(row) = serde_json::to_vec(fields) else {
            return Ok(self.refuse(place, "it cannot be written as JSON".to_owned())?);
        };
        if row.len() > RECORD_BYTES_MAX {
            let reason = format!("the record is longer than {RECORD_BYTES_MAX} bytes");
            return Ok(self.refuse(place, reason)?);
        }
        if self.batches.len() <= connection {
            self.batches.resize_with(connection + 1, PushBatch::default);
        }
        if self
            .batches
            .get(connection)
            .is_some_and(|batch| !batch.has_room_for(&row))
        {
            self.send(connection).await?;
        }
        if let Some(batch) = self.batches.get_mut(connection) {
            batch.push(self.told.current(), place, row);
            self.told.wait();
        }
        Ok(())
    }

    /// Sends what waits for a connection, in halves if the sink finds the whole too large, or refuses several files for one.
    async fn send(&mut self, connection: usize) -> Result<(), S::Error> {
        // A connection for which nothing waits has no batch.
        let batch = self.batches.get_mut(connection);
        let waiting = batch.map(std::mem::take).unwrap_or_default();
        let mut pending = vec![waiting];
        while let Some(batch) = pending.pop().filter(|batch| !batch.is_empty()) {
            let reason = match self.sink.push(connection, &batch).await? {
                BatchOutcome::Stored(stored) => {
                    self.refuse_all(rejected(&batch, &stored.rejected))?;
                    self.answer(shares(connection, &batch, stored))?;
                    continue;
                }
                BatchOutcome::TooLarge(_) if batch.len() > 1 => {
                    let (first, second) = batch.halves();
                    pending.extend([second, first]);
                    continue;
                }
                BatchOutcome::Refused(_) if batch.is_of_several_files() => {
                    let (first, second) = batch.halves();
                    pending.extend([second, first]);
                    continue;
                }
                BatchOutcome::TooLarge(reason) => reason.to_owned(),
                BatchOutcome::Refused(reason) => reason,
            };
            let places = batch.places().map(|(file, place)| (file, place, &reason));
            let refused = places.map(|(file, place, reason)| (file, place.clone(), reason.clone()));
            self.refuse_all(refused)?;
            self.answer(batch.files().map(|(file, records)| (file, records, None)))?;
        }
        Ok(())
    }

    /// Records were answered, by their files; what there is to tell of them.
    fn answer(
        &mut self,
        shares: impl IntoIterator<Item = (usize, usize, Option<IntakeEvent>)>,
    ) -> io::Result<()> {
        for (file, records, event) in shares {
            if let Some(event) = event {
                self.told.hear_of(file, event)?;
            }
            self.told.answer(file, records)?;
        }
        Ok(())
    }

    fn refuse_all(
        &mut self,
        refused: impl IntoIterator<Item = (usize, EntryPlace, String)>,
    ) -> io::Result<()> {
        refused.into_iter().try_for_each(|(file, place, reason)| {
            self.told
                .hear_of(file, IntakeEvent::Refused { place, reason })
        })
    }

    /// Sends all that waits, what was read first before the rest.
    pub(super) async fn send_all(&mut self) -> Result<(), S::Error> {
        let mut connections: Vec<usize> = (0..self.batches.len()).collect();
        connections.sort_by_key(|connection| {
            let batch = self.batches.get(*connection);
            batch
                .and_then(|batch| batch.files().next())
                .map(|(file, _)| file)
        });
        for connection in connections {
            self.send(connection).await?;
        }
        Ok(())
    }
}
