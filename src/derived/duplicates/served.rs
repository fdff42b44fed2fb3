//! Which account of a group is served. Pure.
//!
//! The one that was served before; else one that a source brings before one that was pushed, then the one with more transactions, with
//! more fields, with the lower id. A balance must not freeze with an aggregator that died: where another account's is more than three
//! days younger, that account is served.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use chrono::TimeDelta;
use uuid::Uuid;

use super::account::Account;

/// How much older than another's the balance of the account that is served may be.
const BALANCE_BEHIND_MAX: TimeDelta = TimeDelta::days(3);

/// What an account has, where none of its group was served before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct AccountWeight {
    pub transactions: i64,
    pub filled: i32,
}

/// The one account that others of the group are hidden by.
pub(super) fn served_before(group: &[&Account]) -> Option<Uuid> {
    let mut standing = group.iter().filter(|account| {
        let mut others = group.iter();
        account.hidden_by.is_none() && others.any(|other| other.hidden_by == Some(account.id))
    });
    let only = standing.next()?;
    standing.next().is_none().then_some(only.id)
}

/// The account that is served, and after it the others in the order in which they fill in.
pub(super) fn in_order(group: &[&Account], weights: &BTreeMap<Uuid, AccountWeight>) -> Vec<Uuid> {
    let before = served_before(group);
    let mut order = group.to_vec();
    order.sort_by_key(|account| {
        // Without weights one was served before, which goes first whatever the others have.
        let weight = weights.get(&account.id).copied().unwrap_or_default();
        let was_served = Some(account.id) == before;
        (!was_served, account.is_pushed, Reverse(weight), account.id)
    });
    let as_of = order.first().and_then(|first| first.balance_as_of);
    let latest = order.iter().enumerate();
    let latest = latest.max_by_key(|(place, account)| (account.balance_as_of, Reverse(*place)));
    if let (Some(as_of), Some((place, account))) = (as_of, latest)
        && account
            .balance_as_of
            .is_some_and(|latest| latest - as_of > BALANCE_BEHIND_MAX)
    {
        let younger = order.remove(place);
        order.insert(0, younger);
    }
    order.into_iter().map(|account| account.id).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::account;
    use super::*;

    fn first(group: &[&Account], transactions: &[(u128, i64)]) -> Uuid {
        let weights = transactions.iter().map(|(id, transactions)| {
            let weight = AccountWeight {
                transactions: *transactions,
                filled: 0,
            };
            (Uuid::from_u128(*id), weight)
        });
        in_order(group, &weights.collect())[0]
    }

    #[test]
    fn r124_who_was_served_stays_and_else_the_better_source_is() {
        let (mut a, mut b) = (account(1, 1), account(2, 2));
        assert_eq!(
            first(&[&a, &b], &[(1, 5), (2, 6)]),
            b.id,
            "more transactions"
        );
        assert_eq!(first(&[&a, &b], &[]), a.id, "the lower id");
        b.is_pushed = true;
        assert_eq!(first(&[&a, &b], &[(2, 9)]), a.id, "a source before a push");
        a.hidden_by = Some(b.id);
        assert_eq!(first(&[&a, &b], &[(1, 9)]), b.id, "as before");
    }

    #[test]
    fn a_balance_does_not_freeze_with_its_source() {
        let (mut a, mut b) = (account(1, 1), account(2, 2));
        b.hidden_by = Some(a.id);
        a.balance_as_of = Some("2026-03-01T00:00:00Z".parse().unwrap());
        b.balance_as_of = Some("2026-03-04T00:00:00Z".parse().unwrap());
        assert_eq!(first(&[&a, &b], &[]), a.id);
        b.balance_as_of = Some("2026-03-04T00:00:01Z".parse().unwrap());
        assert_eq!(first(&[&a, &b], &[]), b.id);
    }
}
