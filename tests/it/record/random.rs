//! Random sequences of calls, refusals, edits, pushes, acts of the operator, leaps of the clock, faults of the database and restarts:
//! after all of it the table is what the rules say (`model`), row by row, in order, none twice and none missing.
//!
//! | file | what it holds |
//! |---|---|
//! | `model` | the rules, from the specification alone, and the rows that there must be |
//! | `ask` | calls of the tools |
//! | `world` | the running service, its clock and the way to its database |
//! | `agents` | what agents and strangers do |
//! | `people` | what devices and the operator do |

mod agents;
mod ask;
mod model;
mod people;
mod world;

use crate::query::chance::{Chance, seeds_of};
use world::World;

/// Names the seed to run, instead of the usual one and a fresh one.
const SEED_VARIABLE: &str = "SEXTANT_RECORD_SEED";
const USUAL_SEED: u64 = 7;
/// What happens in one sequence.
const STEPS: usize = 260;

#[actix_web::test]
async fn r043_r034_r041_whatever_happens_the_record_is_what_the_rules_say() {
    for seed in seeds_of(SEED_VARIABLE, USUAL_SEED) {
        let mut world = World::begin(Chance::of(seed)).await;
        for _ in 0..STEPS {
            world = world.step().await;
        }
        world.end(seed).await;
    }
}
