//! What accounts and earlier answers come to: which pairs there are now, and which accounts are one. Pure.
//!
//! 1. Each pair is held against the accounts that are there. One whose account came back under another id goes over to that; where an
//!    account is gone, an answer waits for it, and a question ends.
//! 2. Accounts that look like one are asked about. A question whose reason has gone ends, and so does an automatic answer that is refuted
//!    by what the accounts tell now; that they tell less refutes nothing.
//! 3. Answers make groups, the operator's first. An automatic one that does not fit yields.
//! 4. Questions are answered by themselves where both accounts report the same last four, and no other of their connections does.
//!    Those within a group are answered by it.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::account::{Account, Accounts};
use super::groups::Groups;
use super::likeness::{Likeness, is_other, likeness};
use super::pair::{Answerer, Pair, PairSide, PairState, ordered};

/// The pairs as they are to be, and the groups of more than one account.
pub(super) struct Review {
    /// Pairs whose accounts are there.
    pub(super) pairs: Vec<Pair>,
    /// Answers for accounts that are gone.
    pub(super) waiting: Vec<Pair>,
    pub(super) groups: Vec<BTreeSet<Uuid>>,
}

/// Reviews. `now` is when accounts are asked about that were not before, and when questions answer themselves.
pub(super) fn review(accounts: &Accounts, stored: Vec<Pair>, now: DateTime<Utc>) -> Review {
    let HeldPairs { mut pairs, waiting } = hold(accounts, stored);
    for (a, b, reason) in alike(accounts) {
        let asked = || Pair {
            id: Pair::new_id((a.id, b.id), now),
            state: PairState::Open,
            reason,
            answered_at: None,
            sides: [PairSide::of(a), PairSide::of(b)],
        };
        pairs.entry((a.id, b.id)).or_insert_with(asked).reason = reason;
    }
    let differ = |a: &Account, b: &Account| is_other(a, b).then_some(());
    pairs.retain(|of, pair| match pair.state {
        PairState::Open => of_both(accounts, *of, likeness).is_some(),
        PairState::Same(Answerer::Automatic) => of_both(accounts, *of, differ).is_none(),
        PairState::Same(Answerer::Operator) | PairState::Separate => true,
    });
    let groups = answer(accounts, &mut pairs, now);
    Review {
        pairs: pairs.into_values().collect(),
        waiting,
        groups,
    }
}

impl PairSide {
    fn of(account: &Account) -> Self {
        Self {
            account: account.id,
            connection: account.connection,
            // Without a key it is not found again, and its answer waits for its own id.
            key: account.key().unwrap_or_default(),
        }
    }
}

/// Stored pairs, held against the accounts that are there.
pub(super) struct HeldPairs {
    /// By their accounts, the lower id first.
    pub(super) pairs: BTreeMap<(Uuid, Uuid), Pair>,
    /// Answered ones whose accounts are gone.
    pub(super) waiting: Vec<Pair>,
}

pub(super) fn hold(accounts: &Accounts, mut stored: Vec<Pair>) -> HeldPairs {
    let mut by_key: BTreeMap<String, Vec<&Account>> = BTreeMap::new();
    for account in accounts.values() {
        if let Some(key) = account.key() {
            by_key.entry(key).or_default().push(account);
        }
    }
    let is_there = |pair: &Pair| {
        let mut sides = pair.sides.iter();
        sides.all(|side| accounts.contains_key(&side.account))
    };
    // What was answered of these very accounts goes before what was answered of others with their keys.
    stored.sort_by_key(|pair| (!is_there(pair), pair.precedence()));
    let mut held = HeldPairs {
        pairs: BTreeMap::new(),
        waiting: Vec::new(),
    };
    for pair in stored {
        let found = pair.sides.each_ref();
        match found.map(|side| find(accounts, &by_key, side)) {
            [Some(first), Some(second)] if first.connection != second.connection => {
                held.take(pair, [first, second]);
            }
            [Some(_), Some(_)] => held.wait(pair),
            // The one that is there may get another name before the other is back.
            found => {
                let followed = follow(pair.clone(), found);
                held.wait(if followed.is_of_two() { followed } else { pair });
            }
        }
    }
    held
}

