//! Sleeps and workouts in pieces: what one connection tells twice is counted once. Pure.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

/// A stretch of time that a connection tells of, and the minutes of it that count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    pub day: NaiveDate,
    pub connection: Uuid,
    pub start: DateTime<Utc>,
    pub end: DateTime<Utc>,
    pub minutes: f64,
}

/// Pieces that do not overlap, by their start.
#[derive(Default)]
struct Apart(BTreeMap<DateTime<Utc>, Piece>);

impl Apart {
    /// Keeps `piece` unless it overlaps one that is kept. Since those are apart, only the last that begins before its end
    /// can, or one that begins with it.
    fn keep(&mut self, piece: Piece) {
        let before = self.0.range(..piece.end).next_back();
        let is_told = before.is_some_and(|(_, kept)| kept.end > piece.start);
        if !is_told {
            self.0.entry(piece.start).or_insert(piece);
        }
    }
}

/// The minutes of each day and connection. Of pieces that overlap the one with the most minutes counts.
pub fn told_once(mut pieces: Vec<Piece>) -> BTreeMap<(NaiveDate, Uuid), f64> {
    pieces.sort_by(|one, other| {
        let longer = other.minutes.total_cmp(&one.minutes);
        longer.then((one.start, one.end).cmp(&(other.start, other.end)))
    });
    let mut apart: BTreeMap<(NaiveDate, Uuid), Apart> = BTreeMap::new();
    for piece in pieces {
        apart
            .entry((piece.day, piece.connection))
            .or_default()
            .keep(piece);
    }
    apart
        .into_iter()
        .map(|(whose, Apart(kept))| (whose, kept.values().map(|piece| piece.minutes).sum()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(connection: u128, start: i64, end: i64, minutes: f64) -> Piece {
        let at = |minute: i64| DateTime::from_timestamp(minute * 60, 0).unwrap();
        Piece {
            day: NaiveDate::MIN,
            connection: Uuid::from_u128(connection),
            start: at(start),
            end: at(end),
            minutes,
        }
    }

    #[test]
    fn a_night_told_twice_counts_once_and_a_nap_is_added() {
        let told = told_once(vec![
            piece(1, 0, 480, 480.0),
            piece(1, 10, 470, 430.0),
            piece(1, 480, 500, 20.0),
            piece(2, 0, 400, 400.0),
        ]);
        let minutes: Vec<f64> = told.into_values().collect();
        assert_eq!(minutes, [500.0, 400.0]);
    }
}
