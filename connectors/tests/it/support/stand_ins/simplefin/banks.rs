//! What a bridge keeps of banks.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use serde_json::{Value, json};

/// A bank that is linked.
#[derive(Clone, Debug)]
pub struct LinkedBank {
    pub name: String,
    pub domain: String,
    /// The code and the words of what is wrong with it.
    pub trouble: Option<(&'static str, &'static str)>,
}

/// One of its accounts.
#[derive(Clone, Debug)]
pub struct BankAccount {
    /// The id of the bank's link.
    pub bank: String,
    pub name: String,
    pub currency: String,
    pub balance: &'static str,
    pub balance_at: Option<DateTime<Utc>>,
    /// By their id.
    pub payments: BTreeMap<String, Payment>,
    /// As they are sent.
    pub holdings: Vec<Value>,
    /// How far back the bank tells.
    pub keeps: Option<Duration>,
    /// The bank says that something is wrong with this account alone.
    pub trouble: Option<(&'static str, &'static str)>,
}

/// One payment of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    pub amount: String,
    pub description: String,
    pub made_at: Option<DateTime<Utc>>,
    /// None while it is pending.
    pub booked_at: Option<DateTime<Utc>>,
}

impl LinkedBank {
    pub fn new(id: &str) -> Self {
        Self {
            name: format!("Bank {id}"),
            domain: format!("{id}.test"),
            trouble: None,
        }
    }
}

impl BankAccount {
    pub fn new(bank: &str, name: &str) -> Self {
        Self {
            bank: bank.to_owned(),
            name: name.to_owned(),
            currency: "EUR".to_owned(),
            balance: "100.00",
            balance_at: None,
            payments: BTreeMap::new(),
            holdings: Vec::new(),
            keeps: None,
            trouble: None,
        }
    }

    /// A booked payment.
    pub fn book(&mut self, id: &str, amount: &str, at: DateTime<Utc>) {
        let payment = Payment {
            amount: amount.to_owned(),
            description: format!("Payment {amount}"),
            made_at: Some(at),
            booked_at: Some(at),
        };
        self.payments.insert(id.to_owned(), payment);
    }

    /// One that is pending.
    pub fn hold(&mut self, id: &str, amount: &str, at: DateTime<Utc>) {
        self.book(id, amount, at);
        self.payments.get_mut(id).unwrap().booked_at = None;
    }

    /// A pending one is booked, under another id.
    pub fn settle(&mut self, pending: &str, id: &str, at: DateTime<Utc>) {
        let mut payment = self.payments.remove(pending).unwrap();
        payment.booked_at = Some(at);
        self.payments.insert(id.to_owned(), payment);
    }
}

impl Payment {
    pub fn sent(&self, id: &str) -> Value {
        let seconds = |at: Option<DateTime<Utc>>| at.map_or(0, |at| at.timestamp());
        let mut sent = json!({
            "id": id,
            "posted": seconds(self.booked_at),
            "amount": self.amount,
            "description": self.description,
            "payee": "Payee",
            "memo": "",
        });
        if self.made_at.is_some() {
            sent["transacted_at"] = seconds(self.made_at).into();
        }
        if self.booked_at.is_none() {
            sent["pending"] = true.into();
        }
        sent
    }
}
