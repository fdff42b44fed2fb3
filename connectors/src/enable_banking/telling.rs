//! What an account lists, as pages: what is booked first, then what is pending with what depends on it.

use std::collections::{BTreeSet, HashMap};

use chrono::{Days, NaiveDate};
use serde_json::Value;

use super::account::payments_scope;
use super::position::LinkedPosition;
use super::span;
use super::transaction::{NotTold, ReadTransaction, TransactionKeys, beginning};
use crate::failure::SourceFailure;
use crate::limits::LINKED_PAGE_ITEMS_MAX;
use crate::payments::{ListedPayments, Payment};
use crate::round::{ItemChange, KnownItems, Page, Pass, RoundRequest, SkippedItem, SourceItem};

/// The key under which a payment is told that cannot be read.
const UNNAMED: &str = "a payment";

/// An account that is being told.
pub(super) struct LinkedTelling {
    /// Under which it is stored.
    pub(super) key: String,
    position: LinkedPosition,
    /// What is booked.
    booked: Vec<Payment>,
    /// Those of it that were not stored before.
    new: BTreeSet<String>,
    /// What is booked and may have taken over a pending payment: it is told with that one's end.
    held: Vec<(ReadTransaction, Option<String>)>,
    /// What is pending beside what is booked, of a bank that does not tell them apart.
    pending: Vec<ReadTransaction>,
    pass: Option<Pass>,
}

impl LinkedTelling {
    /// What is booked, from `start` on if that was asked for; and the pages of it that can be told at once. Their position is still
    /// the one before: a round that is cut off reads the account again.
    pub(super) async fn begin(
        (key, position): (&str, &LinkedPosition),
        (listed, start): (Vec<Value>, Option<NaiveDate>),
        request: &RoundRequest,
        known: &dyn KnownItems,
    ) -> Result<(Self, Vec<Page>), SourceFailure> {
        let mut telling = Self {
            key: key.to_owned(),
            position: position.clone(),
            booked: Vec::new(),
            new: BTreeSet::new(),
            held: Vec::new(),
            pending: Vec::new(),
            pass: None,
        };
        let (read, skipped) = telling.read(listed);
        let (pending, booked): (Vec<_>, Vec<_>) = read.into_iter().partition(|own| own.is_pending);
        telling.pending = pending;
        let since = request.since.map(|since| since.date_naive());
        let is_wanted = |own: &ReadTransaction| since.is_none_or(|since| own.day >= Some(since));
        let booked: Vec<_> = booked.into_iter().filter(is_wanted).collect();
        let earliest = booked.iter().filter_map(|own| own.day).min();
        telling.go_on_from(earliest, start, request);
        // What cannot be read may be anything that is stored.
        telling.pass = telling.pass.filter(|_| skipped.is_empty());
        let changes = telling.split(booked, known).await?;
        if changes.is_empty() && skipped.is_empty() {
            return Ok((telling, Vec::new()));
        }
        let mut pages = telling.cut(changes, position);
        if let Some(first) = pages.first_mut() {
            first.skipped = skipped;
        }
        Ok((telling, pages))
    }

    /// What is pending, and with it the end of the pass. Where that could not be had, nothing is said of what was pending before.
    pub(super) async fn end(
        mut self,
        pending: Option<Vec<Value>>,
        request: &RoundRequest,
        known: &dyn KnownItems,
    ) -> Result<(LinkedPosition, Vec<Page>), SourceFailure> {
        let is_told = pending.is_some();
        let (read, skipped) = self.read(pending.unwrap_or_default());
        let mut pending = std::mem::take(&mut self.pending);
        pending.extend(read.into_iter().filter(|own| own.is_pending));
        // Some banks list what is pending in both lists, and what they have booked there too.
        let mut told: BTreeSet<_> = self.booked.iter().map(|own| own.key.clone()).collect();
        pending.retain(|own| told.insert(own.payment.key.clone()));
        let mut listed: Vec<_> = pending.iter().map(|own| own.payment.clone()).collect();
        let is_complete = is_told && skipped.is_empty();
        let untold = match is_complete {
            true => Vec::new(),
            false => self.untold(&pending),
        };
        listed.extend(untold.iter().cloned());
        let listed = ListedPayments {
            pending: listed,
            booked: std::mem::take(&mut self.booked),
            new: std::mem::take(&mut self.new),
            // What may be there all the same stands among the pending ones.
            may_lack: false,
        };
        let gone = self.position.payments.go_on(&listed, request.now);
        let mut changes: Vec<_> = gone
            .into_iter()
            .map(|key| ItemChange::Remove { key })
            .collect();
        for (own, stored) in std::mem::take(&mut self.held) {
            let item = self.item(own);
            changes.extend(self.change(item, stored.as_ref()));
        }
        let keys: Vec<_> = pending.iter().map(|own| own.payment.key.clone()).collect();
        let untold = untold.into_iter().map(|own| own.key);
        let keys: Vec<_> = keys.into_iter().chain(untold.clone()).collect();
        let versions = known.versions(&payments_scope(&self.key), &keys).await?;
        for own in pending {
            let item = self.item(own);
            let stored = versions.get(&item.key);
            changes.extend(self.change(item, stored));
        }
        if self.pass.is_some() {
            let stored = untold.filter(|key| versions.contains_key(key));
            changes.extend(stored.map(|key| ItemChange::Keep { key }));
        }
        let mut pages = self.cut(changes, &self.position);
        if let Some(last) = pages.last_mut() {
            last.skipped = skipped;
            last.pass = last.pass.map(|pass| Pass {
                is_complete: true,
                ..pass
            });
        }
        Ok((self.position, pages))
    }

