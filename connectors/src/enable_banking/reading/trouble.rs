//! What becomes of an account that was not read: it is read again, or what is wrong stands in its row.

use super::super::account::payments_scope;
use super::super::balances::AccountBalances;
use super::super::refusal::{BankRefusal, RefusalReach};
use super::{AccountVisit, LinkReading};
use crate::failure::SourceFailure;
use crate::round::{CONTAINERS, KnownItems, Page};

impl LinkReading {
    /// What becomes of an account that was not read.
    pub(super) async fn settle(
        &mut self,
        visit: AccountVisit,
        refusal: BankRefusal,
        known: &dyn KnownItems,
    ) -> Result<(), SourceFailure> {
        match refusal.reach {
            RefusalReach::Round => self.outcome.end = Some(refusal.failure),
            RefusalReach::Spent => drop(self.outcome.failure.get_or_insert(refusal.failure)),
            // Once more, when the others were read.
            RefusalReach::Passing if !visit.is_repeated => self.visits.push_back(AccountVisit {
                is_repeated: true,
                ..visit
            }),
            RefusalReach::Passing
            | RefusalReach::Account
            | RefusalReach::Person
            | RefusalReach::Span => {
                self.tell_trouble(&visit, &refusal, known).await?;
                self.outcome.failure.get_or_insert(refusal.failure);
            }
        }
        Ok(())
    }

    /// What is wrong with an account stands in its row; one that has none yet gets it without balances.
    async fn tell_trouble(
        &mut self,
        visit: &AccountVisit,
        refusal: &BankRefusal,
        known: &dyn KnownItems,
    ) -> Result<(), SourceFailure> {
        let stored = known.versions(CONTAINERS, std::slice::from_ref(&visit.key));
        let is_told = self
            .pages
            .iter()
            .any(|page| page.keys().contains(&*visit.key));
        let has_row = stored.await?.contains_key(&visit.key) || is_told;
        let pages = self.account_pages(known);
        let none = AccountBalances::default();
        let row = match has_row {
            true => None,
            false => Some(pages.present(visit.place(), none).await?),
        };
        let trouble = pages.troubled(visit.place(), refusal);
        let narrowed = self.narrowed(&visit.key, refusal);
        let pages = row.into_iter().chain([trouble]).chain(narrowed);
        self.pages.extend(pages);
        Ok(())
    }

    /// Where a bank refused how far back it was asked, the next round goes on from there, of an account that was read before.
    fn narrowed(&self, key: &str, refusal: &BankRefusal) -> Option<Page> {
        let position = self.positions.get(key)?;
        let is_narrowed = refusal.reach == RefusalReach::Span && position.from.is_some();
        is_narrowed.then(|| {
            let mut page = Page::new(payments_scope(key), position.to_value());
            page.coverage = position.coverage();
            page
        })
    }
}
