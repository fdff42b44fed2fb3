//! Which booked payment took over which pending one: by amount and time, and by words where several could. Pure.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{NaiveDate, TimeDelta};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// A pending payment is booked so many days later at the most.
const BOOKED_WITHIN: TimeDelta = TimeDelta::days(8);
/// Where a pending payment says no day, it was made so long before it was seen at the most.
const SEEN_WITHIN: TimeDelta = TimeDelta::days(3);
/// The most by which a booked amount may differ from the pending one (a tip, a deposit at a pump), as a part of the pending one.
const AMOUNT_CHANGE_MAX: Decimal = Decimal::from_parts(25, 0, 0, false, 2);

/// What decides of a payment which other it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Payment {
    /// Its key at the source.
    pub(crate) key: String,
    pub(crate) amount: Decimal,
    /// The day it was booked, of a pending one the day it was made, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) day: Option<NaiveDate>,
    /// What it was for, as the bank wrote it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) words: String,
}

/// When a booked payment came, beside the pending one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Arrival {
    Later,
    /// Both were listed when either was seen first: the bank may have been late to let the pending one go.
    Together,
}

/// How well a booked payment fits a pending one; the least fits best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    /// Another amount, which is believed only of the same words.
    differs: bool,
    is_said_otherwise: bool,
    arrival: Arrival,
    days_apart: i64,
}

