//! What the service logs at its most talkative: no key, no secret, nothing of what people keep in it.

use nix::sys::signal::Signal;
use reqwest::Method;
use serde_json::json;

use super::Setup;
use super::service::{Device, log_in};
use crate::mcp::support::client::{Client, json_of};
use crate::support::users::in_scratch;

/// Stands in every payload, and in no program's own words.
const PERSONAL: &str = "Zwetschgendatschi";

#[test]
fn r028_a_run_at_trace_logs_no_key_no_secret_and_no_payload() {
    in_scratch(async |home| {
        let service = Setup::in_home(home)
            .env("RUST_LOG", "trace,rmcp=trace,tokio_postgres=trace")
            .start()
            .await;
        let key = service.key("reader", &["finance", "mail"]).await;
        let device = service.device("finance.transactions").await;
        let record = |id: &str| json!({ "id": id, "amount": -7, "currency": "EUR", "booked_on": "2026-03-01", "description": PERSONAL });
        let good = json!([record("a"), record("b")]).to_string();
        let bad = json!([{ "id": PERSONAL, "amount": PERSONAL, "currency": PERSONAL }]).to_string();
        for (body, status) in [(good.as_str(), 200), (bad.as_str(), 400), (PERSONAL, 400)] {
            let answer = service.push(&device, body.to_owned()).send().await.unwrap();
            assert_eq!(answer.status(), status, "{}", answer.text().await.unwrap());
        }
        let wrong = Device {
            secret: format!("{}x", device.secret),
            ..device.clone()
        };
        assert_eq!(
            service.push(&wrong, good).send().await.unwrap().status(),
            401
        );
        let client = Client::new(&service.agents, Some(key.clone()));
        let session = client.session().await;
        for (target, search) in [
            ("finance.transactions", PERSONAL),
            (PERSONAL, "x"),
            ("health.days", PERSONAL),
        ] {
            let asked = json!({ "target": target, "search": search });
            json_of(client.session_call(&session, "query", asked.clone())).await;
            json_of(client.modern_call("query", asked)).await;
        }
        let (_, found) = json_of(client.session_call(
            &session,
            "query",
            json!({ "target": "finance.transactions" }),
        ))
        .await;
        assert!(found.to_string().contains(PERSONAL), "{found}");
        let stranger = Client::new(&service.agents, Some(format!("{key}x")));
        json_of(stranger.initialize("2025-11-25")).await;
        service
            .call(
                Method::POST,
                &format!("/api/connections/{}/rotate-secret", device.id),
                None,
                200,
            )
            .await;
        service
            .call(
                Method::POST,
                "/api/agents",
                Some(json!({ "name": PERSONAL, "sectors": PERSONAL })),
                400,
            )
            .await;
        service.stop(Signal::SIGTERM).await;
        let log = log_in(home);
        assert!(log.contains("sextant"), "nothing was logged");
        for secret in [key.as_str(), device.secret.as_str(), PERSONAL] {
            let told = log.lines().find(|line| line.contains(secret));
            assert!(told.is_none(), "{told:?}");
        }
        let server = std::fs::read_to_string(home.join("data/postgres.log")).unwrap();
        assert!(!server.contains(PERSONAL), "{server}");
    });
}
