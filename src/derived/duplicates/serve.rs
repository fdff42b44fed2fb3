//! Has one account of each group served, and one of the rows that are one.

use std::collections::{BTreeMap, BTreeSet};

use deadpool_postgres::Transaction;
use uuid::Uuid;

use super::account::{Account, Accounts};
use super::load;
use super::served::{in_order, served_before};
use super::standing::SettleReach;
use super::{holdings, transactions};
use crate::catalog::{self, SplitColumns, Table};
use crate::db::{StoreError, column, columns};
use crate::local_days::LocalDays;
use crate::statements::served_once;

const GONE: &str = include_str!("../../../sql/statements/duplicates/gone.sql");

/// The transaction that settles, and what it is about.
pub(super) struct Settling<'a> {
    pub(super) transaction: &'a Transaction<'a>,
    pub(super) user: Uuid,
    pub(super) accounts: &'a Accounts,
}

impl Settling<'_> {
    /// Serves `groups`. Rows of a group are matched where one of them, or the group, has changed.
    ///
    /// # Errors
    /// When the database fails.
    pub(super) async fn serve(
        &self,
        groups: &[BTreeSet<Uuid>],
        local: LocalDays,
        reach: SettleReach,
    ) -> Result<(), StoreError> {
        let groups = self.order(groups).await?;
        let regrouped = self.hide_accounts(&groups).await?;
        let grouped: Vec<Uuid> = groups.iter().flatten().copied().collect();
        let loose: Vec<Uuid> = regrouped
            .iter()
            .filter(|account| !grouped.contains(account))
            .copied()
            .collect();
        for (table, account) in tables_of_accounts() {
            let mut touched = self.touched(table, account).await?;
            touched.extend(&regrouped);
            self.release(table, account, &loose, &grouped).await?;
            let statement = served_once::merge(table, account);
            let stale = groups.iter().filter(|group| {
                reach == SettleReach::Everything || group.iter().any(|own| touched.contains(own))
            });
            for group in stale {
                let (transaction, user) = (self.transaction, self.user);
                match table.name {
                    "holdings" => holdings::settle(transaction, user, group, &statement).await?,
                    _ => {
                        transactions::settle(transaction, user, group, (&statement, local)).await?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The accounts of each group, the one that is served first.
    async fn order(&self, groups: &[BTreeSet<Uuid>]) -> Result<Vec<Vec<Uuid>>, StoreError> {
        let mut ordered = Vec::with_capacity(groups.len());
        for group in groups {
            let members: Vec<&Account> = group
                .iter()
                .filter_map(|account| self.accounts.get(account))
                .collect();
            let weights = match served_before(&members) {
                Some(_) => BTreeMap::new(),
                None => {
                    let ids: Vec<Uuid> = group.iter().copied().collect();
                    load::weights(self.transaction, self.user, &ids).await?
                }
            };
            ordered.push(in_order(&members, &weights));
        }
        Ok(ordered)
    }

    /// Hides the accounts in whose place another is served, and no others. Returns the accounts whose group has changed, or the
    /// account that is served of it.
    async fn hide_accounts(&self, groups: &[Vec<Uuid>]) -> Result<BTreeSet<Uuid>, StoreError> {
        let mut wanted: BTreeMap<Uuid, &[Uuid]> = BTreeMap::new();
        for group in groups {
            wanted.extend(group.iter().map(|account| (*account, group.as_slice())));
        }
        let mut changed: Vec<(Uuid, Option<Uuid>)> = Vec::new();
        let mut regrouped = BTreeSet::new();
        for account in self.accounts.values() {
            // One that is in no group is served as its source tells it.
            let group = wanted.get(&account.id).copied().unwrap_or_default();
            let served = group.first().copied();
            let hidden_by = served.filter(|served| *served != account.id);
            if hidden_by != account.hidden_by {
                changed.push((account.id, hidden_by));
                regrouped.extend(account.hidden_by);
                regrouped.insert(account.id);
                regrouped.extend(group);
            }
        }
        let rows = self.transaction.query(GONE, &[&self.user]).await?;
        for row in &rows {
            let (account, served): (Uuid, Uuid) = columns("duplicates/gone", row)?;
            changed.push((account, None));
            regrouped.extend([account, served]);
        }
        self.hide(&changed).await?;
        Ok(regrouped)
    }

    async fn hide(&self, changed: &[(Uuid, Option<Uuid>)]) -> Result<(), StoreError> {
        if changed.is_empty() {
            return Ok(());
        }
        let (ids, hidden): (Vec<Uuid>, Vec<Option<Uuid>>) = changed.iter().copied().unzip();
        let statement = served_once::hide(accounts_table()?);
        self.transaction
            .execute(&statement, &[&self.user, &ids, &hidden])
            .await?;
        Ok(())
    }

    /// The accounts of rows that have changed in this transaction, and of those that they are served for.
    async fn touched(
        &self,
        table: &Table,
        account: SplitColumns,
    ) -> Result<BTreeSet<Uuid>, StoreError> {
        let statement = served_once::touched(table, account);
        let rows = self.transaction.query(&statement, &[&self.user]).await?;
        let accounts = rows.iter();
        accounts
            .map(|row| column("statements::served_once::touched", row))
            .collect()
    }

    /// Serves rows that are in no group any more as their sources tell them.
    async fn release(
        &self,
        table: &Table,
        account: SplitColumns,
        loose: &[Uuid],
        grouped: &[Uuid],
    ) -> Result<(), StoreError> {
        if !loose.is_empty() {
            let statement = served_once::release(table, account);
            self.transaction
                .execute(&statement, &[&self.user, &loose])
                .await?;
        }
        let statement = served_once::release_strays(table, account);
        self.transaction
            .execute(&statement, &[&self.user, &grouped])
            .await?;
        Ok(())
    }
}

/// The tables whose rows are of accounts that may be one, each with the columns of the account.
fn tables_of_accounts() -> impl Iterator<Item = (&'static Table, SplitColumns)> {
    catalog::tables().filter_map(|table| {
        let mut fields = table.fields.iter();
        Some((table, fields.find_map(|field| field.split)?))
    })
}

fn accounts_table() -> Result<&'static Table, StoreError> {
    catalog::by_target("finance.accounts").ok_or_else(|| StoreError::Fault {
        cause: "the catalogue has no accounts".to_owned(),
    })
}
