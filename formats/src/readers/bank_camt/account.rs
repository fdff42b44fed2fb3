//! `Acct`, the account of a statement, as a record of `finance.accounts`.

use serde_json::Value;

use super::balance::{BalanceKind, CamtBalance};
use super::node::CamtNode;
use crate::entry::{RecordFields, put};
use crate::readers::account_number::mask_of;

/// The account of a statement.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CamtAccount {
    /// The source id, and the prefix of the ids of all that happens in it.
    pub id: String,
    pub fields: RecordFields,
    /// When what can be spent was that.
    available_as_of: Option<String>,
}

impl CamtAccount {
    /// The account that the file names.
    pub(super) fn of_node(node: &CamtNode) -> Option<Self> {
        let iban = node.text("Id/IBAN").map(unspaced);
        let other = node.text("Id/Othr/Id").map(unspaced);
        let number = iban.clone().or(other)?;
        let bank = node.text_of(&[
            "Svcr/FinInstnId/BICFI",
            "Svcr/FinInstnId/BIC",
            "Svcr/FinInstnId/ClrSysMmbId/MmbId",
        ]);
        let id = match (&iban, bank) {
            (None, Some(bank)) => format!("{bank}/{number}"),
            _ => number.clone(),
        };
        let mask = mask_of(&number);
        let name = node.text("Nm").map(str::to_owned);
        let mut own = Self::named(&id, &name.unwrap_or_else(|| format!("Account {mask}")));
        put(&mut own.fields, "iban", iban);
        put(&mut own.fields, "mask", Some(mask));
        put(
            &mut own.fields,
            "currency",
            node.text("Ccy").map(str::to_uppercase),
        );
        put(&mut own.fields, "institution_id", bank);
        put(
            &mut own.fields,
            "institution_name",
            node.text("Svcr/FinInstnId/Nm"),
        );
        Some(own)
    }

    /// The account that the person names.
    pub(super) fn of_option(name: &str) -> Self {
        Self::named(name, name)
    }

    fn named(id: &str, name: &str) -> Self {
        let mut fields = RecordFields::new();
        put(&mut fields, "id", Some(id));
        put(&mut fields, "name", Some(name));
        Self {
            id: id.to_owned(),
            fields,
            available_as_of: None,
        }
    }

    /// Takes a balance, unless a newer one is known.
    pub(super) fn take_balance(&mut self, balance: CamtBalance) {
        let (as_of, amount) = (balance.as_of, Some(balance.money.amount));
        match balance.kind {
            BalanceKind::Booked => {
                let known = self.fields.get("balance_as_of").and_then(Value::as_str);
                if known.is_none_or(|known| known <= as_of.as_str()) {
                    put(&mut self.fields, "balance_current", amount);
                    put(&mut self.fields, "balance_as_of", Some(as_of));
                    put(&mut self.fields, "currency", Some(balance.money.currency));
                }
            }
            BalanceKind::Available => {
                if self
                    .available_as_of
                    .as_ref()
                    .is_none_or(|known| *known <= as_of)
                {
                    put(&mut self.fields, "balance_available", amount);
                    self.available_as_of = Some(as_of);
                }
            }
        }
    }
}

fn unspaced(text: &str) -> String {
    let kept = text.chars().filter(|sign| !sign.is_whitespace());
    kept.collect::<String>().to_uppercase()
}
