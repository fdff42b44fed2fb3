//! Random histories of two bridges that see the same accounts late, twice, renamed and linked again, while the operator answers this and
//! that: after each step what is served is what a model says, which was written from these sentences alone.
//!
//! > Institution domain plus the last four digits in the account's name; merges by itself only when both report a last four; otherwise
//! > asks; the answer persists over syncs, re-links and restarts; undo. Each transaction that a source has reported is served once, but
//! > once per account while its pair is unanswered or kept separate; among equal ones the larger source's count is served.
//!
//! Not played: an account that is linked again in the hour in which it gets another name, which nobody could know again, and two changes
//! of one account at both bridges in one hour, of which either may be read first.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use serde_json::Value;

use super::world::{Follower, World, now};
use crate::query::chance::{Chance, seeds_of};

const SEED_VARIABLE: &str = "SEXTANT_DUPLICATES_SEED";
const USUAL_SEED: u64 = 124;
const STEPS: usize = 45;
/// The accounts that a person has at the one bank, each under its two names.
const NAMES: [[&str; 2]; 2] = [["Giro 1111", "Giro"], ["Savings 2222", "Savings"]];
/// Amounts of each account.
const AMOUNTS: [[i64; 2]; 2] = [[-1, -2], [-11, -12]];
/// The first payment of each account, how many days back, which its sources always tell: what is gone is known as far back as they tell.
const FIRST_PAYMENT: (i64, i64) = (12, -3);
/// Payments of one account at one source: where more than twenty go at once, that is believed when it is told again only.
const PAYMENTS_MAX: usize = 12;

/// What a source tells of an account: its name, and its payments, a day back and an amount each.
#[derive(Clone, Default)]
struct Told {
    id: Option<String>,
    name: usize,
    /// When it was named, and when it was linked, by the step.
    changed_at: usize,
    payments: BTreeMap<String, (i64, i64)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Same,
    Separate,
}

/// The model.
#[derive(Default)]
struct Model {
    /// By account, then by source.
    told: [[Told; 2]; 2],
    answers: [Option<Answer>; 2],
    ids: usize,
    step: usize,
}

impl Model {
    fn next_id(&mut self) -> String {
        self.ids += 1;
        format!("id{}", self.ids)
    }

    /// Both report a last four: they are one, unless that was answered.
    fn merge(&mut self) {
        for (told, answer) in self.told.iter().zip(&mut self.answers) {
            let is_told = told.iter().all(|own| own.id.is_some() && own.name == 0);
            if is_told && answer.is_none() {
                *answer = Some(Answer::Same);
            }
        }
    }

    fn are_one(&self, account: usize) -> bool {
        let are_there = self.told[account].iter().all(|own| own.id.is_some());
        are_there && self.answers[account] == Some(Answer::Same)
    }

    fn accounts(&self) -> usize {
        let there = |account: usize| {
            let told = self.told[account].iter();
            told.filter(|own| own.id.is_some()).count() - usize::from(self.are_one(account))
        };
        there(0) + there(1)
    }

    /// Days and amounts of what is served.
    fn moved(&self) -> Vec<(String, String)> {
        let mut moved = Vec::new();
        for account in [0, 1] {
            let mut counts: BTreeMap<(i64, i64), [usize; 2]> = BTreeMap::new();
            for (source, told) in self.told[account].iter().enumerate() {
                for payment in told.payments.values().filter(|_| told.id.is_some()) {
                    counts.entry(*payment).or_default()[source] += 1;
                }
            }
            for ((days, amount), [first, second]) in counts {
                let served = match self.are_one(account) {
                    true => first.max(second),
                    false => first + second,
                };
                let day = (now() - TimeDelta::days(days)).date_naive().to_string();
                moved.extend((0..served).map(|_| (day.clone(), amount.to_string())));
            }
        }
        moved.sort();
        moved
    }

