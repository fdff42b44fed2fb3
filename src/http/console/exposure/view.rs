//! Who can reach the agent port, as it is answered.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;

use super::check::LastCheck;
use crate::http::console::Parts;
use crate::http::problem::Problem;
use crate::store::bridge::sign_ins::ListedBridgeSignIn;

/// Who can reach the agent port.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(in crate::http::console) enum ExposureMode {
    Local,
    Public,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExposureView {
    mode: ExposureMode,
    /// The public address as it was entered; null while only this computer reaches the agent port.
    public_url: Option<String>,
    /// What is entered in a hosted agent.
    agent_url: Option<String>,
    bridge: BridgeView,
    /// What was found when the address was last checked; null if it was not since the start.
    check: Option<LastCheck>,
    /// Names beside loopback by which the Console port answers.
    allowed_hosts: Vec<String>,
    /// Whether proxies are set that are believed whom they speak for.
    trusted_proxies: bool,
    /// Clients that have signed in with an agent's key.
    sign_ins: Vec<BridgeSignInView>,
}

/// The way in for agents that can hold no key.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct BridgeView {
    on: bool,
    /// Where a person shows an agent's key.
    authorize_url: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct BridgeSignInView {
    agent: String,
    client_id: String,
    /// What the client calls itself.
    client: Option<String>,
    created_at: DateTime<Utc>,
    /// When it was given a token last.
    used_at: DateTime<Utc>,
}

impl ExposureMode {
    /// With or without a public address.
    pub(in crate::http::console) const fn of(is_public: bool) -> Self {
        if is_public { Self::Public } else { Self::Local }
    }
}

impl ExposureView {
    /// As it stands now.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) async fn of(parts: &Parts) -> Result<Self, Problem> {
        let address = parts.bridge.exposure().address();
        let signed_in = parts.bridge.signed_in().await?;
        Ok(Self {
            mode: ExposureMode::of(address.is_some()),
            public_url: address.as_ref().map(ToString::to_string),
            agent_url: address.as_ref().map(|address| address.agent_url()),
            bridge: BridgeView {
                on: address.is_some(),
                authorize_url: address.as_ref().map(|address| address.authorize_url()),
            },
            check: LastCheck::of(parts),
            allowed_hosts: parts.allowed_hosts.names(),
            trusted_proxies: parts.trusts_proxies,
            sign_ins: signed_in.into_iter().map(BridgeSignInView::of).collect(),
        })
    }
}

impl BridgeSignInView {
    fn of(listed: ListedBridgeSignIn) -> Self {
        Self {
            agent: listed.agent,
            client_id: listed.client_id,
            client: listed.client_name,
            created_at: listed.created_at,
            used_at: listed.used_at,
        }
    }
}
