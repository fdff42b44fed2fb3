//! Random values: few enough that rows share them, with the edge cases among them.

use chrono::{DateTime, Duration, NaiveDate, Utc};
use chrono_tz::Tz;
use rust_decimal::Decimal;
use serde_json::json;

use super::model::{Cell, Kind};
use crate::query::chance::Chance;

pub const ZONES: [Tz; 5] = [
    chrono_tz::Europe::Vienna,
    chrono_tz::Asia::Kathmandu,
    chrono_tz::Australia::Lord_Howe,
    chrono_tz::America::St_Johns,
    chrono_tz::Pacific::Apia,
];

/// Clock changes of these zones, by an hour, half an hour or a day; midnights, a leap day, ends of months and years.
const TURNS: [&str; 20] = [
    "2026-03-29T01:00:00Z",
    "2026-10-25T01:00:00Z",
    "2026-04-04T15:00:00Z",
    "2026-10-03T15:30:00Z",
    "2026-03-08T05:30:00Z",
    "2026-11-01T04:30:00Z",
    "2011-12-30T10:00:00Z",
    "2021-04-03T14:00:00Z",
    "2020-09-26T14:00:00Z",
    "2026-02-28T18:15:00Z",
    "2026-03-28T23:00:00Z",
    "2026-03-29T22:00:00Z",
    "2026-10-25T23:00:00Z",
    "2024-02-29T00:00:00Z",
    "2028-02-29T12:00:00Z",
    "2025-12-31T23:59:59.999999Z",
    "2026-01-31T12:00:00Z",
    "2026-03-31T23:00:00Z",
    "2026-12-28T00:00:00Z",
    "2027-01-04T00:00:00Z",
];
const MINUTES: [i64; 14] = [0, 0, 1, 14, 15, 29, 30, 45, 59, 60, 61, 90, 420, 1440];

/// The words for `search` stand alone; the others contain characters that patterns must not interpret.
pub const WORDS: [&str; 8] = [
    "Coffee", "market", "Müller", "decaf", "Zoë", "rent", "STRAẞE", "tea",
];
const ODDITIES: [&str; 12] = [
    "100%", "a_b", "%", "_", "\\", "O'Brien", "x\"y", "--", ";DROP", "%%", "日本", "🎉",
];
const CURRENCIES: [&str; 4] = ["EUR", "USD", "JPY", "eur"];

pub fn instant(chance: &mut Chance) -> DateTime<Utc> {
    let turn: DateTime<Utc> = chance.one_of(&TURNS).parse().unwrap();
    let minutes = Duration::minutes(*chance.one_of(&MINUTES));
    let shifted = if chance.is(50) {
        turn + minutes
    } else {
        turn - minutes
    };
    match chance.below(8) {
        0 => shifted - Duration::microseconds(1),
        1 => shifted + Duration::microseconds(chance.within(1, 999_999)),
        2 => shifted + Duration::minutes(chance.within(-5000, 5000)),
        _ => shifted,
    }
}

pub fn day(chance: &mut Chance) -> NaiveDate {
    instant(chance).date_naive() + Duration::days(chance.within(-2, 2))
}

pub fn text(chance: &mut Chance) -> String {
    let count = 1 + chance.index(4);
    let mut words = Vec::new();
    for _ in 0..count {
        words.push(if chance.is(75) {
            *chance.one_of(&WORDS)
        } else {
            *chance.one_of(&ODDITIES)
        });
    }
    words.join(" ")
}

/// With four decimals, as money is stored; sometimes as large as possible.
pub fn money(chance: &mut Chance) -> Decimal {
    let digits = match chance.below(6) {
        0 => chance.within(-999_999_999_999_999_999, 999_999_999_999_999_999),
        1 => chance.within(-20, 20),
        2 => chance.within(-9_999_999, 9_999_999),
        _ => chance.within(-8, 8) * 12_500,
    };
    Decimal::new(digits, 4)
}

/// A multiple of an eighth, so that sums are exact in whatever order they are added.
pub fn real(chance: &mut Chance) -> f64 {
    chance.within(-40, 80) as f64 / 8.0
}

/// A value of a column, from a list of its own where it has one.
pub fn of(chance: &mut Chance, name: &str, kind: Kind) -> Cell {
    let own: &[&str] = match name {
        "status" => &["pending", "posted"],
        "score_state" => &["SCORED", "PENDING_SCORE", "UNSCORABLE"],
        "currency" => &CURRENCIES,
        "category" => &["groceries", "rent", "Groceries", "fee", "tea"],
        "metric" => &["mood", "steps", "clicks"],
        "unit" => &["points", "stars"],
        _ => &[],
    };
    if !own.is_empty() {
        return Cell::Text((*chance.one_of(own)).to_owned());
    }
    match kind {
        Kind::Text => Cell::Text(text(chance)),
        Kind::Whole if name.ends_with("_ms") => Cell::Whole(chance.within(-3, 3) * 3_000_000_000),
        Kind::Whole => Cell::Whole(chance.within(1, 12)),
        Kind::Real => Cell::Real(real(chance)),
        Kind::Exact => Cell::Exact(money(chance)),
        Kind::Flag => Cell::Flag(chance.is(50)),
        Kind::Day => Cell::Day(day(chance)),
        Kind::Instant => Cell::Instant(instant(chance)),
        Kind::Json => {
            let (one, other) = (text(chance), text(chance));
            Cell::Json(json!([{"address": one, "label": "home"}, {"label": other}]))
        }
        Kind::Texts => Cell::Texts((0..chance.below(4)).map(|_| text(chance)).collect()),
        Kind::Wholes => Cell::Wholes((0..chance.below(4)).map(|_| chance.within(0, 4)).collect()),
        Kind::Id => Cell::Null,
    }
}
