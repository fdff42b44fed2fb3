//! `oauth2-mock-server` as `tests/peers/sign_in/single_use.mjs` runs it: refresh tokens serve once, and the next answer can be made
//! to go wrong.

use std::time::Duration;

use reqwest::Url;
use serde_json::{Value, json};
use sextant_connectors::oauth::OAuthAddresses;
use tokio::time::timeout;

use super::node_peer::{self, NodePeer};
use super::plain_http;

pub const CLIENT_ID: &str = "sextant";
pub const CLIENT_SECRET: &str = "seeded-client-secret";

const ARRIVED_WITHIN: Duration = Duration::from_secs(60);

/// The server. It ends with the test.
pub struct SingleUseServer {
    pub base: Url,
    _peer: NodePeer,
}

impl SingleUseServer {
    /// Starts one; `None` where it is not installed.
    pub async fn start_if_installed(test: &str) -> Option<Self> {
        if !node_peer::is_here(test) {
            return None;
        }
        let script = node_peer::root().join("tests/peers/sign_in/single_use.mjs");
        let environment = [("CLIENT_SECRET", CLIENT_SECRET)];
        let ready = |line: &str| Url::parse(line).ok();
        let (peer, base) =
            NodePeer::start(script.to_str().unwrap(), &[], &environment, ready).await;
        Some(Self { base, _peer: peer })
    }

    /// Where the legs of a sign-in are.
    pub fn addresses(&self) -> OAuthAddresses {
        OAuthAddresses {
            authorize: self.base.join("authorize").unwrap(),
            token: self.base.join("token").unwrap(),
            revoke: Some(self.base.join("revoke").unwrap()),
        }
    }

    /// Tells it what to do; the words are in the script.
    pub async fn tell(&self, what: Value) {
        let control = self.base.join("control").unwrap();
        let answer = plain_http::post(&control, "application/json", &what.to_string()).await;
        assert_eq!(answer.status, 200, "{what}");
    }

    /// What becomes of the next token request.
    pub async fn tell_next(&self, state: &str) {
        self.tell(json!({ "next": state })).await;
    }

    /// How much of `what` has arrived.
    pub async fn arrived(&self, what: &str) -> u64 {
        self.known().await[what].as_u64().unwrap()
    }

    /// Waits until so many token requests have arrived.
    pub async fn wait_for_requests(&self, count: u64) {
        let arriving = async { while self.arrived("requests").await < count {} };
        timeout(ARRIVED_WITHIN, arriving).await.unwrap();
    }

    /// The names of the fields of the latest token request, in their order.
    pub async fn fields(&self) -> String {
        self.known().await["fields"].as_str().unwrap().to_owned()
    }

    /// The access token and the refresh token that were issued last, whoever has them.
    pub async fn issued(&self) -> [String; 2] {
        let known = self.known().await;
        [0, 1].map(|at| known["issued"][at].as_str().unwrap().to_owned())
    }

    async fn known(&self) -> Value {
        let control = self.base.join("control").unwrap();
        let answer = plain_http::get(&control).await;
        serde_json::from_str(&answer.body).unwrap()
    }
}