/// By the key of each booked payment that took over a pending one, that one's key. Each is in one pair at the most. `gone` are pending
/// ones that are not listed any more, each with the day on which it was seen first; `arrival` is `None` where the booked one was there before.
pub(super) fn pairs<'a>(
    gone: &[(&'a Payment, NaiveDate)],
    booked: &[&'a Payment],
    arrival: impl Fn(&Payment, &Payment) -> Option<Arrival>,
) -> BTreeMap<&'a str, &'a str> {
    let mut fits = Vec::new();
    for (pending, seen_on) in gone {
        for booked in booked {
            let arrival = arrival(pending, booked);
            let fit = arrival.and_then(|arrival| fit((pending, *seen_on), booked, arrival));
            if let Some(fit) = fit {
                fits.push((fit, pending.key.as_str(), booked.key.as_str()));
            }
        }
    }
    fits.sort_unstable();
    let (mut pairs, mut taken) = (BTreeMap::new(), BTreeSet::new());
    for (_, pending, booked) in fits {
        if !taken.contains(pending) && !pairs.contains_key(booked) {
            taken.insert(pending);
            pairs.insert(booked, pending);
        }
    }
    pairs
}

/// Whether a booked payment can be a pending one at all, seen first on that day.
pub(super) fn may_be(pending: &Payment, seen_on: NaiveDate, booked: &Payment) -> bool {
    fit((pending, seen_on), booked, Arrival::Later).is_some()
}

fn fit(
    (pending, seen_on): (&Payment, NaiveDate),
    booked: &Payment,
    arrival: Arrival,
) -> Option<Fit> {
    let booked_on = booked.day?;
    let made_on = pending.day.unwrap_or(seen_on);
    let earliest = match pending.day {
        Some(day) => day,
        None => seen_on - SEEN_WITHIN,
    };
    let is_in_time = booked_on >= earliest && booked_on - made_on <= BOOKED_WITHIN;
    let differs = booked.amount != pending.amount;
    let is_said_otherwise = !is_said_alike(&pending.words, &booked.words);
    let is_like = !differs || (!is_said_otherwise && is_near(pending.amount, booked.amount));
    (is_in_time && is_like).then(|| Fit {
        differs,
        is_said_otherwise,
        arrival,
        days_apart: (booked_on - made_on).num_days().abs(),
    })
}

/// Whether both go the same way and differ by a part that a tip may be.
fn is_near(pending: Decimal, booked: Decimal) -> bool {
    let is_same_way = pending.is_sign_negative() == booked.is_sign_negative();
    let most = pending.abs().checked_mul(AMOUNT_CHANGE_MAX);
    let change = booked.checked_sub(pending).map(|change| change.abs());
    is_same_way
        && most
            .zip(change)
            .is_some_and(|(most, change)| change <= most)
}

/// Whether two texts name the same, whatever their case and space; nothing is named by no words.
fn is_said_alike(one: &str, other: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|letter: char| !letter.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let (one, other) = (words(one), words(other));
    !one.is_empty() && one == other
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(number: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 11, number).unwrap()
    }

    fn payment(key: &str, cents: i64, on: Option<u32>, words: &str) -> Payment {
        Payment {
            key: key.to_owned(),
            amount: Decimal::new(cents, 2),
            day: on.map(day),
            words: words.to_owned(),
        }
    }

    fn paired(pending: &[Payment], booked: &[Payment]) -> Vec<String> {
        let gone: Vec<_> = pending.iter().map(|own| (own, day(10))).collect();
        let booked: Vec<_> = booked.iter().collect();
        let pairs = pairs(&gone, &booked, |_, _| Some(Arrival::Later));
        let pairs = pairs.into_iter();
        pairs
            .map(|(booked, pending)| format!("{pending}>{booked}"))
            .collect()
    }

    #[test]
    fn the_same_amount_within_days_is_the_same_payment() {
        let pending = [payment("p", -450, Some(3), "CAFE 12")];
        for (cents, on, expected) in [
            (-450, 3, true),
            (-450, 11, true),
            (-450, 12, false),
            (-450, 2, false),
            (450, 4, false),
            (-451, 4, false),
        ] {
            let booked = [payment("b", cents, Some(on), "card payment")];
            assert_eq!(
                !paired(&pending, &booked).is_empty(),
                expected,
                "{cents} {on}"
            );
        }
    }

    #[test]
    fn of_several_the_one_with_the_same_words_is_taken_and_then_the_nearest() {
        let pending = [
            payment("a", -450, Some(3), "Cafe"),
            payment("b", -450, Some(4), "Kiosk"),
        ];
        let booked = [
            payment("x", -450, Some(4), "cafe "),
            payment("y", -450, Some(6), "KIOSK"),
        ];
        assert_eq!(paired(&pending, &booked), ["a>x", "b>y"]);
        let unsaid = [
            payment("x", -450, Some(4), ""),
            payment("y", -450, Some(6), ""),
        ];
        assert_eq!(paired(&pending, &unsaid), ["b>x", "a>y"]);
        assert_eq!(paired(&pending[..1], &unsaid), ["a>x"]);
    }

    #[test]
    fn another_amount_is_believed_of_the_same_words_alone() {
        let pending = [payment("p", -4000, Some(3), "Trattoria Roma")];
        let booked = |cents, words| [payment("b", cents, Some(5), words)];
        assert_eq!(paired(&pending, &booked(-4800, "TRATTORIA ROMA")), ["p>b"]);
        assert_eq!(paired(&pending, &booked(-4800, "Trattoria")), [""; 0]);
        assert_eq!(paired(&pending, &booked(-5100, "Trattoria Roma")), [""; 0]);
        assert_eq!(paired(&pending, &booked(4000, "Trattoria Roma")), [""; 0]);
        // The exact one comes first, whatever the words.
        let both = [
            payment("near", -4800, Some(3), "Trattoria Roma"),
            payment("same", -4000, Some(9), "card"),
        ];
        assert_eq!(paired(&pending, &both), ["p>same"]);
    }

    #[test]
    fn a_pending_payment_without_a_day_counts_from_when_it_was_seen() {
        let pending = [payment("p", -450, None, "")];
        for (on, expected) in [(6, false), (7, true), (18, true), (19, false)] {
            let booked = [payment("b", -450, Some(on), "")];
            assert_eq!(!paired(&pending, &booked).is_empty(), expected, "{on}");
        }
        let undated = [payment("b", -450, None, "")];
        assert_eq!(paired(&pending, &undated), [""; 0]);
    }
}
