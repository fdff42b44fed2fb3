//! Accounts that are not listed any more. That they are gone is believed when it is told twice, and nothing is wrong with their bank.

use super::answer::BankAnswer;
use super::client::{BridgeQuestion, SimpleFinClient};
use super::relinked::KnownAccounts;
use crate::limits::SIMPLEFIN_REQUESTS_A_DAY;

/// The keys of the accounts that are gone, asked for once more. What cannot be asked now is asked in the next round.
pub(super) async fn confirmed(
    client: &SimpleFinClient,
    known: &KnownAccounts,
    answer: &BankAnswer,
) -> Vec<String> {
    let gone = missing(known, answer);
    if gone.is_empty() {
        return gone;
    }
    match client
        .ask(BridgeQuestion::Balances, SIMPLEFIN_REQUESTS_A_DAY)
        .await
    {
        Ok(again) => {
            let again = missing(known, &again);
            gone.into_iter().filter(|key| again.contains(key)).collect()
        }
        Err(_) => Vec::new(),
    }
}

fn missing(known: &KnownAccounts, answer: &BankAnswer) -> Vec<String> {
    // One that could not be read may be any of them.
    if answer.unread > 0 {
        return Vec::new();
    }
    let missing = known.missing(&answer.accounts).into_iter();
    let gone = missing.filter(|(_, own)| !answer.banks.may_lack(&own.id, &own.bank()));
    gone.map(|(key, _)| key).collect()
}
