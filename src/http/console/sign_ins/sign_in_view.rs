//! A sign-in as the Console shows it: whether there is a credential, never which; and what became of one in a browser.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use sextant_connectors::oauth::Scopes;
use uuid::Uuid;

use crate::http::console::Parts;
use crate::http::sector_name::SectorName;
use crate::sign_ins::{ConsentOutcome, ConsentResult, MissingGrant, covered, missing};
use crate::store::sign_ins::{SignIn, SignInConnection};

/// A sign-in, or one in a browser and what became of it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::http::console) struct SignInView {
    id: Uuid,
    /// The sign-in itself, where this is what became of one in a browser; null if there is none.
    sign_in_id: Option<Uuid>,
    provider: String,
    /// The provider's name for people.
    name: String,
    method: SignInMethod,
    /// Whose it is, for people: an address where one is known; null while that is not known.
    account: Option<String>,
    created_at: Option<DateTime<Utc>>,
    /// When the credential ends by itself, if the provider says so.
    expires_at: Option<DateTime<Utc>>,
    revoked_at: Option<DateTime<Utc>>,
    problem: Option<Value>,
    /// How it ended, where this is what became of one in a browser.
    outcome: Option<OutcomeWord>,
    /// What happened, and what to do.
    message: Option<String>,
    /// The sectors that it opens.
    granted: Vec<SectorName>,
    /// What was asked for and not granted.
    missing: Vec<MissingGrantView>,
    /// How that is added.
    add_hint: Option<&'static str>,
    connections: Vec<ConnectionOfSignIn>,
    /// Where the person ends the credential.
    revocation: Option<&'static str>,
}

/// How a person signs in.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum SignInMethod {
    Paste,
    Oauth,
    /// A bank was linked.
    Link,
}

/// How a sign-in in a browser ended.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum OutcomeWord {
    Pending,
    Connected,
    Partial,
    NoSectors,
    Cancelled,
    Failed,
}

#[derive(Serialize, JsonSchema)]
struct MissingGrantView {
    sector: SectorName,
    /// What it lets be read, for people.
    title: &'static str,
}

#[derive(Serialize, JsonSchema)]
struct ConnectionOfSignIn {
    id: Uuid,
    label: String,
    sector: SectorName,
}

impl SignInView {
    pub(super) fn of(parts: &Parts, sign_in: SignIn) -> Self {
        let providers = &parts.sign_ins.providers;
        let provider = providers.get(&sign_in.provider);
        let consented = providers.consented(&sign_in.provider);
        let scopes: Scopes = sign_in.scopes.iter().map(String::as_str).collect();
        let lacking = consented.map(|own| missing(own, &scopes));
        let connections = sign_in.connections;
        let granted = match consented {
            Some(own) => covered(own, &scopes),
            None => connections.iter().map(|own| own.sector).collect(),
        };
        Self {
            id: sign_in.id,
            sign_in_id: Some(sign_in.id),
            name: provider.map_or(sign_in.provider.clone(), |own| own.title().to_owned()),
            method: match (consented, providers.linked(&sign_in.provider)) {
                (Some(_), _) => SignInMethod::Oauth,
                (None, Some(_)) => SignInMethod::Link,
                (None, None) => SignInMethod::Paste,
            },
            provider: sign_in.provider,
            account: (!sign_in.is_unfinished).then_some(sign_in.account),
            created_at: Some(sign_in.created_at),
            expires_at: sign_in.expires_at,
            revoked_at: sign_in.revoked_at,
            problem: sign_in.problem,
            outcome: None,
            message: None,
            granted: granted.into_iter().map(SectorName::from).collect(),
            missing: views(lacking.unwrap_or_default()),
            add_hint: consented.map(|own| own.terms().add_hint),
            connections: connections
                .into_iter()
                .map(ConnectionOfSignIn::of)
                .collect(),
            revocation: provider.map(|own| own.revocation()),
        }
    }

    pub(in crate::http::console) fn of_outcome(parts: &Parts, outcome: ConsentOutcome) -> Self {
        let providers = &parts.sign_ins.providers;
        let provider = providers.get(outcome.provider);
        let consented = providers.consented(outcome.provider);
        let title = provider.map_or(outcome.provider, |own| own.title());
        Self {
            id: outcome.id,
            sign_in_id: outcome.sign_in,
            provider: outcome.provider.to_owned(),
            name: title.to_owned(),
            method: match consented {
                Some(_) => SignInMethod::Oauth,
                None => SignInMethod::Link,
            },
            account: None,
            created_at: None,
            expires_at: None,
            revoked_at: None,
            problem: None,
            outcome: Some(outcome.result.into()),
            message: Some(outcome.message),
            granted: outcome.granted.into_iter().map(SectorName::from).collect(),
            missing: views(outcome.missing),
            add_hint: consented.map(|own| own.terms().add_hint),
            connections: outcome
                .connections
                .into_iter()
                .map(ConnectionOfSignIn::of)
                .collect(),
            revocation: provider.map(|own| own.revocation()),
        }
    }
}

fn views(missing: Vec<MissingGrant>) -> Vec<MissingGrantView> {
    let views = missing.into_iter().map(|one| MissingGrantView {
        sector: one.sector.into(),
        title: one.title,
    });
    views.collect()
}

impl ConnectionOfSignIn {
    fn of(connection: SignInConnection) -> Self {
        Self {
            id: connection.id,
            label: connection.label,
            sector: connection.sector.into(),
        }
    }
}

impl From<ConsentResult> for OutcomeWord {
    fn from(result: ConsentResult) -> Self {
        match result {
            ConsentResult::Pending => Self::Pending,
            ConsentResult::Connected => Self::Connected,
            ConsentResult::Partial => Self::Partial,
            ConsentResult::NoSectors => Self::NoSectors,
            ConsentResult::Cancelled => Self::Cancelled,
            ConsentResult::Failed => Self::Failed,
        }
    }
}
