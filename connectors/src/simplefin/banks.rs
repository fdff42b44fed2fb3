//! What an answer says of its banks: which of them need the person, and of which it may lack accounts.

use serde::Deserialize;
use serde_json::Value;

use super::account::SentAccount;
use super::institution::Institution;
use crate::failure::clean_source_text;

/// What is wrong with one, as version 2 sends it. Bridges and the protocol's text call the words differently.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct SentComplaint {
    code: Option<String>,
    message: Option<String>,
    msg: Option<String>,
    conn_id: Option<String>,
    account_id: Option<String>,
}

/// What is wrong, of either version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Complaint {
    about: About,
    /// The bridge's word, such as `con.auth`.
    pub(super) code: Option<String>,
    /// Its sentence, cut and cleaned.
    pub(super) words: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum About {
    Everything,
    Link(String),
    Account(String),
    /// Version 1 names a bank in its sentence only.
    BankName(String),
}

/// What is wrong with the banks of an answer.
#[derive(Debug, Default)]
pub(super) struct Banks {
    complaints: Vec<Complaint>,
}

/// Whether a bank still answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BankHealth {
    Answers,
    /// What it told last may be old.
    Fails,
    NeedsPerson,
}

impl Banks {
    pub(super) fn new(
        listed: Vec<SentComplaint>,
        sentences: Vec<Value>,
        accounts: &[SentAccount],
    ) -> Self {
        let mut complaints: Vec<_> = listed.into_iter().map(Complaint::of_listed).collect();
        for sentence in sentences {
            let complaint = Complaint::of_sentence(&sentence, accounts);
            let is_known = |known: &Complaint| known.words == complaint.words;
            // A bridge may say the same in both lists.
            if !complaints.iter().any(is_known) {
                complaints.push(complaint);
            }
        }
        Self { complaints }
    }

    /// What is said of an account or its bank.
    pub(super) fn complaint_of(&self, account: &str, bank: &Institution) -> Option<&Complaint> {
        let is_own = |one: &&Complaint| one.is_about(account, bank);
        let mut own = self.complaints.iter().filter(is_own);
        let first = own.clone().next();
        own.find(|one| one.health() == BankHealth::NeedsPerson)
            .or(first)
    }

    /// Whether an account of this bank may be missing for another reason than that it is gone.
    pub(super) fn may_lack(&self, account: &str, bank: &Institution) -> bool {
        let mut complaints = self.complaints.iter();
        complaints.any(|one| one.about == About::Everything || one.is_about(account, bank))
    }

    /// All sentences, each once.
    pub(super) fn sentences(&self) -> impl Iterator<Item = &str> {
        self.complaints.iter().map(|one| one.words.as_str())
    }
}

impl Complaint {
    fn of_listed(sent: SentComplaint) -> Self {
        let words = sent.message.or(sent.msg).unwrap_or_default();
        let words = clean_source_text(&words);
        let about = match (sent.account_id, sent.conn_id) {
            (Some(account), _) => About::Account(account),
            (None, Some(link)) => About::Link(link),
            (None, None) => About::Everything,
        };
        Self {
            about,
            words: match (words.is_empty(), &sent.code) {
                (true, Some(code)) => clean_source_text(code),
                _ => words,
            },
            code: sent.code.map(|code| clean_source_text(&code)),
        }
    }

    fn of_sentence(sent: &Value, accounts: &[SentAccount]) -> Self {
        let words = clean_source_text(sent.as_str().unwrap_or("a complaint that is no text"));
        let lower = words.to_lowercase();
        let names = accounts
            .iter()
            .filter_map(|account| account.bank.name.as_ref());
        let named = names.filter(|name| lower.contains(&name.to_lowercase()));
        // The longest: one bank's name may be the beginning of another's.
        let named = named.max_by_key(|name| name.len());
        Self {
            about: named.map_or(About::Everything, |name| About::BankName(name.clone())),
            code: None,
            words,
        }
    }

    fn is_about(&self, account: &str, bank: &Institution) -> bool {
        match &self.about {
            About::Everything => false,
            About::Link(link) => bank.link.as_ref() == Some(link),
            About::Account(own) => own == account,
            About::BankName(name) => bank.name.as_ref() == Some(name),
        }
    }

    /// What it says of its bank. Version 1 has sentences only: those about a bank ask the person to look after it.
    pub(super) fn health(&self) -> BankHealth {
        let code = self.code.as_deref();
        match (code, &self.about) {
            (Some("con.auth"), _) | (None, About::BankName(_)) => BankHealth::NeedsPerson,
            _ => BankHealth::Fails,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn account(id: &str, link: Option<&str>, bank: &str) -> SentAccount {
        let sent = json!({"id": id, "conn_id": link, "org": {"name": bank}});
        SentAccount::read(sent, &[]).unwrap()
    }

    fn banks(listed: Value, sentences: Value, accounts: &[SentAccount]) -> Banks {
        let listed = serde_json::from_value(listed).unwrap();
        let sentences = serde_json::from_value(sentences).unwrap();
        Banks::new(listed, sentences, accounts)
    }

    fn health(banks: &Banks, account: &SentAccount) -> BankHealth {
        let complaint = banks.complaint_of(&account.id, &account.bank);
        complaint.map_or(BankHealth::Answers, Complaint::health)
    }

    #[test]
    fn one_bank_that_fails_is_told_of_its_own_accounts() {
        let accounts = [
            account("a", Some("c1"), "One"),
            account("b", Some("c2"), "Two"),
        ];
        let listed = json!([
            {"code": "con.auth", "message": "Sign in at One again.", "conn_id": "c1"},
            {"code": "act.failed", "msg": "later", "account_id": "b"}
        ]);
        let banks = banks(listed, json!([]), &accounts);
        assert_eq!(health(&banks, &accounts[0]), BankHealth::NeedsPerson);
        assert_eq!(health(&banks, &accounts[1]), BankHealth::Fails);
        assert!(banks.may_lack("a", &accounts[0].bank));
        let third = account("c", Some("c3"), "Three");
        assert!(!banks.may_lack("c", &third.bank));
        let told: Vec<_> = banks.sentences().collect();
        assert_eq!(told, ["Sign in at One again", "later"]);
    }

    #[test]
    fn version_1_names_a_bank_in_its_sentence() {
        let accounts = [
            account("a", None, "Bank"),
            account("b", None, "Bank of Two"),
        ];
        let sentences = json!(["Connection to BANK OF TWO may need attention"]);
        let banks_of = banks(json!([]), sentences, &accounts);
        assert_eq!(health(&banks_of, &accounts[0]), BankHealth::Answers);
        assert_eq!(health(&banks_of, &accounts[1]), BankHealth::NeedsPerson);
        let general = banks(
            json!([]),
            json!(["You have made too many requests", 7]),
            &accounts,
        );
        assert_eq!(health(&general, &accounts[0]), BankHealth::Answers);
        assert!(general.may_lack("a", &accounts[0].bank));
    }

    #[test]
    fn what_is_said_twice_is_told_once() {
        let listed = json!([{"code": "gen.api", "message": "slow down"}, {"code": "gen.new"}]);
        let banks = banks(listed, json!(["slow down"]), &[]);
        assert_eq!(
            banks.sentences().collect::<Vec<_>>(),
            ["slow down", "gen.new"]
        );
    }
}
