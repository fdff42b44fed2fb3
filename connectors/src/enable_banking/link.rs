//! What is sealed of a bank's consent.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::digest_key::digest;
use crate::failure::{FailureKind, SourceFailure};
use crate::limits::LINKED_ACCOUNTS_MAX;
use crate::provider::{AccountHolder, LinkedBank};

/// Whose accounts a consent gives, where they are a business's.
const BUSINESS: &str = "business";

/// A consent, with what the bank said of its accounts when it was given: to ask again would count as reading them.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct BankLink {
    /// By it the consent is asked after and ended.
    pub(super) session: String,
    identity: String,
    bank: String,
    country: String,
    is_of_business: bool,
    ends_at: DateTime<Utc>,
    pub(super) accounts: Vec<LinkedAccount>,
}

/// An account of a consent.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct LinkedAccount {
    /// By it the account is asked for in this consent; each has others.
    pub(super) uid: String,
    /// What stays of it over consents.
    pub(super) marks: AccountMarks,
    /// As it was sent, without what another consent changes.
    pub(super) sent: Map<String, Value>,
}

/// What an account is known again by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct AccountMarks {
    /// The digest that the interface calls primary.
    pub(super) hash: String,
    /// All of them. Accounts of several currencies can share one.
    pub(super) hashes: BTreeSet<String>,
    pub(super) currency: String,
}

/// A consent as it is sent.
#[derive(Deserialize)]
pub(super) struct SentSession {
    session_id: String,
    accounts: Vec<Map<String, Value>>,
    aspsp: SentBankName,
    #[serde(default)]
    psu_type: String,
    access: SentAccess,
}

#[derive(Deserialize)]
struct SentBankName {
    name: String,
    #[serde(default)]
    country: String,
}

#[derive(Deserialize)]
struct SentAccess {
    valid_until: DateTime<Utc>,
}

impl BankLink {
    /// What tells it from every other, and stays when the same accounts are linked again.
    pub(crate) fn identity(&self) -> &str {
        &self.identity
    }

    /// The bank's name.
    pub(crate) fn bank_name(&self) -> &str {
        &self.bank
    }

    /// The bank that was linked.
    pub(crate) fn bank(&self) -> LinkedBank {
        LinkedBank {
            country: self.country.clone(),
            name: self.bank.clone(),
            holder: match self.is_of_business {
                true => AccountHolder::Business,
                false => AccountHolder::Person,
            },
        }
    }

    /// When the bank's consent ends.
    pub(crate) const fn ends_at(&self) -> DateTime<Utc> {
        self.ends_at
    }

    /// What tells this consent from those before it, and by which nothing can be asked.
    pub(super) fn consent(&self) -> String {
        digest(&self.session)
    }

    /// The same in place of an earlier link, whichever of its accounts are ticked now.
    ///
    /// # Errors
    /// [`FailureKind::Rejected`] where they have no account in common.
    pub(crate) fn in_place_of(self, earlier: &Self) -> Result<Self, SourceFailure> {
        let is_known = |own: &LinkedAccount| {
            let mut before = earlier.accounts.iter();
            before.any(|other| own.marks.is_like(&other.marks))
        };
        if !self.accounts.iter().any(is_known) {
            let message = "the bank gave none of the accounts that were linked before: tick them on the bank's page, or link it as another bank";
            return Err(SourceFailure::new(FailureKind::Rejected, message));
        }
        Ok(Self {
            identity: earlier.identity.clone(),
            ..self
        })
    }

    /// Reads a consent.
    ///
    /// # Errors
    /// [`FailureKind::Rejected`] where it gives no account.
    pub(super) fn of(sent: SentSession) -> Result<Self, SourceFailure> {
        let accounts = sent.accounts.into_iter().take(LINKED_ACCOUNTS_MAX);
        let accounts: Vec<_> = accounts.filter_map(LinkedAccount::read).collect();
        let first = accounts.iter().map(|own| own.marks.hash.as_str()).min();
        let first = first.ok_or_else(|| {
            let message =
                "the bank gave no account that can be read: tick accounts on the bank's page";
            SourceFailure::new(FailureKind::Rejected, message)
        })?;
        let SentBankName { name, country } = &sent.aspsp;
        let whose = &sent.psu_type;
        Ok(Self {
            identity: digest(format!("{country}\n{name}\n{whose}\n{first}")),
            session: sent.session_id,
            is_of_business: whose == BUSINESS,
            country: sent.aspsp.country,
            bank: sent.aspsp.name,
            ends_at: sent.access.valid_until,
            accounts,
        })
    }
}

impl LinkedAccount {
    /// Reads an account; `None` for one that cannot be asked for.
    fn read(mut sent: Map<String, Value>) -> Option<Self> {
        let uid = sent.remove("uid")?.as_str()?.to_owned();
        let hash = sent.remove("identification_hash")?.as_str()?.to_owned();
        let all = sent.remove("identification_hashes");
        let all = all.as_ref().and_then(Value::as_array).into_iter().flatten();
        let hashes = all.filter_map(Value::as_str).chain([hash.as_str()]);
        let hashes = hashes.map(str::to_owned).collect();
        let currency = sent.get("currency").and_then(Value::as_str);
        let marks = AccountMarks {
            currency: currency.unwrap_or_default().to_owned(),
            hash,
            hashes,
        };
        Some(Self { uid, marks, sent })
    }
}

impl AccountMarks {
    /// Whether both can be the same account.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.currency == other.currency && !self.hashes.is_disjoint(&other.hashes)
    }
}