    fn read(&self, listed: Vec<Value>) -> (Vec<ReadTransaction>, Vec<SkippedItem>) {
        let (mut read, mut skipped) = (Vec::new(), Vec::new());
        let mut keys = TransactionKeys::default();
        for sent in listed {
            match ReadTransaction::read(sent, &self.key, &mut keys) {
                Ok(own) => read.push(own),
                Err(NotTold::Nothing) => {}
                Err(NotTold::Unread(reason)) => skipped.push(SkippedItem {
                    key: UNNAMED.to_owned(),
                    reason: reason.to_owned(),
                }),
            }
        }
        (read, skipped)
    }

    /// Some banks keep less than was asked for, and of their earliest day a part: only what comes after that day is judged. A list
    /// without anything judges nothing.
    fn go_on_from(
        &mut self,
        earliest: Option<NaiveDate>,
        start: Option<NaiveDate>,
        request: &RoundRequest,
    ) {
        let longest = || span::usual(&LinkedPosition::default(), request.now);
        let from = start.or(earliest).unwrap_or_else(longest);
        self.position.reread(from, request.now);
        let judged = earliest.and_then(|day| day.checked_add_days(Days::new(1)));
        self.pass = judged.map(|judged| Pass {
            begun_at: request.now,
            since: Some(beginning(start.map_or(judged, |start| start.max(judged)))),
            is_complete: false,
        });
    }

    /// The changes that depend on nothing that is pending; what does is held.
    async fn split(
        &mut self,
        booked: Vec<ReadTransaction>,
        known: &dyn KnownItems,
    ) -> Result<Vec<ItemChange>, SourceFailure> {
        let keys: Vec<_> = booked.iter().map(|own| own.payment.key.clone()).collect();
        let versions: HashMap<String, String> =
            known.versions(&payments_scope(&self.key), &keys).await?;
        let mut changes = Vec::new();
        for own in booked {
            let stored = versions.get(&own.payment.key);
            self.booked.push(own.payment.clone());
            if stored.is_none() {
                self.new.insert(own.payment.key.clone());
            }
            let waiting = &self.position.payments;
            if waiting.may_be_replaced_by(&own.payment, stored.is_none()) {
                self.held.push((own, stored.cloned()));
                continue;
            }
            let item = self.item(own);
            changes.extend(self.change(item, stored));
        }
        Ok(changes)
    }

    fn item(&self, own: ReadTransaction) -> SourceItem {
        let replaced = self.position.payments.replaced_by(&own.payment.key);
        own.into_item(&self.key, replaced)
    }

    fn change(&self, item: SourceItem, stored: Option<&String>) -> Option<ItemChange> {
        match stored == Some(&item.version) {
            false => Some(ItemChange::Put(item)),
            true => self.pass.map(|_| ItemChange::Keep { key: item.key }),
        }
    }

    /// What was pending before and is not told now, as what is booked in its place is not told either.
    fn untold(&self, pending: &[ReadTransaction]) -> Vec<Payment> {
        let is_told = |own: &&Payment| {
            let mut told = pending.iter().map(|told| &told.payment).chain(&self.booked);
            told.any(|told| told.key == own.key)
        };
        let before = self.position.payments.pending();
        before.filter(|own| !is_told(own)).cloned().collect()
    }

    /// The changes on as many pages as they need, at least one.
    fn cut(&self, changes: Vec<ItemChange>, position: &LinkedPosition) -> Vec<Page> {
        let mut rest = changes.into_iter().peekable();
        let mut pages = Vec::new();
        loop {
            let mut page = Page::new(payments_scope(&self.key), position.to_value());
            page.changes
                .extend(rest.by_ref().take(LINKED_PAGE_ITEMS_MAX));
            page.coverage = self.position.coverage();
            page.pass = self.pass;
            pages.push(page);
            if rest.peek().is_none() {
                return pages;
            }
        }
    }

    /// That all that the bank tells was read in this consent.
    pub(super) fn note_consent(&mut self, consent: String) {
        self.position.consent = Some(consent);
    }
}
