//! An application tried, the banks that can be linked, and a consent from its beginning to its end.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use reqwest::Url;
use serde::Deserialize;
use serde_json::json;

use super::client::BankClient;
use super::link::{BankLink, SentSession};
use super::refusal::BankRefusal;
use crate::failure::{FailureKind, SourceFailure};
use crate::limits::{LINKED_CONSENT_MARGIN, LINKED_CONSENT_MAX};
use crate::provider::{
    AccountHolder, CheckedApplication, ExchangeError, FormRefusal, LinkAddress, LinkRequest,
    LinkableBank,
};
use crate::secret::SourceSecret;

#[derive(Deserialize)]
struct SentApplication {
    name: String,
    environment: String,
    redirect_urls: Vec<String>,
    active: bool,
    countries: Vec<String>,
}

#[derive(Deserialize)]
struct SentBanks {
    aspsps: Vec<SentLinkable>,
}

#[derive(Deserialize)]
struct SentLinkable {
    name: String,
    country: String,
    logo: Option<String>,
    bic: Option<String>,
    psu_types: Vec<String>,
    maximum_consent_validity: i64,
    #[serde(default)]
    required_psu_headers: Option<Vec<String>>,
    #[serde(default)]
    beta: bool,
}

#[derive(Deserialize)]
struct SentStart {
    url: String,
}

#[derive(Deserialize)]
struct SentStatus {
    status: String,
}

/// What the interface says of the application.
///
/// # Errors
/// On the key, where it is not the one of that id.
pub(crate) async fn check(client: &BankClient) -> Result<CheckedApplication, ExchangeError> {
    let sent: Result<SentApplication, BankRefusal> = client.get(&["application"], &[]).await;
    let sent = sent.map_err(|refusal| match refusal.failure.kind {
        FailureKind::CredentialRefused => FormRefusal::new("key", &refusal.failure.message).into(),
        _ => ExchangeError::Source(refusal.failure),
    })?;
    Ok(CheckedApplication {
        name: sent.name,
        is_active: sent.active,
        is_sandbox: sent.environment == "SANDBOX",
        redirect_urls: sent.redirect_urls,
        countries: sent.countries,
    })
}

/// The banks of a country whose accounts can be read.
pub(crate) async fn banks(
    client: &BankClient,
    country: &str,
) -> Result<Vec<LinkableBank>, SourceFailure> {
    let is_country = country.len() == 2 && country.bytes().all(|own| own.is_ascii_alphabetic());
    if !is_country {
        let message = "a country is two letters, as FI";
        return Err(SourceFailure::new(FailureKind::Rejected, message));
    }
    let country = country.to_ascii_uppercase();
    let query = [("country", country.as_str()), ("service", "AIS")];
    let sent: SentBanks = client.get(&["aspsps"], &query).await?;
    Ok(sent.aspsps.into_iter().map(LinkableBank::from).collect())
}

/// Where a person consents, for as long as the bank allows.
pub(crate) async fn begin(
    client: &BankClient,
    asked: &LinkRequest<'_>,
    now: DateTime<Utc>,
) -> Result<LinkAddress, SourceFailure> {
    let ends_at = now + LINKED_CONSENT_MAX.min(asked.bank.consent_max - LINKED_CONSENT_MARGIN);
    let body = json!({
        "access": {
            "valid_until": ends_at.to_rfc3339_opts(SecondsFormat::Secs, true),
            "balances": true,
            "transactions": true,
        },
        "aspsp": {"name": asked.bank.name, "country": asked.bank.country},
        "state": asked.state,
        "redirect_url": asked.redirect_url,
        "psu_type": word_of(asked.holder),
    });
    let sent: SentStart = client.post(&["auth"], &body).await?;
    let url = Url::parse(&sent.url).ok();
    match url.filter(|url| url.scheme() == "https") {
        Some(url) => Ok(LinkAddress { url, ends_at }),
        None => Err(BankRefusal::malformed("an address to which no browser is sent").into()),
    }
}

/// What a person has consented to.
pub(crate) async fn finish(
    client: &BankClient,
    code: &SourceSecret,
) -> Result<BankLink, SourceFailure> {
    let body = json!({"code": code.reveal()});
    let sent: SentSession = client.post(&["sessions"], &body).await?;
    BankLink::of(sent)
}

/// Whether a consent still stands.
///
/// # Errors
/// [`FailureKind::SignInEnded`] where it does not.
pub(super) async fn confirm(client: &BankClient, link: &BankLink) -> Result<(), SourceFailure> {
    let sent: SentStatus = client.get(&["sessions", &link.session], &[]).await?;
    match sent.status.as_str() {
        "AUTHORIZED" => Ok(()),
        _ => {
            let message = "the bank's consent does not stand any more: link the bank again";
            Err(SourceFailure::new(FailureKind::SignInEnded, message))
        }
    }
}

/// Ends a consent; one that has ended is no failure.
pub(crate) async fn end(client: &BankClient, link: &BankLink) -> Result<(), SourceFailure> {
    match client.delete(&["sessions", &link.session]).await {
        Err(refusal) if is_over(&refusal) => Ok(()),
        other => other.map_err(SourceFailure::from),
    }
}

fn is_over(refusal: &BankRefusal) -> bool {
    use FailureKind::{NotFound, SignInEnded};
    matches!(refusal.failure.kind, NotFound | SignInEnded)
}

const fn word_of(holder: AccountHolder) -> &'static str {
    match holder {
        AccountHolder::Person => "personal",
        AccountHolder::Business => "business",
    }
}

impl From<SentLinkable> for LinkableBank {
    fn from(sent: SentLinkable) -> Self {
        let holders = [AccountHolder::Person, AccountHolder::Business].into_iter();
        let is_of =
            |holder: &AccountHolder| sent.psu_types.iter().any(|own| own == word_of(*holder));
        Self {
            holders: holders.filter(is_of).collect(),
            consent_max: TimeDelta::try_seconds(sent.maximum_consent_validity.max(0))
                .unwrap_or(LINKED_CONSENT_MAX),
            name: sent.name,
            country: sent.country,
            logo: sent.logo,
            bic: sent.bic,
            needs: sent.required_psu_headers.unwrap_or_default(),
            is_beta: sent.beta,
        }
    }
}
