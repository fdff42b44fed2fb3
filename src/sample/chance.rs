//! Pseudorandom numbers that are a function of a name and a day, so that the sample is the same at each load.

use chrono::{Datelike, NaiveDate};

/// The constants of FNV-1a with 64 bits.
const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// A number from 0.0 to below 1.0.
pub(super) fn share(name: &str, day: NaiveDate) -> f64 {
    let bytes = day.num_days_from_ce().to_le_bytes();
    let all = name.bytes().chain(bytes);
    let hash = all.fold(OFFSET, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(PRIME)
    });
    (mix(hash) % 1_000_000) as f64 / 1_000_000.0
}

/// A number from `low` up to `high`.
pub(super) fn between(name: &str, day: NaiveDate, (low, high): (f64, f64)) -> f64 {
    low + share(name, day) * (high - low)
}

/// Whether something happens that does on `percent` of the days.
pub(super) fn happens(name: &str, day: NaiveDate, percent: f64) -> bool {
    share(name, day) * 100.0 < percent
}

/// Spreads the hashes of neighbouring days, which differ in few bits (the finalizer of `SplitMix64`).
const fn mix(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// `number`, rounded to `digits` after the point.
pub(super) fn rounded(number: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (number * scale).round() / scale
}
