//! What banks keep.

use chrono::{Duration, NaiveDate};
use serde_json::{Value, json};

/// A bank that can be linked.
#[derive(Clone, Debug)]
pub struct ListedBank {
    pub name: String,
    pub country: String,
    /// The longest consent that it gives, in seconds.
    pub consent_max: i64,
    pub needs: Vec<&'static str>,
}

/// An account.
#[derive(Clone, Debug)]
pub struct BankedAccount {
    pub iban: String,
    /// Other digests by which it is known.
    pub hashes: Vec<String>,
    pub kind: &'static str,
    pub product: Option<&'static str>,
    pub currency: &'static str,
    /// The kind and the amount of each.
    pub balances: Vec<(&'static str, String)>,
    pub payments: Vec<BankedPayment>,
    /// How far back the bank tells but for the first time.
    pub keeps: Duration,
}

/// A payment of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankedPayment {
    pub reference: Option<String>,
    /// Negative is money out.
    pub amount: String,
    pub status: &'static str,
    pub made_on: NaiveDate,
    /// None while it is pending.
    pub booked_on: Option<NaiveDate>,
    pub words: String,
}

impl ListedBank {
    pub fn new(name: &str, country: &str) -> Self {
        Self {
            name: name.to_owned(),
            country: country.to_owned(),
            consent_max: 90 * 86_400,
            needs: Vec::new(),
        }
    }

    pub fn sent(&self) -> Value {
        json!({
            "name": self.name, "country": self.country, "logo": "https://logo.test/bank.png",
            "psu_types": ["personal", "business"], "maximum_consent_validity": self.consent_max,
            "auth_methods": [{"psu_type": "personal", "approach": "REDIRECT", "hidden_method": false}],
            "beta": false, "bic": "TESTFIHH", "required_psu_headers": self.needs,
        })
    }
}

impl BankedAccount {
    pub fn new(number: usize) -> Self {
        Self {
            iban: format!("FI211234560000{:04}", 1_000 + number),
            hashes: Vec::new(),
            kind: "CACC",
            product: Some("Everyday account"),
            currency: "EUR",
            balances: vec![("CLBD", "100.00".to_owned()), ("ITAV", "90.00".to_owned())],
            payments: Vec::new(),
            keeps: Duration::days(90),
        }
    }

    /// A booked payment, with a reference.
    pub fn book(&mut self, reference: &str, amount: &str, on: NaiveDate) {
        self.add(Some(reference), amount, "BOOK", on, Some(on));
    }

    /// One without.
    pub fn book_unnamed(&mut self, amount: &str, on: NaiveDate) {
        self.add(None, amount, "BOOK", on, Some(on));
    }

    /// One that is pending.
    pub fn hold(&mut self, reference: &str, amount: &str, on: NaiveDate) {
        self.add(Some(reference), amount, "PDNG", on, None);
    }

    /// A pending one is booked, under another reference.
    pub fn settle(&mut self, pending: &str, reference: &str, on: NaiveDate) {
        let is_own = |own: &&mut BankedPayment| own.reference.as_deref() == Some(pending);
        let own = self.payments.iter_mut().find(is_own).unwrap();
        own.reference = Some(reference.to_owned());
        own.status = "BOOK";
        own.booked_on = Some(on);
    }

    pub fn remove(&mut self, reference: &str) {
        self.payments
            .retain(|own| own.reference.as_deref() != Some(reference));
    }

    fn add(
        &mut self,
        reference: Option<&str>,
        amount: &str,
        status: &'static str,
        made_on: NaiveDate,
        booked_on: Option<NaiveDate>,
    ) {
        self.payments.push(BankedPayment {
            reference: reference.map(str::to_owned),
            amount: amount.to_owned(),
            status,
            made_on,
            booked_on,
            words: format!("Payment {amount}"),
        });
    }

    /// As it is sent in a consent, with its id there.
    pub fn sent(&self, hash: &str, uid: &str) -> Value {
        let hashes: Vec<_> = [hash]
            .into_iter()
            .chain(self.hashes.iter().map(|own| &**own))
            .collect();
        json!({
            "uid": uid, "identification_hash": hash, "identification_hashes": hashes,
            "account_id": {"iban": self.iban}, "account_servicer": {"bic_fi": "TESTFIHH", "name": "Bank of Test"},
            "name": "Person of Test", "product": self.product.unwrap_or_default(),
            "cash_account_type": self.kind, "currency": self.currency,
            "credit_limit": {"currency": self.currency, "amount": "500.00"},
        })
    }

    pub fn balances_sent(&self, today: NaiveDate) -> Value {
        let balances = self.balances.iter().map(|(kind, amount)| {
            json!({
                "name": kind, "balance_type": kind, "reference_date": today.to_string(),
                "balance_amount": {"currency": self.currency, "amount": amount},
            })
        });
        json!({"balances": balances.collect::<Value>()})
    }
}

impl BankedPayment {
    pub fn is_pending(&self) -> bool {
        matches!(self.status, "PDNG" | "HOLD")
    }

    pub fn day(&self) -> NaiveDate {
        self.booked_on.unwrap_or(self.made_on)
    }

    pub fn sent(&self, currency: &str) -> Value {
        let (way, amount) = match self.amount.strip_prefix('-') {
            Some(amount) => ("DBIT", amount),
            None => ("CRDT", &*self.amount),
        };
        let mut sent = json!({
            "transaction_amount": {"currency": currency, "amount": amount},
            "credit_debit_indicator": way, "status": self.status,
            "transaction_date": self.made_on.to_string(),
            "creditor": {"name": "Shop"}, "debtor": {"name": "Payer"},
            "remittance_information": [self.words],
        });
        if let Some(reference) = &self.reference {
            sent["entry_reference"] = reference.as_str().into();
        }
        if let Some(day) = self.booked_on {
            sent["booking_date"] = day.to_string().into();
            sent["value_date"] = day.to_string().into();
        }
        sent
    }
}
