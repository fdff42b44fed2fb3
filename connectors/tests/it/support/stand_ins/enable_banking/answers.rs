//! What is answered to a request.

use chrono::DateTime;
use serde_json::{Value, json};

use super::{APPLICATION, Aggregator, Consent, tokens, wire};

/// An error, as the interface sends it.
pub fn refusal(status: u16, error: &str, detail: &Value) -> Vec<u8> {
    let message = format!("Message of {error}");
    let mut body = json!({"code": status, "message": message, "detail": detail});
    if !error.is_empty() {
        body["error"] = error.into();
    }
    wire::json(status, "", &body)
}

impl Aggregator {
    pub(super) fn respond(&mut self, request: &str) -> Vec<u8> {
        let address = wire::address(request);
        if address.path() == "/consent" {
            return self.come_back(request);
        }
        if !tokens::is_taken(request, self.now) {
            return refusal(401, "", &Value::Null);
        }
        let method = request.split(' ').next().unwrap();
        let parts: Vec<_> = address.path_segments().unwrap().collect();
        match (method, &*parts) {
            ("GET", ["application"]) => wire::json(200, "", &self.application()),
            ("GET", ["aspsps"]) => wire::json(200, "", &self.listed(request)),
            ("POST", ["auth"]) => self.start(&body(request)),
            ("POST", ["sessions"]) => self.authorize(&body(request)),
            ("GET", ["sessions", id]) => self.session(id),
            ("DELETE", ["sessions", id]) => self.close(id),
            ("GET", ["accounts", uid, what]) => self.account_answer(uid, what, request),
            _ => refusal(404, "", &Value::Null),
        }
    }

    fn application(&self) -> Value {
        json!({
            "name": "Sextant", "kid": APPLICATION, "environment": "PRODUCTION", "redirect_urls": self.redirects,
            "active": self.is_active, "countries": ["FI", "SE"], "services": ["AIS"],
        })
    }

    fn listed(&self, request: &str) -> Value {
        let country = query(request, "country");
        let is_asked =
            |own: &&super::ListedBank| country.as_ref().is_none_or(|asked| own.country == *asked);
        let banks = self.banks.iter().filter(is_asked);
        json!({"aspsps": banks.map(super::ListedBank::sent).collect::<Value>()})
    }

    fn start(&mut self, asked: &Value) -> Vec<u8> {
        let aspsp = &asked["aspsp"];
        let mut banks = self.banks.iter();
        let bank = banks.find(|own| aspsp["name"] == own.name && aspsp["country"] == own.country);
        let Some(bank) = bank else {
            return refusal(400, "WRONG_ASPSP_PROVIDED", &Value::Null);
        };
        let back = asked["redirect_url"].as_str().unwrap_or_default();
        if !self.redirects.iter().any(|own| own == back) {
            return refusal(400, "REDIRECT_URI_NOT_ALLOWED", &Value::Null);
        }
        let ends_at =
            DateTime::parse_from_rfc3339(asked["access"]["valid_until"].as_str().unwrap());
        let lasts = (ends_at.unwrap().to_utc() - self.now).num_seconds();
        if lasts > bank.consent_max {
            return refusal(400, "WRONG_REQUEST_PARAMETERS", &Value::Null);
        }
        let state = asked["state"].as_str().unwrap().to_owned();
        let url = format!("{}?state={state}", self.bank_page);
        self.begun.insert(state, asked.clone());
        let id = self.id();
        wire::json(
            200,
            "",
            &json!({"url": url, "authorization_id": id, "psu_id_hash": "hash"}),
        )
    }

    /// The bank's page, at which the person consents for every account and is sent back.
    fn come_back(&mut self, request: &str) -> Vec<u8> {
        let state = query(request, "state").unwrap();
        let all: Vec<_> = self.accounts.keys().cloned().collect();
        let all: Vec<_> = all.iter().map(String::as_str).collect();
        let code = self.consent(&state, &all);
        let back = self.begun[&state]["redirect_url"].as_str().unwrap();
        let location = format!("location: {back}?code={code}&state={state}\r\n");
        wire::raw(303, &location, "")
    }

