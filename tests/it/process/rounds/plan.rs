//! A round, all of it decided by the seed before it begins: what is killed, and after which number of which event.

use std::fmt;

use super::chance::Chance;
use super::tally::Fact;

/// What is killed. The order is that of the rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KillTarget {
    Service,
    Postmaster,
    ServiceThenPostmaster,
    /// A backend in `COMMIT`: the server ends all others and recovers.
    Backend,
    PostmasterThenService,
    /// The service, and again while it starts and adopts the server.
    ServiceAndItsNextStart,
    /// Both, and the service again while it starts and the server recovers.
    BothAndTheNextStart,
    /// The service while it makes its cluster, its database and its tables.
    FirstStart,
}

impl KillTarget {
    pub const ALL: [Self; 8] = [
        Self::Service,
        Self::Postmaster,
        Self::ServiceThenPostmaster,
        Self::Backend,
        Self::PostmasterThenService,
        Self::ServiceAndItsNextStart,
        Self::BothAndTheNextStart,
        Self::FirstStart,
    ];

    /// Whether only the service is killed.
    pub const fn leaves_the_server(self) -> bool {
        matches!(self, Self::Service | Self::ServiceAndItsNextStart)
    }
}

/// The most computing between the event and the kill: some milliseconds.
const DITHER_MAX: u64 = 200_000;

/// One round.
#[derive(Clone, Debug)]
pub struct Round {
    pub seed: u64,
    pub number: u64,
    pub victim: KillTarget,
    /// The kill comes when this event has been counted this often.
    pub fact: Fact,
    pub count: u64,
    /// Computing between the event and the kill, and between the first victim and the second.
    pub dithers: [u64; 2],
}

impl Round {
    pub fn new(seed: u64, number: u64) -> Self {
        let mut chance = Chance::of(seed, number, 0);
        let turn = usize::try_from(number).unwrap() % KillTarget::ALL.len();
        let fact = *chance.one_of(&Fact::ALL);
        Self {
            seed,
            number,
            victim: KillTarget::ALL[turn],
            fact,
            count: chance.within(1..fact.usual()),
            dithers: [chance.below(DITHER_MAX), chance.below(DITHER_MAX)],
        }
    }

    /// The choices of one part of this round.
    pub const fn chance(&self, part: u64) -> Chance {
        Chance::of(self.seed, self.number, part)
    }
}

impl fmt::Display for Round {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "round {} of seed {}: {:?} at {:?} {}, then {:?} steps",
            self.number, self.seed, self.victim, self.fact, self.count, self.dithers
        )
    }
}