impl HeldPairs {
    /// A pair of two accounts that are there. An answer stands in the place of a question of the same two, and of no other answer.
    fn take(&mut self, pair: Pair, found: [&Account; 2]) {
        let [first, second] = found;
        let of = ordered(first.id, second.id);
        let stands = self.pairs.get(&of).map(|pair| pair.state);
        if stands.is_none_or(|state| state == PairState::Open) {
            self.pairs.insert(of, follow(pair, found.map(Some)));
        } else {
            self.wait(pair);
        }
    }

    fn wait(&mut self, pair: Pair) {
        if pair.state != PairState::Open {
            self.waiting.push(pair);
        }
    }
}

/// The account of a side, else the only one that has its key.
fn find<'a>(
    accounts: &'a Accounts,
    by_key: &BTreeMap<String, Vec<&'a Account>>,
    side: &PairSide,
) -> Option<&'a Account> {
    let by_key = || match by_key.get(&side.key).map(Vec::as_slice) {
        Some([only]) => Some(*only),
        _ => None,
    };
    accounts.get(&side.account).or_else(by_key)
}

/// The pair of the accounts that were found, as they are now. A key is kept where the account tells none any more.
fn follow(mut pair: Pair, found: [Option<&Account>; 2]) -> Pair {
    for (side, account) in pair.sides.iter_mut().zip(found) {
        let Some(account) = account else { continue };
        let key = account.key().unwrap_or_else(|| side.key.clone());
        *side = PairSide {
            key,
            ..PairSide::of(account)
        };
    }
    pair
}

/// Every two accounts that look like one, the lower id first. One of them is read from a source, and those are few.
fn alike(accounts: &Accounts) -> Vec<(&Account, &Account, Likeness)> {
    let mut found = Vec::new();
    for pulled in accounts.values().filter(|account| !account.is_pushed) {
        for other in accounts.values() {
            let is_first = other.is_pushed || pulled.id < other.id;
            if let (true, Some(reason)) = (is_first, likeness(pulled, other)) {
                let (a, b) = match pulled.id < other.id {
                    true => (pulled, other),
                    false => (other, pulled),
                };
                found.push((a, b, reason));
            }
        }
    }
    found
}

fn of_both<T>(
    accounts: &Accounts,
    (a, b): (Uuid, Uuid),
    tell: impl Fn(&Account, &Account) -> Option<T>,
) -> Option<T> {
    tell(accounts.get(&a)?, accounts.get(&b)?)
}

/// Makes groups of the answers, and answers what answers itself.
fn answer(
    accounts: &Accounts,
    pairs: &mut BTreeMap<(Uuid, Uuid), Pair>,
    now: DateTime<Utc>,
) -> Vec<BTreeSet<Uuid>> {
    let mut groups = Groups::of(accounts, pairs.values());
    let mut ordered: Vec<&mut Pair> = pairs.values_mut().collect();
    ordered.sort_by_key(|pair| pair.precedence());
    for pair in &mut ordered {
        if matches!(pair.state, PairState::Same(_)) && groups.join(pair.accounts()).is_err() {
            (pair.state, pair.answered_at) = (PairState::Open, None);
        }
    }
    let is_unique = unique(accounts);
    for pair in ordered {
        let of = pair.accounts();
        let is_certain = pair.state == PairState::Open && is_certain(accounts, of, &is_unique);
        if is_certain && groups.join(of).is_ok() {
            pair.state = PairState::Same(Answerer::Automatic);
            pair.answered_at = Some(now);
        }
    }
    pairs.retain(|of, pair| pair.state != PairState::Open || !groups.are_one(*of));
    groups.into_groups()
}

/// The accounts of which no other of their connection has the same domain, last four and currency.
fn unique(accounts: &Accounts) -> BTreeSet<Uuid> {
    let mut alike: BTreeMap<_, Vec<Uuid>> = BTreeMap::new();
    for account in accounts.values() {
        let same = alike.entry(account.likeness_key()).or_default();
        same.push(account.id);
    }
    let alone = alike.into_values().filter(|same| same.len() == 1);
    alone.flatten().collect()
}

fn is_certain(accounts: &Accounts, (a, b): (Uuid, Uuid), unique: &BTreeSet<Uuid>) -> bool {
    let are_pulled = |a: &Account, b: &Account| !a.is_pushed && !b.is_pushed;
    let certain = |a: &Account, b: &Account| {
        let is_told = likeness(a, b) == Some(Likeness::DomainAndLastFour);
        (is_told && are_pulled(a, b)).then_some(())
    };
    of_both(accounts, ordered(a, b), certain).is_some()
        && unique.contains(&a)
        && unique.contains(&b)
}
