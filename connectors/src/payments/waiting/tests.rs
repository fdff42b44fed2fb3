use chrono::NaiveDate;
use proptest::prelude::*;
use rust_decimal::Decimal;

use super::*;

fn at(day: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::days(20_000 + day)
}

fn on(day: i64) -> NaiveDate {
    at(day).date_naive()
}

fn payment(key: &str, cents: i64, day: i64) -> Payment {
    Payment {
        key: key.to_owned(),
        amount: Decimal::new(cents, 2),
        day: Some(on(day)),
        words: String::new(),
    }
}

fn listed(
    pending: &[(&str, i64, i64)],
    booked: &[(&str, i64, i64)],
    new: &[&str],
) -> ListedPayments {
    let payments = |of: &[(&str, i64, i64)]| {
        let of = of.iter();
        of.map(|(key, cents, day)| payment(key, *cents, *day))
            .collect()
    };
    ListedPayments {
        pending: payments(pending),
        booked: payments(booked),
        new: new.iter().map(|key| (*key).to_owned()).collect(),
        may_lack: false,
    }
}

/// As it is after it was stored and read.
fn stored(own: &WaitingPayments) -> WaitingPayments {
    serde_json::from_value(serde_json::to_value(own).unwrap()).unwrap()
}

#[test]
fn a_booked_payment_takes_over_the_pending_one_that_is_gone() {
    let mut own = WaitingPayments::default();
    assert_eq!(
        own.go_on(&listed(&[("p", -450, 1)], &[], &[]), at(1)),
        [""; 0]
    );
    let mut own = stored(&own);
    let booked = [("b", -450, 3)];
    assert_eq!(own.go_on(&listed(&[], &booked, &["b"]), at(3)), ["p"]);
    assert_eq!(own.replaced_by("b"), Some("p"));
    // Read anew it says the same, as long as any round reads so far back.
    let mut own = stored(&own);
    assert_eq!(own.go_on(&listed(&[], &booked, &[]), at(100)), [""; 0]);
    assert_eq!(own.replaced_by("b"), Some("p"));
}

#[test]
fn what_was_there_before_takes_over_nothing() {
    let mut own = WaitingPayments::default();
    let booked = [("b", -450, 1)];
    own.go_on(&listed(&[], &booked, &["b"]), at(1));
    own.go_on(&listed(&[("p", -450, 1)], &booked, &[]), at(2));
    assert_eq!(own.go_on(&listed(&[], &booked, &[]), at(3)), ["p"]);
    assert_eq!(own.replaced_by("b"), None);
}

#[test]
fn a_bank_may_list_both_for_a_while() {
    let mut own = WaitingPayments::default();
    let pending = [("p", -450, 1)];
    let booked = [("b", -450, 2)];
    own.go_on(&listed(&pending, &[], &[]), at(1));
    assert_eq!(
        own.go_on(&listed(&pending, &booked, &["b"]), at(2)),
        [""; 0]
    );
    assert_eq!(own.replaced_by("b"), None);
    assert_eq!(own.go_on(&listed(&[], &booked, &[]), at(4)), ["p"]);
    assert_eq!(own.replaced_by("b"), Some("p"));
}

#[test]
fn both_may_be_seen_together_first_and_a_later_one_comes_before() {
    let mut own = WaitingPayments::default();
    let pending = [("p", -450, 1)];
    own.go_on(&listed(&pending, &[("b", -450, 1)], &["b"]), at(1));
    let mut other = own.clone();
    own.go_on(&listed(&[], &[("b", -450, 1)], &[]), at(2));
    assert_eq!(own.replaced_by("b"), Some("p"));
    let both = [("b", -450, 1), ("c", -450, 3)];
    other.go_on(&listed(&[], &both, &["c"]), at(3));
    assert_eq!(other.replaced_by("c"), Some("p"));
    assert_eq!(other.replaced_by("b"), None);
}

#[test]
fn what_a_bank_in_trouble_does_not_list_stays_unless_it_was_booked() {
    let mut own = WaitingPayments::default();
    own.go_on(&listed(&[("p", -450, 1), ("q", -900, 1)], &[], &[]), at(1));
    let in_trouble = ListedPayments {
        may_lack: true,
        ..listed(&[], &[("b", -450, 2)], &["b"])
    };
    assert_eq!(own.go_on(&in_trouble, at(2)), ["p"]);
    assert_eq!(own.replaced_by("b"), Some("p"));
    assert_eq!(
        own.go_on(&listed(&[], &[("b", -450, 2)], &[]), at(3)),
        ["q"]
    );
}

