//! What a payment is known by. Many banks give none a reference.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::parts::{counterparty, remittance};
use crate::digest_key::{digest, within_limit};
use crate::enable_banking::object::{text, text_in};

/// The keys of one list of an account.
#[derive(Default)]
pub(in crate::enable_banking) struct TransactionKeys {
    booked: KeysOfStatus,
    /// What is pending may be listed beside the booked payment of the same reference that it became.
    pending: KeysOfStatus,
}

#[derive(Default)]
struct KeysOfStatus {
    /// By reference, what it says.
    referred: BTreeMap<String, String>,
    /// How many there were that say the same.
    equals: BTreeMap<String, usize>,
}

impl TransactionKeys {
    /// The key of a payment, and whether it was made here; `None` for what was listed before.
    pub(super) fn key_of(
        &mut self,
        sent: &Map<String, Value>,
        is_pending: bool,
    ) -> Option<(String, bool)> {
        match is_pending {
            true => self.pending.key_of(sent),
            false => self.booked.key_of(sent),
        }
    }
}

impl KeysOfStatus {
    /// A bank's reference is unique and stays. Without one it is what the payment says, and its number among those of that day which say
    /// the same. A bank that gives two payments one reference has both kept.
    fn key_of(&mut self, sent: &Map<String, Value>) -> Option<(String, bool)> {
        let said = said(sent);
        let Some(reference) = text(sent, "entry_reference") else {
            let number = self.equals.entry(said.clone()).or_default();
            *number += 1;
            let key = match number {
                1 => said,
                number => format!("{said}#{number}"),
            };
            return Some((key, true));
        };
        let key = within_limit(reference);
        match self.referred.get(&key) {
            None => {
                self.referred.insert(key.clone(), said);
                Some((key, false))
            }
            Some(first) if *first == said => None,
            Some(_) => {
                let key = within_limit(format!("{reference} {said}"));
                let is_new = self.referred.insert(key.clone(), said).is_none();
                is_new.then_some((key, true))
            }
        }
    }
}

/// What a payment says, but for what a bank may add later.
fn said(sent: &Map<String, Value>) -> String {
    let parts = [
        text(sent, "booking_date").map(str::to_owned),
        text(sent, "value_date").map(str::to_owned),
        text_in(sent, "transaction_amount", "amount").map(str::to_owned),
        text_in(sent, "transaction_amount", "currency").map(str::to_owned),
        text(sent, "credit_debit_indicator").map(str::to_owned),
        counterparty(sent).map(str::to_owned),
        remittance(sent),
    ];
    digest(Value::from_iter(parts).to_string())
}
