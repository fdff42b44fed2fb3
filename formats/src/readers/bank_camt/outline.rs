//! The first pass over a file: what its entries need to know that may stand after them.
//!
//! Holds one small record a statement, whatever the number of entries.

use std::collections::HashMap;
use std::io::BufRead;

use serde_json::Value;

use super::account::CamtAccount;
use super::money::{created_at, day, direction, instant, money};
use super::node::CamtNode;
use super::nodes::{CamtItem, CamtItems};
use crate::entry::put;
use crate::error::FileError;

/// The codes of balances that are the account's at the end of a statement, the best first: booked, interim booked.
const BOOKED: [&str; 2] = ["CLBD", "ITBD"];
/// The same of what can be spent.
const AVAILABLE: [&str; 2] = ["CLAV", "ITAV"];

/// All statements of a file in its order, and the accounts that they are of.
#[derive(Debug, Default)]
pub(super) struct CamtOutline {
    pub statements: Vec<CamtStatement>,
    /// When the message was made, which holds for statements that do not say it themselves.
    created_at: Option<String>,
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
    pub entries: u64,
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
        Ok(outline)
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

    /// The newest balance of all statements of an account, of two from one day the later in the file.
    fn take_balance(&mut self, node: &CamtNode) {
        let statement = self.statements.last();
        let id = statement.and_then(|statement| statement.account.as_ref());
        let Some(account) = id.and_then(|id| self.accounts.get_mut(id)) else {
            return;
        };
        let code = node.text("Tp/CdOrPrtry/Cd").unwrap_or_default();
        let read = || {
            let direction = direction(node).ok()?;
            money(node.child("Amt")?, direction).ok()
        };
        let Some(balance) = read() else { return };
        if AVAILABLE.contains(&code) {
            put(
                &mut account.fields,
                "balance_available",
                Some(balance.amount),
            );
            return;
        }
        let as_of = node.child("Dt").and_then(|dated| {
            instant(dated).or_else(|| Some(format!("{}T00:00:00Z", day(dated)?)))
        });
        let Some(as_of) = as_of.filter(|_| BOOKED.contains(&code)) else {
            return;
        };
        let known = account.fields.get("balance_as_of").and_then(Value::as_str);
        if known.is_none_or(|known| known <= as_of.as_str()) {
            put(&mut account.fields, "balance_current", Some(balance.amount));
            put(&mut account.fields, "balance_as_of", Some(as_of));
            put(&mut account.fields, "currency", Some(balance.currency));
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
