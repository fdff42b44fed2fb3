//! Accounts and answers in the order in which they come.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::account::{Account, Accounts};
use super::pair::{Answerer, Pair, PairState};
use super::review::{Review, review};

/// An account of which nothing is told but its name and currency.
pub(super) fn account(id: u128, connection: u128) -> Account {
    Account {
        id: Uuid::from_u128(id),
        connection: Uuid::from_u128(connection),
        provider: "bridge".to_owned(),
        identity: Some(connection.to_string()),
        is_pushed: false,
        domain: None,
        institution: None,
        name: Some("giro".to_owned()),
        last_four: None,
        iban: None,
        currency: Some("EUR".to_owned()),
        balance_as_of: None,
        hidden_by: None,
    }
}

fn told(id: u128, connection: u128, last_four: &str) -> Account {
    let mut own = account(id, connection);
    own.domain = Some("bank.example".to_owned());
    own.last_four = (!last_four.is_empty()).then(|| last_four.to_owned());
    own
}

/// A history of accounts and answers.
#[derive(Default)]
struct History {
    accounts: Accounts,
    pairs: Vec<Pair>,
    groups: Vec<BTreeSet<Uuid>>,
    hours: i64,
}

impl History {
    fn with(accounts: impl IntoIterator<Item = Account>) -> Self {
        let mut history = Self::default();
        for account in accounts {
            history.bring(account);
        }
        history
    }

    fn now(&self) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::hours(self.hours)
    }

    fn settle(&mut self) {
        self.hours += 1;
        let stored = std::mem::take(&mut self.pairs);
        let Review {
            pairs,
            waiting,
            groups,
        } = review(&self.accounts, stored, self.now());
        self.pairs = pairs.into_iter().chain(waiting).collect();
        self.groups = groups;
        let again = review(&self.accounts, self.pairs.clone(), self.now());
        let again: Vec<Pair> = again.pairs.into_iter().chain(again.waiting).collect();
        assert_eq!(self.pairs, again, "a second look changes nothing");
    }

    fn bring(&mut self, account: Account) {
        self.accounts.insert(account.id, account);
        self.settle();
    }

    fn remove(&mut self, id: u128) {
        self.accounts.remove(&Uuid::from_u128(id));
        self.settle();
    }

    fn answer(&mut self, (a, b): (u128, u128), state: PairState) {
        let of = (Uuid::from_u128(a), Uuid::from_u128(b));
        let (at, mut pairs) = (self.now(), self.pairs.iter_mut());
        let pair = pairs.find(|pair| pair.accounts() == of).unwrap();
        (pair.state, pair.answered_at) = (state, Some(at));
        self.settle();
    }

    fn state(&self, (a, b): (u128, u128)) -> Option<PairState> {
        let of = (Uuid::from_u128(a), Uuid::from_u128(b));
        let pair = self.pairs.iter().find(|pair| pair.accounts() == of);
        pair.map(|pair| pair.state)
    }

    fn groups(&self) -> Vec<Vec<u128>> {
        let groups = self.groups.iter();
        groups
            .map(|group| group.iter().map(Uuid::as_u128).collect())
            .collect()
    }
}

const ONE: PairState = PairState::Same(Answerer::Operator);
const BY_ITSELF: PairState = PairState::Same(Answerer::Automatic);

#[test]
fn r124_two_that_report_a_last_four_are_one_by_themselves() {
    let mut history = History::with([told(1, 1, "1234"), told(2, 2, "1234")]);
    assert_eq!(history.groups(), [[1, 2]]);
    assert_eq!(history.state((1, 2)), Some(BY_ITSELF));
    history.answer((1, 2), PairState::Separate);
    assert!(history.groups().is_empty());
    history.bring(told(2, 2, "1234"));
    assert_eq!(history.state((1, 2)), Some(PairState::Separate), "it stays");
    history.answer((1, 2), ONE);
    assert_eq!(history.groups(), [[1, 2]]);
}