#[test]
fn a_payment_that_is_booked_under_its_own_key_is_not_gone() {
    let mut own = WaitingPayments::default();
    own.go_on(&listed(&[("p", -450, 1)], &[], &[]), at(1));
    let booked = [("p", -450, 2), ("b", -450, 2)];
    assert_eq!(own.go_on(&listed(&[], &booked, &["b"]), at(2)), [""; 0]);
    assert_eq!(own, WaitingPayments::default());
}

#[test]
fn a_pending_payment_that_never_comes_is_gone() {
    let mut own = WaitingPayments::default();
    own.go_on(&listed(&[("p", -450, 1)], &[], &[]), at(1));
    assert_eq!(
        own.go_on(&listed(&[], &[("b", -500, 2)], &["b"]), at(2)),
        ["p"]
    );
    assert_eq!(own, WaitingPayments::default());
}

/// One payment: made on a day, listed as pending for some days, then booked under another key, at once or with both listed for a while.
#[derive(Clone, Debug)]
struct Made {
    cents: i64,
    day: i64,
    pending_for: i64,
    beside_for: i64,
    /// Never booked.
    is_dropped: bool,
}

fn made() -> impl Strategy<Value = Made> {
    (
        1_i64..4,
        0_i64..20,
        1_i64..6,
        0_i64..3,
        prop::bool::weighted(0.2),
    )
        .prop_map(|(cents, day, pending_for, beside_for, is_dropped)| Made {
            cents: -cents,
            day,
            pending_for,
            beside_for,
            is_dropped,
        })
}

proptest! {
    /// Whatever is made and when it is read: each pending payment that goes is named once, and taken over by one booked payment at the most,
    /// of its amount; and where no two amounts are alike, by its own.
    #[test]
    fn each_pending_payment_is_taken_over_once(
        mut all in prop::collection::vec(made(), 1..12),
        reads in prop::collection::btree_set(0_i64..30, 1..20),
        are_distinct in any::<bool>(),
    ) {
        if are_distinct {
            for (number, one) in all.iter_mut().enumerate() {
                one.cents = -1000 - i64::try_from(number).unwrap() * 1000;
            }
        }
        let mut own = WaitingPayments::default();
        let (mut known, mut seen, mut gone) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        let mut last = ListedPayments::default();
        for read in reads {
            let mut now = ListedPayments::default();
            for (number, one) in all.iter().enumerate() {
                let age = read - one.day;
                let is_pending = age >= 0 && age < one.pending_for + if one.is_dropped { 0 } else { one.beside_for };
                if is_pending {
                    now.pending.push(payment(&format!("p{number}"), one.cents, one.day));
                }
                if !one.is_dropped && age >= one.pending_for {
                    now.booked.push(payment(&format!("b{number}"), one.cents, one.day + one.pending_for));
                }
            }
            now.new = now.booked.iter().map(|one| one.key.clone()).filter(|key| known.insert(key.clone())).collect();
            seen.extend(now.pending.iter().map(|one| one.key.clone()));
            own = stored(&own);
            gone.extend(own.go_on(&now, at(read)));
            last = now;
        }
        let once: BTreeSet<_> = gone.iter().cloned().collect();
        prop_assert_eq!(once.len(), gone.len());
        let there: BTreeSet<_> = last.pending.iter().map(|one| one.key.clone()).collect();
        prop_assert_eq!(&once | &there, seen);
        let mut taken = BTreeSet::new();
        for booked in &last.booked {
            let Some(pending) = own.replaced_by(&booked.key) else { continue };
            prop_assert!(taken.insert(pending.to_owned()), "{} twice", pending);
            prop_assert!(once.contains(pending));
            let number: usize = pending[1..].parse().unwrap();
            prop_assert_eq!(Decimal::new(all[number].cents, 2), booked.amount);
            if are_distinct {
                prop_assert_eq!(&pending[1..], &booked.key[1..]);
            }
        }
        // Where nothing is like another, what was seen pending and is booked now has its link.
        if are_distinct {
            for pending in &once {
                let number: usize = pending[1..].parse().unwrap();
                let booked = format!("b{number}");
                let is_booked = last.booked.iter().any(|one| one.key == booked);
                prop_assert_eq!(own.replaced_by(&booked).is_some(), is_booked, "{}", number);
            }
        }
    }
}
