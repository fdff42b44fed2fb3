//! The agent port against hostile clients over raw sockets: each is answered with an error or disconnected, memory
//! stays bounded, the audit log has the rows it should and no more, nothing that strangers send is in the log, and an
//! honest agent is served.

mod heads;
mod idle;
mod leftovers;
mod messages;
mod request;
mod slow;
mod strangers;
mod streams;

use std::path::Path;

use serde_json::{Value, json};

use self::request::{Request, Told};
use super::raw::Raw;
use super::service::log_in;
use super::{Service, Setup};
use crate::mcp::support::{Client, body_of, json_of};

/// A running service, and an honest agent.
struct Target {
    service: Service,
    good: Client,
}

impl Target {
    async fn start(setup: Setup) -> Self {
        let service = setup.start().await;
        let key = service.key("good", &["finance"]).await;
        let good = Client::new(&service.agents, Some(key));
        Self { service, good }
    }

    async fn in_home(home: &Path) -> Self {
        Self::start(Setup::in_home(home)).await
    }

    /// Address and port of the agent port.
    fn address(&self) -> &str {
        let address = self.service.agents.strip_prefix("http://").unwrap();
        address.strip_suffix("/mcp").unwrap()
    }

    fn connect(&self) -> Raw {
        Raw::to(self.address())
    }

    /// Sends the whole request, and reads until the service closes.
    fn ask(&self, request: &Request<'_>) -> Told {
        Told::read(&self.connect().send(request.bytes()).rest())
    }

    /// Asserts that the honest agent is served in both eras, over new connections.
    async fn serves_the_good_one(&self) {
        let good = Client::new(&self.good.url, self.good.key.clone());
        let session = good.session().await;
        let (status, answer) =
            json_of(good.session_call(&session, "list_actions", json!({}))).await;
        assert_eq!((status, &answer["result"]["isError"]), (200, &json!(false)));
        let (status, _) = body_of(good.modern_call("describe_context", json!({}))).await;
        assert_eq!(status, 200);
        let bye = good.bare(reqwest::Method::DELETE);
        assert_eq!(body_of(bye.header("mcp-session-id", session)).await.0, 204);
    }

    /// The service's log so far.
    fn log(&self) -> String {
        log_in(self.service.home())
    }

    /// The audit rows of a verb, once there are this many; newest first.
    async fn rows(&self, tool: &str, count: usize) -> Vec<Value> {
        let mut rows = Vec::new();
        crate::support::eventually::eventually("the rows are written", async || {
            rows = self.service.audit_rows(tool).await;
            rows.len() >= count
        })
        .await;
        rows
    }
}
