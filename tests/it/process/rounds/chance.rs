//! Seeded choice: the same seed makes the same plan and the same load.

use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

/// A stream of random choices.
#[derive(Clone)]
pub struct Chance(u64);

impl Chance {
    /// The stream of one part of one round.
    pub const fn of(seed: u64, round: u64, part: u64) -> Self {
        Self(mixed(
            mixed(mixed(seed).wrapping_add(round)).wrapping_add(part),
        ))
    }

    pub const fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0) % end
    }

    pub const fn within(&mut self, range: Range<u64>) -> u64 {
        range.start + self.below(range.end - range.start)
    }

    pub fn one_of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.index(choices.len())]
    }

    pub fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).unwrap()
    }
}

/// The finalizer of SplitMix64.
const fn mixed(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// A random seed; the test prints it.
pub fn fresh_seed() -> u64 {
    RandomState::new().hash_one("a round")
}

/// Spends a moment computing: no timer is precise to the microsecond.
pub fn dither(steps: u64) {
    for step in 0..steps {
        std::hint::black_box(mixed(step));
    }
}
