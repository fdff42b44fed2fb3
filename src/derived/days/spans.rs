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
    /// Whether the source knows these minutes, and not only the time around them: a night in bed is no night's sleep.
    pub is_measured: bool,
}

/// What a connection tells of a day.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Told {
    pub minutes: f64,
    measured_minutes: f64,
}

impl Told {
    pub fn is_mostly_measured(&self) -> bool {
        self.measured_minutes * 2.0 >= self.minutes
    }

    fn with(self, piece: &Piece) -> Self {
        let measured = if piece.is_measured {
            piece.minutes
        } else {
            0.0
        };
        Self {
            minutes: self.minutes + piece.minutes,
            measured_minutes: self.measured_minutes + measured,
        }
    }
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

/// What each connection tells of each day. Of pieces that overlap a measured one counts, and then the one with the
/// most minutes.
pub fn told_once(mut pieces: Vec<Piece>) -> BTreeMap<(NaiveDate, Uuid), Told> {
    pieces.sort_by(|one, other| {
        let surer = other.is_measured.cmp(&one.is_measured);
        let longer = other.minutes.total_cmp(&one.minutes);
        surer
            .then(longer)
            .then((one.start, one.end).cmp(&(other.start, other.end)))
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
        .map(|(whose, Apart(kept))| (whose, kept.values().fold(Told::default(), Told::with)))
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
            is_measured: true,
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
        let minutes: Vec<f64> = told.into_values().map(|told| told.minutes).collect();
        assert_eq!(minutes, [500.0, 400.0]);
    }

    #[test]
    fn time_in_bed_counts_only_where_no_sleep_is_known() {
        let in_bed = |start, end| Piece {
            is_measured: false,
            ..piece(1, start, end, (end - start) as f64)
        };
        let told = |pieces| told_once(pieces).into_values().next().unwrap();
        let night = told(vec![in_bed(0, 480), piece(1, 10, 470, 390.0)]);
        assert_eq!(night.minutes, 390.0);
        assert!(night.is_mostly_measured());
        let known_nap = told(vec![in_bed(0, 480), piece(1, 600, 630, 30.0)]);
        assert_eq!(known_nap.minutes, 510.0);
        assert!(!known_nap.is_mostly_measured());
    }
}
