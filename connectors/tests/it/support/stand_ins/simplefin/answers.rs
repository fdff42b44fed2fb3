//! What is answered to a request.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, Duration, Utc};
use serde_json::{Value, json};

use super::{BankAccount, Bridge, LinkedBank, PASSWORD, Payment, USER, Version, wire};

/// The longest time that is told of at once.
const SPAN_MAX: Duration = Duration::days(90);

/// What a request asks for.
struct AskedSpan {
    start: Option<DateTime<Utc>>,
    end: Option<DateTime<Utc>>,
    has_pending: bool,
    is_balances_only: bool,
}

impl Bridge {
    pub(super) fn respond(&mut self, request: &str) -> Vec<u8> {
        let method = request.split(' ').next().unwrap();
        match (method, wire::address(request).path()) {
            ("POST", "/simplefin/claim/demo") => match wire::header(request, "content-length") {
                Some("0") => self.claim(),
                _ => wire::raw(411, "", "Length Required"),
            },
            ("GET", "/simplefin/info") => wire::json(200, "", &json!({"versions": ["1.0", "2.0"]})),
            ("GET", "/simplefin/accounts") => self.tell(request),
            _ => wire::raw(404, "", ""),
        }
    }

    fn claim(&mut self) -> Vec<u8> {
        self.claims += 1;
        match self.claims {
            1 => wire::raw(
                200,
                "",
                &format!("https://{USER}:{PASSWORD}@{}/simplefin", self.host),
            ),
            _ => wire::raw(403, "", "Forbidden"),
        }
    }

    fn tell(&self, request: &str) -> Vec<u8> {
        let basic = BASE64_STANDARD.encode(format!("{USER}:{PASSWORD}"));
        let shown = wire::header(request, "authorization");
        if shown != Some(&*format!("Basic {basic}")) || self.is_disabled {
            return wire::raw(403, "", "Forbidden");
        }
        if self.has_lapsed {
            return wire::raw(402, "", "Payment required");
        }
        wire::json(200, "", &self.accounts(&AskedSpan::of(request)))
    }

    fn accounts(&self, asked: &AskedSpan) -> Value {
        let is_long = asked.start.is_some_and(|start| {
            let end = asked.end.unwrap_or(self.now);
            end - start > SPAN_MAX
        });
        let accounts = self.accounts.iter();
        let accounts: Vec<_> = accounts
            .map(|(id, account)| self.account_sent(id, account, asked))
            .collect();
        match self.version {
            Version::One => json!({"errors": self.sentences(), "accounts": accounts}),
            Version::Two => json!({
                "errlist": self.listed(is_long),
                "connections": self.banks.iter().map(|(id, bank)| link(self.host, id, bank)).collect::<Value>(),
                "accounts": accounts,
            }),
        }
    }

    fn account_sent(&self, id: &str, account: &BankAccount, asked: &AskedSpan) -> Value {
        let at = account.balance_at.unwrap_or(self.now);
        let mut sent = json!({
            "id": id,
            "name": account.name,
            "currency": account.currency,
            "balance": account.balance,
            "available-balance": account.balance,
            "balance-date": at.timestamp(),
        });
        let bank = &self.banks[&account.bank];
        match self.version {
            Version::One => {
                sent["org"] = json!({
                    "domain": bank.domain, "name": bank.name, "url": format!("https://{}", bank.domain),
                    "sfin-url": format!("https://{}/simplefin", self.host), "id": bank.domain,
                });
            }
            Version::Two => sent["conn_id"] = account.bank.as_str().into(),
        }
        if !asked.is_balances_only {
            let payments = account.payments.iter();
            let told = payments.filter(|(_, payment)| asked.has(payment, account, self.now));
            sent["transactions"] = told.map(|(id, payment)| payment.sent(id)).collect();
        }
        if !account.holdings.is_empty() {
            sent["holdings"] = account.holdings.iter().cloned().collect();
        }
        sent
    }

    fn listed(&self, is_long: bool) -> Value {
        let own = self.says.iter();
        let own = own.map(|words| json!({"code": "gen.api", "message": words}));
        let long =
            is_long.then(|| json!({"code": "gen.api", "message": "the range was cut to 90 days"}));
        let banks = self.banks.iter().filter_map(|(id, bank)| {
            let (code, words) = bank.trouble?;
            Some(json!({"code": code, "message": words, "conn_id": id}))
        });
        let accounts = self.accounts.iter().filter_map(|(id, account)| {
            let (code, words) = account.trouble?;
            Some(json!({"code": code, "msg": words, "account_id": id}))
        });
        own.chain(long).chain(banks).chain(accounts).collect()
    }

    fn sentences(&self) -> Value {
        let own = self.says.iter().map(|words| json!(words));
        let banks = self.banks.values().filter_map(|bank| {
            let (_, words) = bank.trouble?;
            Some(json!(format!("{}: {words}", bank.name)))
        });
        own.chain(banks).collect()
    }
}

impl AskedSpan {
    fn of(request: &str) -> Self {
        let address = wire::address(request);
        let pair = |name: &str| {
            let mut pairs = address.query_pairs();
            pairs
                .find(|(own, _)| own == name)
                .map(|(_, value)| value.into_owned())
        };
        let instant = |name| {
            pair(name).map(|text| DateTime::from_timestamp(text.parse().unwrap(), 0).unwrap())
        };
        Self {
            start: instant("start-date"),
            end: instant("end-date"),
            has_pending: pair("pending").is_some(),
            is_balances_only: pair("balances-only").is_some(),
        }
    }

    /// Without dates nothing is told.
    fn has(&self, payment: &Payment, account: &BankAccount, now: DateTime<Utc>) -> bool {
        let (Some(start), Some(booked)) = (self.start, payment.booked_at) else {
            return self.has_pending && payment.booked_at.is_none();
        };
        let start = start.max(self.end.unwrap_or(now) - SPAN_MAX);
        let is_kept = account.keeps.is_none_or(|keeps| booked >= now - keeps);
        is_kept && booked >= start && self.end.is_none_or(|end| booked < end)
    }
}

fn link(host: &str, id: &str, bank: &LinkedBank) -> Value {
    json!({
        "conn_id": id, "name": bank.name, "org_id": bank.domain, "org_name": bank.name,
        "org_url": format!("https://www.{}/", bank.domain), "sfin_url": format!("https://{host}/simplefin"),
    })
}
