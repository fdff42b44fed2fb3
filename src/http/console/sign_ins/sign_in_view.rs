//! A sign-in as the Console shows it: whether there is a credential, never which.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use crate::http::console::Parts;
use crate::http::sector_name::SectorName;
use crate::store::sign_ins::SignIn;

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SignInView {
    id: Uuid,
    provider: String,
    /// The provider's name for people.
    name: String,
    /// Whose it is, in the provider's words.
    account: String,
    created_at: DateTime<Utc>,
    /// When the credential ends by itself, if the provider says so.
    expires_at: Option<DateTime<Utc>>,
    revoked_at: Option<DateTime<Utc>>,
    problem: Option<Value>,
    connections: Vec<ConnectionOfSignIn>,
    /// Where the person ends the credential.
    revocation: Option<&'static str>,
}

#[derive(Serialize, JsonSchema)]
struct ConnectionOfSignIn {
    id: Uuid,
    label: String,
    sector: SectorName,
}

impl SignInView {
    pub(super) fn of(parts: &Parts, sign_in: SignIn) -> Self {
        let provider = parts.sign_ins.providers.get(&sign_in.provider);
        let name = provider.map_or(sign_in.provider.clone(), |own| own.title().to_owned());
        let connections = sign_in.connections.into_iter();
        Self {
            id: sign_in.id,
            provider: sign_in.provider,
            name,
            account: sign_in.account,
            created_at: sign_in.created_at,
            expires_at: sign_in.expires_at,
            revoked_at: sign_in.revoked_at,
            problem: sign_in.problem,
            connections: connections
                .map(|connection| ConnectionOfSignIn {
                    id: connection.id,
                    label: connection.label,
                    sector: connection.sector.into(),
                })
                .collect(),
            revocation: provider.map(|own| own.revocation()),
        }
    }
}
