//! What the operator answers of two accounts. An answer that cannot hold beside earlier ones is refused, and says which stand in its way.

use deadpool_postgres::Transaction;
use uuid::Uuid;

use super::account::Accounts;
use super::groups::{AnswerObstacle, Groups};
use super::load;
use super::pair::{Answerer, Pair, PairState};
use super::review::{HeldPairs, hold};
use super::standing::standing;
use crate::db::{StoreError, TxFailure};

/// What two accounts are said to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccountAnswer {
    Same,
    Separate,
}

/// Why an answer was not taken.
#[derive(Debug)]
pub(crate) enum AnswerRefusal {
    /// Nothing is asked under this id, or an account of it is gone.
    NotAsked,
    Obstacle(AnswerObstacle),
    Store(StoreError),
}

impl From<StoreError> for AnswerRefusal {
    fn from(cause: StoreError) -> Self {
        Self::Store(cause)
    }
}

impl From<tokio_postgres::Error> for AnswerRefusal {
    fn from(cause: tokio_postgres::Error) -> Self {
        Self::Store(cause.into())
    }
}

impl TxFailure for AnswerRefusal {
    fn as_store(&self) -> Option<&StoreError> {
        match self {
            Self::Store(cause) => Some(cause),
            Self::NotAsked | Self::Obstacle(_) => None,
        }
    }
}

/// Writes the answer to the pair `id`.
///
/// # Errors
/// Why the answer is not taken.
pub(crate) async fn answer(
    transaction: &Transaction<'_>,
    user: Uuid,
    (id, answer): (Uuid, AccountAnswer),
) -> Result<(), AnswerRefusal> {
    let now = standing(transaction, user).await?.now;
    let accounts = load::accounts(transaction, user).await?;
    let stored = load::pairs(transaction, user).await?;
    let HeldPairs { pairs, waiting } = hold(&accounts, stored.clone());
    let (mut asked, others): (Vec<Pair>, Vec<Pair>) =
        pairs.into_values().partition(|pair| pair.id == id);
    let mut pair = asked.pop().ok_or(AnswerRefusal::NotAsked)?;
    let state = match answer {
        AccountAnswer::Same => PairState::Same(Answerer::Operator),
        AccountAnswer::Separate => PairState::Separate,
    };
    if pair.state != state {
        check(&accounts, &others, pair.accounts(), answer).map_err(AnswerRefusal::Obstacle)?;
        (pair.state, pair.answered_at) = (state, Some(now));
    }
    let all: Vec<Pair> = others.into_iter().chain([pair]).chain(waiting).collect();
    Ok(load::put_pairs(transaction, user, &stored, &all).await?)
}

/// Whether an answer may stand beside the others.
fn check(
    accounts: &Accounts,
    others: &[Pair],
    of: (Uuid, Uuid),
    answer: AccountAnswer,
) -> Result<(), AnswerObstacle> {
    let mut groups = Groups::of(accounts, others.iter());
    let counts = |pair: &&Pair| match pair.state {
        PairState::Same(Answerer::Operator) => true,
        // Where two are kept apart, what answered itself yields.
        PairState::Same(Answerer::Automatic) => answer == AccountAnswer::Same,
        PairState::Open | PairState::Separate => false,
    };
    for pair in others.iter().filter(counts) {
        // What does not fit has become a question by now.
        let _fits = groups.join(pair.accounts());
    }
    match answer {
        AccountAnswer::Same => groups.join(of),
        AccountAnswer::Separate if groups.are_one(of) => {
            Err(AnswerObstacle::OneByOthers(of.0, of.1))
        }
        AccountAnswer::Separate => Ok(()),
    }
}