    /// Something happens; the bridges say so.
    fn happen(&mut self, world: &World, chance: &mut Chance) {
        let (account, source) = (chance.index(2), chance.index(2));
        let id = self.next_id();
        // Both sources are read in the same hour, in any order.
        let mut both = self.told[account].iter();
        let is_quiet = both.all(|own| own.changed_at < self.step);
        let told = &mut self.told[account][source];
        let event = match told.payments.len() >= PAYMENTS_MAX {
            true => 3,
            false => chance.below(12),
        };
        let is_known = told.id.is_some() && is_quiet;
        if is_known && event < 3 {
            told.changed_at = self.step;
        }
        match event {
            0 if is_known => told.id = None,
            1 if is_known => told.name = 1 - told.name,
            2 if is_known => {
                // Linked again: under another id, as are its payments.
                told.id = Some(id.clone());
                let payments = std::mem::take(&mut told.payments).into_values();
                let renamed = payments
                    .enumerate()
                    .map(|(place, own)| (format!("{id}.{place}"), own));
                told.payments = renamed.collect();
            }
            3 => {
                let mut later = told
                    .payments
                    .iter()
                    .filter(|(_, own)| **own != FIRST_PAYMENT);
                if let Some(gone) = later.next().map(|(id, _)| id.clone()) {
                    told.payments.remove(&gone);
                }
            }
            4..=6 => {
                // What the other source has told already.
                let other = self.told[account][1 - source].payments.values().copied();
                let all: Vec<(i64, i64)> = other.collect();
                let late = all.iter().filter(|own| **own != FIRST_PAYMENT).copied();
                let late: Vec<(i64, i64)> = late.collect();
                if !late.is_empty() {
                    let late = *chance.one_of(&late);
                    self.told[account][source].payments.insert(id, late);
                }
            }
            _ => {
                let payment = (chance.within(0, 4), *chance.one_of(&AMOUNTS[account]));
                told.payments.insert(id.clone(), payment);
                if told.id.is_none() && is_quiet {
                    told.changed_at = self.step;
                    let is_told = told.payments.values().any(|own| *own == FIRST_PAYMENT);
                    if !is_told {
                        told.payments.insert(format!("{id}.first"), FIRST_PAYMENT);
                    }
                    told.id = Some(id);
                }
            }
        }
        self.tell(world);
    }

    fn tell(&self, world: &World) {
        for source in [0, 1] {
            let mut bridge = world.bridge(source);
            bridge.accounts.clear();
            for (account, told) in self.told.iter().enumerate() {
                let told = &told[source];
                let Some(id) = &told.id else { continue };
                let own = bridge.open(id, "giro", NAMES[account][told.name]);
                for (id, (days, amount)) in &told.payments {
                    own.book(id, &amount.to_string(), now() - TimeDelta::days(*days));
                }
            }
        }
    }

    /// The operator answers a pair: two that are not one in truth are kept separate.
    async fn answer(&mut self, world: &World, pair: &Value, chance: &mut Chance) {
        let account = |side: &str| {
            let name = pair[side]["name"].as_str().unwrap();
            NAMES
                .iter()
                .position(|names| names.contains(&name))
                .unwrap()
        };
        let (a, b) = (account("a"), account("b"));
        let is_same = a == b && chance.is(60);
        let verb = if is_same { "confirm" } else { "unconfirm" };
        world.answer(pair, verb).await.expect(200);
        if a == b {
            self.answers[a] = Some(if is_same {
                Answer::Same
            } else {
                Answer::Separate
            });
        }
    }
}

#[actix_web::test]
async fn r124_random_histories_are_served_as_the_model_says() {
    let test = "r124_random_histories_are_served_as_the_model_says";
    for seed in seeds_of(SEED_VARIABLE, USUAL_SEED) {
        let Some(mut world) = World::connected(test, |_| {}).await else {
            return;
        };
        let (mut chance, mut model) = (Chance::of(seed), Model::default());
        let mut followers = [
            Follower::of("transactions", &["account_id", "amount", "booked_on"]),
            Follower::of("accounts", &["name"]),
            Follower::of("balances", &["account_id", "day", "current"]),
        ];
        for step in 1..=STEPS {
            model.step = step;
            for _ in 0..=chance.index(3) {
                model.happen(&world, &mut chance);
            }
            world.fetch().await;
            model.merge();
            if chance.is(30) {
                let state = *chance.one_of(&["open", "answered"]);
                let pairs = world.pairs(state).await;
                if !pairs.is_empty() {
                    let pair = chance.one_of(&pairs).clone();
                    model.answer(&world, &pair, &mut chance).await;
                }
            }
            if chance.is(4) {
                world = world.restart().await;
            }
            let mut served = world.moved().await;
            served.sort();
            assert_eq!(served, model.moved(), "seed {seed}, step {step}");
            let accounts = world.rows("accounts", &["id"]).await;
            let accounts = accounts.as_array().unwrap().len();
            assert_eq!(accounts, model.accounts(), "seed {seed}, step {step}");
            world.is_consistent().await;
            for follower in &mut followers {
                follower.catches_up(&world).await;
            }
        }
    }
}
