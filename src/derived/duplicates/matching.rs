//! Which transactions of accounts that are one are one, and which of them is served. Pure.
//!
//! The transactions of a bucket have one amount and one currency. A transaction of one account is matched with one of another at the
//! most, so that among equal ones the larger source's count is served. Two are one where
//!
//! 1. they were booked on one day, those with one text before others;
//! 2. or else their texts are one, no more than three days lie between their bookings, and they have a day in common: that on which both
//!    say they were made, else from which both say they count, else any day of the one that is one of the other. Never looser: two
//!    coffees on two days are two, though the one was made on the day on which the other was booked.
//!
//! Of those that are one, a posted one is served before a pending one, then the one with more fields, then that of the account which is
//! served, then the lower id.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};

use chrono::{NaiveDate, TimeDelta};
use uuid::Uuid;

/// The most days between the bookings of two transactions that are one.
const APART_MAX: TimeDelta = TimeDelta::days(3);

/// A transaction, as far as it is compared.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Booking {
    pub id: Uuid,
    /// The place of its account in the group: 0 is the one that is served.
    pub place: usize,
    pub booked_on: NaiveDate,
    pub value_on: Option<NaiveDate>,
    pub made_on: Option<NaiveDate>,
    /// Who was paid, else the description, as words.
    pub text: Option<String>,
    pub is_pending: bool,
    /// How many of its fields are filled.
    pub filled: i32,
}

/// Which of two bookings are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Equality {
    DayAndText,
    Day,
    /// One text, and a day in common.
    TextAndSomeDay,
}

const EQUALITIES: [Equality; 3] = [
    Equality::DayAndText,
    Equality::Day,
    Equality::TextAndSomeDay,
];

type EqualBookings = Vec<Booking>;

/// By id: the booking that is served in its place, if another one is.
pub(super) fn hidden(bucket: Vec<Booking>) -> BTreeMap<Uuid, Uuid> {
    let mut hidden = BTreeMap::new();
    for cluster in clusters(bucket) {
        let Some(served) = cluster.iter().max_by_key(|own| rank(own)).map(|own| own.id) else {
            continue;
        };
        let others = cluster.iter().filter(|own| own.id != served);
        hidden.extend(others.map(|own| (own.id, served)));
    }
    hidden
}

fn rank(booking: &Booking) -> (bool, i32, bool, Reverse<Uuid>) {
    let Booking {
        is_pending,
        filled,
        place,
        id,
        ..
    } = booking;
    (!is_pending, *filled, *place == 0, Reverse(*id))
}

/// The bookings that are one, in groups of at most one of each account.
fn clusters(bucket: Vec<Booking>) -> Vec<EqualBookings> {
    let mut by_account: BTreeMap<usize, Vec<Booking>> = BTreeMap::new();
    for booking in bucket {
        by_account.entry(booking.place).or_default().push(booking);
    }
    let mut clusters: Vec<EqualBookings> = Vec::new();
    for mut left in by_account.into_values() {
        left.sort_by_key(|booking| (booking.booked_on, booking.id));
        let mut open: Vec<bool> = clusters.iter().map(|_| true).collect();
        for equality in EQUALITIES {
            left = place(left, &mut clusters, &mut open, equality);
        }
        clusters.extend(left.into_iter().map(|booking| vec![booking]));
    }
    clusters
}

/// Puts each booking into an open cluster that holds its equal, which closes; those without one are left.
fn place(
    bookings: Vec<Booking>,
    clusters: &mut [EqualBookings],
    open: &mut [bool],
    equality: Equality,
) -> Vec<Booking> {
    let mut index: BTreeMap<EqualityKey, VecDeque<usize>> = BTreeMap::new();
    for (number, cluster) in clusters.iter().enumerate() {
        let is_open = open.get(number).copied().unwrap_or(false);
        for key in cluster
            .iter()
            .filter(|_| is_open)
            .flat_map(|own| equality.keys(own))
        {
            index.entry(key).or_default().push_back(number);
        }
    }
    let mut left = Vec::new();
    for booking in bookings {
        let found = equality.keys(&booking).into_iter().find_map(|key| {
            let numbers = index.get_mut(&key)?;
            numbers.retain(|number| open.get(*number).copied().unwrap_or(false));
            let mut numbers = numbers.iter().copied();
            numbers.find(|number| {
                let cluster = clusters.get(*number);
                cluster
                    .is_some_and(|cluster| cluster.iter().any(|own| equality.holds(own, &booking)))
            })
        });
        match found.and_then(|number| Some((clusters.get_mut(number)?, open.get_mut(number)?))) {
            Some((cluster, is_open)) => {
                cluster.push(booking);
                *is_open = false;
            }
            None => left.push(booking),
        }
    }
    left
}

/// What equal bookings have in common.
type EqualityKey = (NaiveDate, Option<String>);

impl Equality {
    fn keys(self, booking: &Booking) -> Vec<EqualityKey> {
        let text = || booking.text.clone();
        match self {
            Self::Day => vec![(booking.booked_on, None)],
            _ if booking.text.is_none() => Vec::new(),
            Self::DayAndText => vec![(booking.booked_on, text())],
            Self::TextAndSomeDay => booking.days().map(|day| (day, text())).collect(),
        }
    }

    /// Whether two bookings with a key in common are one.
    fn holds(self, one: &Booking, other: &Booking) -> bool {
        match self {
            Self::DayAndText => one.booked_on == other.booked_on && one.text == other.text,
            Self::Day => one.booked_on == other.booked_on,
            Self::TextAndSomeDay => {
                let is_near = (one.booked_on - other.booked_on).abs() <= APART_MAX;
                is_near && one.text == other.text && one.has_day_of(other)
            }
        }
    }
}

impl Booking {
    fn days(&self) -> impl Iterator<Item = NaiveDate> {
        let further = self.value_on.into_iter().chain(self.made_on);
        further.chain([self.booked_on])
    }

    fn has_day_of(&self, other: &Self) -> bool {
        let both_made = self.made_on.zip(other.made_on);
        match both_made.or_else(|| self.value_on.zip(other.value_on)) {
            Some((own, others)) => own == others,
            None => self
                .days()
                .any(|day| other.days().any(|others| others == day)),
        }
    }
}

#[cfg(test)]
mod tests;
