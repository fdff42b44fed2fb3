//! What an answer says of one account, as pages.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};

use super::account::SentAccount;
use super::changes::{change, kept, keys_of, removed, skipped_item};
use super::holdings::{self, HOLDINGS_KEY};
use super::items::{ReadPayment, payments_scope};
use super::position::AccountPosition;
use super::spans::BackSpan;
use crate::failure::SourceFailure;
use crate::limits::SIMPLEFIN_PAGE_ITEMS_MAX;
use crate::payments::ListedPayments;
use crate::round::{ItemChange, KnownItems, Page, Pass, RoundRequest, ScopeCoverage, SkippedItem};

/// Of which time an answer is.
#[derive(Clone, Copy, Debug)]
pub(super) enum ToldSpan {
    /// From then on, with what is pending. What is wrong with the bank says that something may be missing.
    Recent {
        start: DateTime<Utc>,
        is_bank_well: bool,
    },
    Back(BackSpan),
}

/// Turns what is told of one account into pages.
pub(super) struct AccountTelling<'a> {
    pub(super) key: &'a str,
    pub(super) request: &'a RoundRequest,
    pub(super) known: &'a dyn KnownItems,
}

impl AccountTelling<'_> {
    /// The pages of its payments and holdings. The position is what it goes on from when they are stored.
    pub(super) async fn pages(
        &self,
        account: &mut SentAccount,
        position: &mut AccountPosition,
        told: ToldSpan,
    ) -> Result<Vec<Page>, SourceFailure> {
        let holdings = match told {
            ToldSpan::Recent { .. } => {
                holdings::page((self.key, self.request, self.known), account).await?
            }
            ToldSpan::Back(_) => None,
        };
        let is_first = holdings.is_some() && !position.has_holdings;
        position.has_holdings |= holdings.is_some();
        let mut pages = self.payments(account, position, told, is_first).await?;
        pages.extend(holdings);
        Ok(pages)
    }

    async fn payments(
        &self,
        account: &mut SentAccount,
        position: &mut AccountPosition,
        told: ToldSpan,
        holds_holdings: bool,
    ) -> Result<Vec<Page>, SourceFailure> {
        let scope = payments_scope(self.key);
        let (read, skipped) = self.read(account);
        let keys: Vec<_> = read.iter().map(|own| own.payment.key.clone()).collect();
        let keys: Vec<_> = keys.into_iter().chain(keys_of(&skipped)).collect();
        let versions = self.known.versions(&scope, &keys).await?;
        let is_stored = |key: &str| versions.contains_key(key);
        let pass = self.go_on(position, &read, told, is_stored);
        let mut changes: Vec<ItemChange> = pass.gone.into_iter().map(removed).collect();
        if holds_holdings {
            changes.push(ItemChange::Put(holdings::holder(self.key)));
        } else if pass.pass.is_some() && position.has_holdings {
            changes.push(kept(HOLDINGS_KEY.to_owned()));
        }
        // What replaces a pending payment comes with that one's end, on the first page.
        let (linked, others): (Vec<_>, Vec<_>) = read
            .into_iter()
            .partition(|own| position.payments.replaced_by(&own.payment.key).is_some());
        for own in linked.into_iter().chain(others) {
            let replaced = position.payments.replaced_by(&own.payment.key);
            let item = own.into_item(self.key, replaced);
            let stored = versions.get(&item.key);
            changes.extend(change(item, stored, pass.pass.is_some()));
        }
        if pass.pass.is_some() {
            let stored = keys_of(&skipped).filter(|key| is_stored(key));
            changes.extend(stored.map(kept));
        }
        Ok(self.cut(changes, skipped, (position, pass.pass)))
    }

    /// The payments that are wanted, each once, and those that cannot be read.
    fn read(&self, account: &mut SentAccount) -> (Vec<ReadPayment>, Vec<SkippedItem>) {
        let (mut read, mut skipped, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
        for sent in std::mem::take(&mut account.payments) {
            match ReadPayment::read(sent, (self.key, account)) {
                Ok(own) => {
                    let since = self.request.since;
                    let is_wanted =
                        own.is_pending || since.is_none_or(|since| own.at() >= Some(since));
                    if is_wanted && seen.insert(own.payment.key.clone()) {
                        read.push(own);
                    }
                }
                Err((key, reason)) => skipped.push(skipped_item(key, reason)),
            }
        }
        (read, skipped)
    }

    /// Where the account goes on from, and what is to be judged.
    fn go_on(
        &self,
        position: &mut AccountPosition,
        read: &[ReadPayment],
        told: ToldSpan,
        is_stored: impl Fn(&str) -> bool,
    ) -> Judged {
        let now = self.request.now;
        let booked = read.iter().filter(|own| !own.is_pending);
        let earliest = booked.filter_map(ReadPayment::at).min();
        match told {
            ToldSpan::Back(span) => {
                position.back_to(span.start, earliest.is_none());
                Judged::default()
            }
            ToldSpan::Recent {
                start,
                is_bank_well,
            } => {
                position.reread(start, now, earliest.is_none());
                let listed = ListedPayments {
                    may_lack: !is_bank_well,
                    ..listed(read, is_stored)
                };
                let told = earliest.filter(|_| is_bank_well);
                Judged {
                    gone: position.payments.go_on(&listed, now),
                    // Some banks keep less than was asked for: only as far back as one tells is judged.
                    pass: told.map(|earliest| Pass {
                        begun_at: now,
                        since: Some(earliest.max(start)),
                        is_complete: false,
                    }),
                }
            }
        }
    }

    /// The changes on as many pages as they need, at least one, since the position is to be stored.
    fn cut(
        &self,
        changes: Vec<ItemChange>,
        skipped: Vec<SkippedItem>,
        (position, pass): (&AccountPosition, Option<Pass>),
    ) -> Vec<Page> {
        let covered = position.told_from.or(position.from);
        let mut rest = changes.into_iter().peekable();
        let mut pages = Vec::new();
        loop {
            let mut page = Page::new(payments_scope(self.key), position.to_value());
            page.changes
                .extend(rest.by_ref().take(SIMPLEFIN_PAGE_ITEMS_MAX));
            page.coverage = covered.map_or(ScopeCoverage::AsAsked, ScopeCoverage::From);
            let is_last = rest.peek().is_none();
            page.pass = pass.map(|pass| Pass {
                is_complete: is_last,
                ..pass
            });
            pages.push(page);
            if is_last {
                break;
            }
        }
        if let Some(last) = pages.last_mut() {
            last.skipped = skipped;
        }
        pages
    }
}

/// What of an account's payments is to be judged.
#[derive(Default)]
struct Judged {
    /// Pending payments that are not listed any more.
    gone: Vec<String>,
    pass: Option<Pass>,
}

fn listed(read: &[ReadPayment], is_stored: impl Fn(&str) -> bool) -> ListedPayments {
    let mut listed = ListedPayments::default();
    for own in read {
        let payment = own.payment.clone();
        if own.is_pending {
            listed.pending.push(payment);
            continue;
        }
        if !is_stored(&payment.key) {
            listed.new.insert(payment.key.clone());
        }
        listed.booked.push(payment);
    }
    listed
}
