//! What a position keeps of an account's pending payments.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::matching::{self, Arrival, Payment};

/// How long a link is kept, so that a booked payment that is read anew still says which one it replaces. No round reads further back.
const LINK_KEPT: TimeDelta = TimeDelta::days(180);
/// How long a booked payment may stand beside the pending one that it replaces.
const BESIDE_MAX: TimeDelta = TimeDelta::days(8);

/// The pending payments of one account, and what became of earlier ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WaitingPayments {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pending: Vec<SeenPayment>,
    /// By the key of a booked payment, the pending one that it replaces.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    links: BTreeMap<String, Link>,
    /// Booked payments that came while one of their amount was pending, and replace none yet: some banks list both for a while.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    beside: BTreeMap<String, DateTime<Utc>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SeenPayment {
    #[serde(flatten)]
    payment: Payment,
    /// When it was seen first.
    seen_at: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Link {
    pending: String,
    at: DateTime<Utc>,
}

/// What a source lists of an account now.
#[derive(Clone, Debug, Default)]
pub(crate) struct ListedPayments {
    pub(crate) pending: Vec<Payment>,
    pub(crate) booked: Vec<Payment>,
    /// Keys of those booked ones that were not stored before.
    pub(crate) new: BTreeSet<String>,
    /// Something is wrong with the bank: a pending payment that is not listed may be there all the same, unless it was taken over.
    pub(crate) may_lack: bool,
}

impl WaitingPayments {
    /// Goes on to what is listed now; answers the keys of the pending payments that are gone.
    pub(crate) fn go_on(&mut self, listed: &ListedPayments, now: DateTime<Utc>) -> Vec<String> {
        self.links.retain(|_, link| now - link.at <= LINK_KEPT);
        let before = std::mem::take(&mut self.pending);
        // Some banks book a payment under the key that it was pending under: it is not gone.
        let is_listed = |own: &SeenPayment| {
            let mut all = listed.pending.iter().chain(&listed.booked);
            all.any(|listed| listed.key == own.payment.key)
        };
        let (stay, gone): (Vec<_>, Vec<_>) = before.into_iter().partition(is_listed);
        self.link(&gone, listed, now);
        let (gone, kept): (Vec<_>, Vec<_>) = gone
            .into_iter()
            .partition(|own| !listed.may_lack || self.is_taken_over(&own.payment.key));
        self.pending = listed
            .pending
            .iter()
            .map(|payment| SeenPayment {
                payment: payment.clone(),
                seen_at: seen_before(&stay, payment).unwrap_or(now),
            })
            .chain(kept)
            .collect();
        self.note_beside(listed, now);
        gone.into_iter().map(|own| own.payment.key).collect()
    }

    /// The pending payment that a booked one replaces.
    pub(crate) fn replaced_by(&self, booked: &str) -> Option<&str> {
        self.links.get(booked).map(|link| link.pending.as_str())
    }

    fn is_taken_over(&self, pending: &str) -> bool {
        self.links.values().any(|link| link.pending == pending)
    }

    /// The payments that were pending when the account was read last.
    pub(crate) fn pending(&self) -> impl Iterator<Item = &Payment> {
        self.pending.iter().map(|own| &own.payment)
    }

    /// Whether a booked payment may turn out to replace one that was pending, of which is not known yet whether it is gone.
    pub(crate) fn may_be_replaced_by(&self, booked: &Payment, is_new: bool) -> bool {
        let is_candidate = is_new || self.beside.contains_key(&booked.key);
        let is_free = !self.links.contains_key(&booked.key);
        let may_replace =
            |own: &SeenPayment| matching::may_be(&own.payment, own.seen_at.date_naive(), booked);
        is_candidate && is_free && self.pending.iter().any(may_replace)
    }

    /// Finds which booked payments took over those that are gone: none that was there before.
    fn link(&mut self, gone: &[SeenPayment], listed: &ListedPayments, now: DateTime<Utc>) {
        let free = listed.booked.iter();
        let free = free.filter(|booked| !self.links.contains_key(&booked.key));
        let came_at: BTreeMap<&str, DateTime<Utc>> = free
            .clone()
            .filter_map(|booked| Some((booked.key.as_str(), self.came_at(booked, listed, now)?)))
            .collect();
        let seen_at = |key: &str| gone.iter().find(|own| own.payment.key == key);
        let arrival = |pending: &Payment, booked: &Payment| {
            let came = came_at.get(booked.key.as_str())?;
            match came.cmp(&seen_at(&pending.key)?.seen_at) {
                Ordering::Greater => Some(Arrival::Later),
                Ordering::Equal => Some(Arrival::Together),
                Ordering::Less => None,
            }
        };
        let gone: Vec<_> = gone
            .iter()
            .map(|own| (&own.payment, own.seen_at.date_naive()))
            .collect();
        let free: Vec<&Payment> = free.collect();
        let pairs = matching::pairs(&gone, &free, arrival);
        let pairs: Vec<_> = pairs
            .into_iter()
            .map(|(booked, pending)| (booked.to_owned(), pending.to_owned()))
            .collect();
        for (booked, pending) in pairs {
            self.beside.remove(&booked);
            self.links.insert(booked, Link { pending, at: now });
        }
    }

    fn came_at(
        &self,
        booked: &Payment,
        listed: &ListedPayments,
        now: DateTime<Utc>,
    ) -> Option<DateTime<Utc>> {
        let is_new = listed.new.contains(&booked.key);
        let earlier = self.beside.get(&booked.key).copied();
        earlier.or_else(|| is_new.then_some(now))
    }

    fn note_beside(&mut self, listed: &ListedPayments, now: DateTime<Utc>) {
        self.beside
            .retain(|_, seen_at| now - *seen_at <= BESIDE_MAX);
        let amounts: BTreeSet<_> = self.pending.iter().map(|own| own.payment.amount).collect();
        let is_new =
            |own: &&Payment| listed.new.contains(&own.key) && amounts.contains(&own.amount);
        for booked in listed.booked.iter().filter(is_new) {
            if !self.links.contains_key(&booked.key) {
                self.beside.entry(booked.key.clone()).or_insert(now);
            }
        }
        if self.pending.is_empty() {
            self.beside.clear();
        }
    }
}

fn seen_before(stay: &[SeenPayment], payment: &Payment) -> Option<DateTime<Utc>> {
    let own = stay.iter().find(|own| own.payment.key == payment.key);
    own.map(|own| own.seen_at)
}

#[cfg(test)]
mod tests;
