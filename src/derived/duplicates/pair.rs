//! Two accounts that are one, or may be, and what was answered of them.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::likeness::Likeness;
use crate::catalog::row_id;

/// Whether the two are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PairState {
    /// The operator is asked.
    Open,
    Same(Answerer),
    /// The operator keeps them apart.
    Separate,
}

/// Who said that two accounts are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Answerer {
    Operator,
    /// Both report one domain and one last four, and no other account of their connections does.
    Automatic,
}

impl PairState {
    /// The two words of the database: the state, and who answered.
    pub(super) const fn words(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Open => ("open", None),
            Self::Same(Answerer::Operator) => ("same", Some("operator")),
            Self::Same(Answerer::Automatic) => ("same", Some("automatic")),
            Self::Separate => ("separate", Some("operator")),
        }
    }

    /// Reads them.
    pub(super) fn of(state: &str, answered_by: Option<&str>) -> Option<Self> {
        let all = [
            Self::Open,
            Self::Same(Answerer::Operator),
            Self::Same(Answerer::Automatic),
            Self::Separate,
        ];
        all.into_iter()
            .find(|own| own.words() == (state, answered_by))
    }

    /// Whether the operator has answered.
    const fn is_the_operators(self) -> bool {
        matches!(self, Self::Same(Answerer::Operator) | Self::Separate)
    }
}

/// One of the two accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PairSide {
    pub account: Uuid,
    pub connection: Uuid,
    /// What finds it again under another id; empty where it cannot be found.
    pub key: String,
}

/// A pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub id: Uuid,
    pub state: PairState,
    pub reason: Likeness,
    pub answered_at: Option<DateTime<Utc>>,
    /// The accounts in the order of their ids when they were first asked about.
    pub sides: [PairSide; 2],
}

/// Of what the ids of pairs are made.
const PAIRS: &str = "evidence.account_pairs";

impl Pair {
    /// The id of a pair that is asked about for the first time at this instant.
    pub(super) fn new_id((first, second): (Uuid, Uuid), now: DateTime<Utc>) -> Uuid {
        row_id(first, PAIRS, &format!("{second}/{}", now.to_rfc3339()))
    }

    /// Whether its accounts are of two connections, as they must be.
    pub(super) fn is_of_two(&self) -> bool {
        let [first, second] = &self.sides;
        first.connection != second.connection
    }

    /// Its accounts, the lower id first.
    pub(super) fn accounts(&self) -> (Uuid, Uuid) {
        let [first, second] = &self.sides;
        ordered(first.account, second.account)
    }

    /// The order in which answers count: the operator's before others, earlier ones before later ones.
    pub(super) fn precedence(&self) -> (bool, Option<DateTime<Utc>>, Uuid) {
        (!self.state.is_the_operators(), self.answered_at, self.id)
    }
}

/// The lower id first.
pub(super) fn ordered(a: Uuid, b: Uuid) -> (Uuid, Uuid) {
    (a.min(b), a.max(b))
}