    fn authorize(&mut self, asked: &Value) -> Vec<u8> {
        let Some((state, accounts)) = self.codes.remove(asked["code"].as_str().unwrap()) else {
            return refusal(400, "WRONG_AUTHORIZATION_CODE", &Value::Null);
        };
        let begun = self.begun.remove(&state).unwrap();
        let ends_at = begun["access"]["valid_until"].as_str().unwrap();
        let session = self.id();
        let accounts = accounts.into_iter().map(|hash| (self.id(), hash)).collect();
        let consent = Consent {
            status: "AUTHORIZED",
            ends_at: DateTime::parse_from_rfc3339(ends_at).unwrap().to_utc(),
            bank: begun["aspsp"]["name"].as_str().unwrap().to_owned(),
            country: begun["aspsp"]["country"].as_str().unwrap().to_owned(),
            accounts,
        };
        let sent = consent
            .accounts
            .iter()
            .map(|(uid, hash)| self.accounts[hash].sent(hash, uid));
        let answer = json!({
            "session_id": session, "accounts": sent.collect::<Value>(), "aspsp": begun["aspsp"],
            "psu_type": begun["psu_type"], "access": begun["access"],
        });
        self.sessions.insert(session, consent);
        wire::json(200, "", &answer)
    }

    fn session(&self, id: &str) -> Vec<u8> {
        let Some(own) = self.sessions.get(id) else {
            return refusal(404, "SESSION_DOES_NOT_EXIST", &Value::Null);
        };
        let data = own.accounts.iter().map(|(uid, hash)| {
            json!({"uid": uid, "identification_hash": hash, "identification_hashes": [hash]})
        });
        let answer = json!({
            "status": own.status, "accounts": own.accounts.keys().collect::<Vec<_>>(),
            "accounts_data": data.collect::<Value>(), "aspsp": {"name": own.bank, "country": own.country},
            "psu_type": "personal", "psu_id_hash": "hash", "access": {"valid_until": own.ends_at},
            "created": own.ends_at,
        });
        wire::json(200, "", &answer)
    }

    fn close(&mut self, id: &str) -> Vec<u8> {
        let Some(own) = self.sessions.get_mut(id) else {
            return refusal(404, "SESSION_DOES_NOT_EXIST", &Value::Null);
        };
        if own.status != "AUTHORIZED" {
            return refusal(401, "CLOSED_SESSION", &Value::Null);
        }
        own.status = "CLOSED";
        wire::json(200, "", &json!({"message": "OK"}))
    }

    /// An account of a consent that stands.
    fn account_answer(&self, uid: &str, what: &str, request: &str) -> Vec<u8> {
        let mut sessions = self.sessions.values();
        let Some(own) = sessions.find(|own| own.accounts.contains_key(uid)) else {
            return refusal(404, "ACCOUNT_DOES_NOT_EXIST", &Value::Null);
        };
        let status = match own.status {
            "AUTHORIZED" if self.now >= own.ends_at => "EXPIRED",
            status => status,
        };
        if status != "AUTHORIZED" {
            return refusal(401, &format!("{status}_SESSION"), &Value::Null);
        }
        let hash = &own.accounts[uid];
        let account = &self.accounts[hash];
        match what {
            "balances" => wire::json(200, "", &account.balances_sent(self.now.date_naive())),
            "details" => wire::json(200, "", &account.sent(hash, uid)),
            "transactions" => self.transactions(hash, request),
            _ => refusal(404, "", &Value::Null),
        }
    }
}

fn body(request: &str) -> Value {
    let (_, body) = request.split_once("\r\n\r\n").unwrap();
    serde_json::from_str(body).unwrap()
}

pub(super) fn query(request: &str, name: &str) -> Option<String> {
    let address = wire::address(request);
    let mut pairs = address.query_pairs();
    let (_, value) = pairs.find(|(own, _)| own == name)?;
    Some(value.into_owned())
}
