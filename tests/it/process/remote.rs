//! Remote access of the real program: what it gave out outlives a `kill -9`, and what leads into its own network it neither fetches nor
//! calls. No setting changes that, and no test reaches into it here.

use std::net::SocketAddr;

use nix::sys::signal::Signal;
use reqwest::{Method, Url};
use serde_json::{Value, json};

use super::Setup;
use super::service::Service;
use crate::bridge::RemoteClient;
use crate::exposure::PUBLIC;
use crate::support::sink::Sink;
use crate::support::users::in_scratch;

async fn publish(service: &Service, url: &str) {
    let body = json!({ "publicUrl": url });
    service
        .call(Method::PUT, "/api/exposure", Some(body), 200)
        .await;
}

fn agents(service: &Service) -> SocketAddr {
    let url: Url = service.agents.parse().unwrap();
    SocketAddr::from(([127, 0, 0, 1], url.port().unwrap()))
}

#[test]
fn r103_what_was_given_out_before_a_kill_serves_after_it() {
    in_scratch(async |home| {
        let service = Setup::in_home(home).start().await;
        publish(&service, PUBLIC).await;
        let agent = json!({ "name": "claude", "sectors": ["mail"], "expiresInDays": 30 });
        let made = service
            .call(Method::POST, "/api/agents", Some(agent), 201)
            .await;
        let key = made["key"].as_str().unwrap();
        let client = RemoteClient::at(agents(&service)).registered().await;
        let first = client.sign_in(key).await;
        let second = client.refresh(&first.refresh).await.unwrap();
        service.signal(Signal::SIGKILL);
        service.wait_for_end().await;

        let service = Setup::in_home(home).start().await;
        let client = client.moved_to(agents(&service));
        assert_eq!(client.calls(&second.access).await, 200);
        // The answer to the refresh may have been lost: it is given once more.
        let again = client.refresh(&first.refresh).await.unwrap();
        assert_eq!(
            (&again.access, &again.refresh),
            (&second.access, &second.refresh)
        );
        let revoke = "/api/agents/claude/revoke";
        service
            .call(Method::POST, revoke, Some(json!({})), 200)
            .await;
        assert_eq!(client.calls(&second.access).await, 401);
        service.stop(Signal::SIGTERM).await;
    });
}

#[test]
fn r103_r501_the_program_neither_fetches_nor_calls_what_leads_into_its_own_network() {
    in_scratch(async |home| {
        let service = Setup::in_home(home).start().await;
        let sink = Sink::start(None, |_| Vec::new()).await;
        for url in [
            "https://127.0.0.1",
            "https://localhost:8788",
            "https://[::1]/mcp",
        ] {
            let body = json!({ "publicUrl": url });
            let refused = service
                .call(Method::PUT, "/api/exposure", Some(body), 400)
                .await;
            assert_eq!(refused["field"], "publicUrl", "{url}");
        }
        let port = sink.address.port();
        for url in [
            "https://10.0.0.1".to_owned(),
            format!("https://agents.localhost:{port}"),
        ] {
            publish(&service, &url).await;
            let check = service
                .call(Method::POST, "/api/exposure/check", Some(json!({})), 200)
                .await;
            let failed = check["steps"].as_array().unwrap();
            let failed = failed.iter().find(|step| step["outcome"] == "failed");
            let step = failed.map_or(&Value::Null, |step| &step["step"]);
            assert!(step == "public" || step == "resolves", "{url}: {check}");
        }
        publish(&service, PUBLIC).await;
        let mut client = RemoteClient::at(agents(&service));
        for host in ["localhost", "127.0.0.1", "10.0.0.1", "169.254.169.254"] {
            client.id = format!("https://{host}/me.json");
            assert_eq!(client.ask(&[]).await.status, 400, "{host}");
        }
        assert!(sink.received().is_empty());
        service.stop(Signal::SIGTERM).await;
    });
}