#[test]
fn r124_the_operator_is_asked_where_a_last_four_is_missing_or_stands_twice() {
    let mut history = History::with([told(1, 1, "1234"), told(2, 2, "")]);
    assert_eq!(history.state((1, 2)), Some(PairState::Open));
    history.bring(told(2, 2, "1234"));
    assert_eq!(history.state((1, 2)), Some(BY_ITSELF), "it is told now");
    history.bring(told(2, 2, ""));
    assert_eq!(
        history.state((1, 2)),
        Some(BY_ITSELF),
        "what is told no more refutes nothing"
    );
    history.bring(told(2, 2, "9999"));
    assert_eq!(history.state((1, 2)), None, "two different ones do");
    let twice = History::with([told(1, 1, "1234"), told(3, 1, "1234"), told(2, 2, "1234")]);
    assert_eq!(twice.state((1, 2)), Some(PairState::Open));
    assert_eq!(twice.state((2, 3)), Some(PairState::Open));
    assert!(twice.groups().is_empty());
}

#[test]
fn r124_a_pushed_one_is_asked_about() {
    let mut pushed = told(2, 2, "1234");
    pushed.is_pushed = true;
    let mut history = History::with([told(1, 1, "1234"), pushed]);
    assert_eq!(history.state((1, 2)), Some(PairState::Open));
    history.answer((1, 2), ONE);
    assert_eq!(history.groups(), [[1, 2]]);
}

#[test]
fn r124_an_answer_is_inherited_by_the_account_that_comes_back() {
    for answer in [PairState::Separate, ONE] {
        let mut history = History::with([told(1, 1, "1234"), told(2, 2, "1234")]);
        history.answer((1, 2), answer);
        history.remove(2);
        assert!(history.groups().is_empty());
        history.bring(told(5, 2, "1234"));
        assert_eq!(history.state((1, 5)), Some(answer));
        history.bring(told(2, 2, "1234"));
        assert_eq!(
            history.state((1, 5)),
            Some(answer),
            "both of them are there"
        );
        assert_eq!(history.state((1, 2)), Some(PairState::Open));
    }
    let mut history = History::with([told(1, 1, ""), told(2, 2, "")]);
    history.answer((1, 2), ONE);
    history.bring(told(5, 2, ""));
    history.remove(2);
    assert_eq!(
        history.groups(),
        [[1, 5]],
        "by its name, which is all it has"
    );
}

#[test]
fn no_two_accounts_of_one_connection_become_one() {
    let mut history = History::with([told(1, 1, "1234"), told(2, 2, "1234"), told(3, 3, "")]);
    history.answer((1, 3), ONE);
    assert_eq!(history.groups(), [[1, 2, 3]]);
    assert_eq!(history.state((2, 3)), None, "answered by the others");
    history.bring(told(4, 2, ""));
    assert_eq!(history.state((1, 4)), Some(PairState::Open));
    history.answer((1, 4), ONE);
    assert_eq!(history.state((1, 2)), Some(PairState::Open), "it yields");
    assert_eq!(history.groups(), [[1, 3, 4]]);
}

#[test]
fn an_answer_of_one_account_is_never_taken_from_another_that_is_answered() {
    let mut history = History::with([told(1, 1, "1234"), told(2, 2, "1234"), told(3, 2, "1234")]);
    history.answer((1, 3), PairState::Separate);
    history.answer((1, 2), ONE);
    history.remove(3);
    assert_eq!(history.state((1, 2)), Some(ONE));
    assert_eq!(history.groups(), [[1, 2]]);
}

#[test]
fn an_answer_finds_an_account_by_the_name_that_it_had_last() {
    let mut history = History::with([told(1, 1, "1234"), told(2, 2, "1234")]);
    history.answer((1, 2), PairState::Separate);
    history.remove(2);
    history.bring(told(1, 1, ""));
    history.remove(1);
    history.bring(told(6, 1, ""));
    history.bring(told(5, 2, "1234"));
    assert_eq!(history.state((5, 6)), Some(PairState::Separate));
}
