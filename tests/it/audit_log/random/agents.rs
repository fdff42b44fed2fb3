//! What agents and clients without a valid key do: calls on both ports in both eras, and keys that are refused.

use chrono::TimeDelta;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::ask::Ask;
use super::model::Presented;
use super::world::World;
use crate::mcp::support::{body_of, modern_meta};

/// Refusals at one time: more than a window records.
const MANY: usize = 45;

/// Where a call is made.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Surface {
    Modern,
    Session,
    Mirror,
}

impl World {
    /// A call under a key that is usually valid.
    pub async fn call_a_tool(&mut self) {
        let ask = match self.model.is_away && self.chance.is(50) {
            true => Ask::without_database(&mut self.chance),
            false => Ask::any(&mut self.chance),
        };
        let surface = *self
            .chance
            .one_of(&[Surface::Modern, Surface::Session, Surface::Mirror]);
        let current: Vec<String> = self
            .model
            .agents
            .values()
            .map(|grant| grant.key.clone())
            .collect();
        let key = match self.chance.is(90) && !current.is_empty() {
            true => self.chance.one_of(&current).clone(),
            false => self.chance.one_of(&self.keys).clone(),
        };
        self.present(surface, &Presented::Key(key), &ask).await;
    }

    /// A request with no key, a wrong one or a malformed one.
    pub async fn be_refused(&mut self) {
        let surface = *self
            .chance
            .one_of(&[Surface::Modern, Surface::Session, Surface::Mirror]);
        let presented = match self.chance.below(3) {
            0 => Presented::Nothing,
            1 => Presented::Malformed,
            _ => Presented::Key("sxt_unknown".to_owned()),
        };
        let ask = Ask::any(&mut self.chance);
        self.present(surface, &presented, &ask).await;
    }

    pub async fn be_refused_often(&mut self) {
        let many = self.chance.index(MANY);
        self.be_refused_times(many).await;
    }

    pub async fn be_refused_times(&mut self, times: usize) {
        for _ in 0..times {
            let presented = Presented::Key("sxt_unknown".to_owned());
            let ask = Ask::without_database(&mut self.chance);
            self.present(Surface::Modern, &presented, &ask).await;
        }
    }

    /// Calls under a key whose deadline then passes; that key and a revoked one are used once more.
    pub async fn use_keys_that_ended(&mut self) {
        self.grant_for("brief", &["home"], Some(1)).await;
        self.grant_for("gone", &["home"], None).await;
        let brief = Presented::Key(self.model.agents["brief"].key.clone());
        for ask in Ask::of_every_kind() {
            self.present(Surface::Modern, &brief, &ask).await;
        }
        self.revoke("gone").await;
        self.advance(TimeDelta::days(1));
        for name in ["brief", "gone"] {
            let key = Presented::Key(self.model.agents[name].key.clone());
            let ask = Ask::without_database(&mut self.chance);
            self.present(Surface::Modern, &key, &ask).await;
        }
    }

    async fn present(&mut self, surface: Surface, presented: &Presented, ask: &Ask) {
        let admitted = self.model.admitted(presented);
        self.note(format!(
            "{surface:?} {} {}: {admitted:?}",
            ask.tool, ask.arguments
        ));
        match surface {
            Surface::Mirror if ask.is_mirrored() => self.mirrored(presented, ask).await,
            Surface::Mirror | Surface::Modern => self.modern(presented, ask).await,
            Surface::Session => self.in_session(presented, ask).await,
        }
    }

    async fn modern(&mut self, presented: &Presented, ask: &Ask) {
        let (id, text) = self.request_id();
        let params =
            json!({ "name": ask.tool, "arguments": ask.arguments, "_meta": modern_meta() });
        let message =
            json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        let request = self.agent_post(presented, &message);
        let request = request
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/call")
            .header("mcp-name", ask.tool);
        let (status, body) = body_of(request).await;
        match self.model.admitted(presented) {
            Some(Ok(agent)) => {
                assert!(status < 500, "{status} {body}");
                self.model.expect_call(&agent, ask, Some(text));
            }
            Some(Err(reason)) => self.model.expect_refusal(reason, Some("tools/call")),
            None => assert_eq!(status, 401, "{body}"),
        }
    }

    /// Opens a session for the call and ends it afterwards, which leaves no row; a refused handshake leaves one.
    async fn in_session(&mut self, presented: &Presented, ask: &Ask) {
        let opening = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        }});
        let opened = self.agent_post(presented, &opening).send().await.unwrap();
        let agent = match self.model.admitted(presented) {
            Some(Ok(agent)) => agent,
            Some(Err(reason)) => return self.model.expect_refusal(reason, None),
            None => return assert_eq!(opened.status(), 401),
        };
        assert_eq!(opened.status(), 200);
        let session = opened.headers()["mcp-session-id"]
            .to_str()
            .unwrap()
            .to_owned();
        let (id, text) = self.request_id();
        let params = json!({ "name": ask.tool, "arguments": ask.arguments });
        let message =
            json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        let call = self.agent_post(presented, &message);
        let (status, body) = body_of(call.header("mcp-session-id", &session)).await;
        assert_eq!(status, 200, "{body}");
        self.model.expect_call(&agent, ask, Some(text));
        let end = self.keyed(self.client.bare(Method::DELETE), presented);
        body_of(end.header("mcp-session-id", &session)).await;
    }

    async fn mirrored(&mut self, presented: &Presented, ask: &Ask) {
        let request = self.request(Method::POST, &format!("/api/read/{}", ask.tool));
        let answer = self
            .send(self.keyed(request, presented).json(&ask.arguments))
            .await;
        match self.model.admitted(presented) {
            Some(Ok(agent)) => self.model.expect_call(&agent, ask, None),
            Some(Err(_)) if matches!(presented, Presented::Key(_)) => {
                assert_eq!(answer.status, 403, "{answer:?}");
            }
            _ => assert_eq!(answer.status, 401, "{answer:?}"),
        }
    }

    fn agent_post(&self, presented: &Presented, message: &Value) -> RequestBuilder {
        self.keyed(self.client.post(message), presented)
    }

    fn keyed(&self, request: RequestBuilder, presented: &Presented) -> RequestBuilder {
        match presented {
            Presented::Nothing => request,
            Presented::Malformed => request.header("authorization", "Basic c3h0"),
            Presented::Key(key) => request.bearer_auth(key),
        }
    }

    /// A request id, number or string, and its form in the audit log.
    fn request_id(&mut self) -> (Value, String) {
        self.requests += 1;
        let number = self.requests;
        match self.chance.below(3) {
            0 => (json!(format!("r-{number}")), format!("r-{number}")),
            1 => (
                json!(format!("ü \"{number}\"\u{0}")),
                format!("ü \"{number}\"\u{fffd}"),
            ),
            _ => (json!(number), number.to_string()),
        }
    }
}
