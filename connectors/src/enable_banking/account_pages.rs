//! What is told of the accounts themselves, as pages.

use super::account;
use super::balances::AccountBalances;
use super::known::KnownLinkedAccounts;
use super::link::{BankLink, LinkedAccount};
use super::refusal::BankRefusal;
use crate::failure::SourceFailure;
use crate::round::{CONTAINERS, ItemChange, KnownItems, Page, ScopeCoverage};

/// Tells the accounts of a link. The position is the same on each page: what they are known again by.
pub(super) struct AccountPages<'a> {
    pub(super) accounts: &'a KnownLinkedAccounts,
    pub(super) link: &'a BankLink,
    pub(super) known: &'a dyn KnownItems,
}

impl AccountPages<'_> {
    /// An account, if it is not as it is stored.
    pub(super) async fn present(
        &self,
        (account, key): (&LinkedAccount, &str),
        balances: AccountBalances,
    ) -> Result<Page, SourceFailure> {
        let item = account::item((account, self.link), key, balances);
        let stored = self.known.versions(CONTAINERS, &[key.to_owned()]).await?;
        let is_same = stored.get(key) == Some(&item.version);
        let mut page = self.page();
        page.changes
            .extend((!is_same).then_some(ItemChange::Put(item)));
        Ok(page)
    }

    /// What is wrong with an account that has a row.
    pub(super) fn troubled(
        &self,
        (account, key): (&LinkedAccount, &str),
        refusal: &BankRefusal,
    ) -> Page {
        let name = account::name(account, self.link);
        let mut page = self.page();
        page.changes.push(account::troubled(key, refusal));
        page.warnings = vec![format!("{name}: {}", refusal.failure.message)];
        page
    }

    /// Accounts of earlier consents keep their rows, which say why they do not go on; `None` where all are there.
    pub(super) async fn left_out(&self, keys: &[String]) -> Result<Option<Page>, SourceFailure> {
        let left_out: Vec<_> = self.accounts.left_out(keys).cloned().collect();
        if left_out.is_empty() {
            return Ok(None);
        }
        let versions = self.known.versions(CONTAINERS, &left_out).await?;
        let mut page = self.page();
        for (key, stored) in left_out
            .iter()
            .filter_map(|key| versions.get_key_value(key))
        {
            let change = account::left_out(key);
            let is_told = matches!(&change, ItemChange::Amend { version, .. } if version == stored);
            page.changes.extend((!is_told).then_some(change));
        }
        Ok(Some(page))
    }

    fn page(&self) -> Page {
        let mut page = Page::new(CONTAINERS, self.accounts.to_value());
        page.coverage = ScopeCoverage::Everything;
        page
    }
}
