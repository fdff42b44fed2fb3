//! Seeded choice: the seed is printed, and with it a failing run can be repeated.

use std::hash::{BuildHasher, RandomState};

/// Sets the seed to run, instead of the fixed one and a random one.
const SEED_VARIABLE: &str = "SEXTANT_QUERY_SEED";
/// Run every time, so that a regression it has found stays covered.
const USUAL_SEED: u64 = 6;

/// The seeds of this run; they are printed.
pub fn seeds() -> Vec<u64> {
    seeds_of(SEED_VARIABLE, USUAL_SEED)
}

/// The seed in this variable, or else the fixed one and a random one; they are printed.
#[expect(
    clippy::disallowed_methods,
    reason = "a test's own settings come from the environment"
)]
pub fn seeds_of(variable: &str, usual: u64) -> Vec<u64> {
    let seeds = match std::env::var(variable) {
        Ok(asked) => vec![asked.parse().unwrap()],
        Err(_) => vec![usual, RandomState::new().hash_one(variable)],
    };
    println!("{variable} is {seeds:?}");
    seeds
}

/// A stream of random choices.
#[derive(Clone)]
pub struct Chance(u64);

impl Chance {
    pub const fn of(seed: u64) -> Self {
        Self(mixed(seed))
    }

    /// The stream of the part `number`.
    pub const fn part(&self, number: u64) -> Self {
        Self(mixed(self.0.wrapping_add(mixed(number))))
    }

    pub const fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0) % end
    }

    /// From `low` to `high`, both included.
    pub fn within(&mut self, low: i64, high: i64) -> i64 {
        low + i64::try_from(self.below((high - low + 1).unsigned_abs())).unwrap()
    }

    pub fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).unwrap()
    }

    /// True in `percent` of a hundred cases.
    pub const fn is(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub fn one_of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.index(choices.len())]
    }

    /// At most `most` of `choices`, in random order.
    pub fn some_of<T: Clone>(&mut self, choices: &[T], most: usize) -> Vec<T> {
        let mut left = choices.to_vec();
        let count = self.index(most.min(left.len()) + 1);
        (0..count)
            .map(|_| {
                let place = self.index(left.len());
                left.swap_remove(place)
            })
            .collect()
    }
}

/// The finalizer of SplitMix64.
const fn mixed(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
