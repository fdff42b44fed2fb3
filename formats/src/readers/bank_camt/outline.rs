//! The first pass over a file: what its entries need to know that may stand after them.
//!
//! Holds one small record a statement, whatever the number of entries.

use std::collections::{HashMap, HashSet};
use std::io::BufRead;

use super::account::CamtAccount;
use super::balance::balance;
use super::money::created_at;
use super::node::CamtNode;
use super::nodes::{CamtItem, CamtItems};
use crate::error::FileError;

/// All statements of a file in its order, and the accounts that they are of.
#[derive(Debug, Default)]
pub(super) struct CamtOutline {
    pub statements: Vec<CamtStatement>,
    /// When the message was made, which holds for statements that do not say it themselves.
    created_at: Option<String>,
    /// How many balances cannot be read.
    pub unread_balances: u64,
    /// By their ids, with the newest balances.
    accounts: HashMap<String, CamtAccount>,
}

/// What a statement says for all of its entries.
#[derive(Debug, Default)]
pub(super) struct CamtStatement {
    /// The id of the account, if any is named.
    account: Option<String>,
    /// When the bank made it: of two that hold the same booking, the later knows better.
    pub created_at: Option<String>,
    /// How many entries it holds.
    entries: u64,
    /// It is the first of an account of which the file has no entry.
    pub is_alone: bool,
}

impl CamtOutline {
    /// Reads the whole file; `account` names the account of statements that name none.
    pub(super) fn read<R: BufRead>(
        items: CamtItems<R>,
        account: Option<&str>,
    ) -> Result<Self, FileError> {
        let mut outline = Self::default();
        for item in items {
            match item? {
                CamtItem::Statement { .. } => {
                    outline.statements.push(CamtStatement {
                        created_at: outline.created_at.clone(),
                        ..CamtStatement::default()
                    });
                    if let Some(name) = account {
                        outline.use_account(CamtAccount::of_option(name));
                    }
                }
                CamtItem::Head(node) => outline.take_head(&node),
                CamtItem::Entry { .. } => {
                    if let Some(statement) = outline.statements.last_mut() {
                        statement.entries += 1;
                    }
                }
            }
        }
        outline.mark_alone();
        Ok(outline)
    }

    fn mark_alone(&mut self) {
        let with_entries = self.statements.iter().filter(|own| own.entries > 0);
        let mut known: HashSet<_> = with_entries.map(|own| own.account.clone()).collect();
        for statement in &mut self.statements {
            statement.is_alone = known.insert(statement.account.clone());
        }
    }

    fn take_head(&mut self, node: &CamtNode) {
        match node.name.as_str() {
            "Acct" => {
                let account = CamtAccount::of_node(node);
                account.into_iter().for_each(|own| self.use_account(own));
            }
            "CreDtTm" => {
                let statement = self.statements.last_mut();
                let known = statement.map_or(&mut self.created_at, |own| &mut own.created_at);
                *known = node.own_text().and_then(created_at).or(known.take());
            }
            _ => self.take_balance(node),
        }
    }

    fn use_account(&mut self, account: CamtAccount) {
        if let Some(statement) = self.statements.last_mut() {
            statement.account = Some(account.id.clone());
            self.accounts.entry(account.id.clone()).or_insert(account);
        }
    }

    /// Of all statements of an account the newest balance is kept, of two from one moment the later in the file.
    fn take_balance(&mut self, node: &CamtNode) {
        let statement = self.statements.last();
        let id = statement.and_then(|statement| statement.account.as_ref());
        let account = id.and_then(|id| self.accounts.get_mut(id));
        match (balance(node), account) {
            (Ok(Some(balance)), Some(account)) => account.take_balance(balance),
            (Ok(_), _) => {}
            (Err(_), _) => self.unread_balances += 1,
        }
    }

    /// A statement by its number, and its account.
    ///
    /// # Errors
    /// That none is named, as a sentence.
    pub(super) fn statement(
        &self,
        number: usize,
    ) -> Result<(&CamtStatement, &CamtAccount), String> {
        let statement = self.statements.get(number);
        let account = statement.and_then(|own| self.accounts.get(own.account.as_ref()?));
        statement.zip(account).ok_or_else(|| {
            "the statement does not say which account it is about; name it with --account NAME"
                .to_owned()
        })
    }
}
