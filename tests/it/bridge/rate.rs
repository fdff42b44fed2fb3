//! 120 requests a minute over the three routes together, for all callers, or for each where proxies are trusted (r103).

use sextant::app::Settings;
use sextant::config::Network;

use super::{RemoteClient, world};
use crate::exposure::{PUBLIC, publish};
use crate::support::TestApp;
use crate::support::app::settings;

/// Requests of each route until one is refused; how many were served.
async fn served(client: &RemoteClient, caller: Option<&str>) -> usize {
    for number in 0..200 {
        let request = match number % 3 {
            0 => client.post("/register"),
            1 => client.get("/authorize"),
            _ => client.post("/token"),
        };
        let request = match caller {
            Some(caller) => request.header("x-forwarded-for", caller),
            None => request,
        };
        let answer = client.send(request).await;
        if answer.status == 429 {
            let wait: u64 = answer.headers["retry-after"]
                .to_str()
                .unwrap()
                .parse()
                .unwrap();
            assert!((1..=60).contains(&wait), "{wait}");
            return number;
        }
        assert_eq!(answer.status, 400);
    }
    panic!("nothing was refused")
}

#[actix_web::test]
async fn r103_without_trusted_proxies_there_is_one_bucket_for_all_callers() {
    let (app, _) = world().await;
    let client = RemoteClient::unregistered(&app);
    assert_eq!(served(&client, Some("203.0.113.1")).await, 120);
    assert_eq!(served(&client, Some("203.0.113.2")).await, 0);
    // Neither the metadata nor the agents' own route is among the three.
    let metadata = client.get("/.well-known/oauth-authorization-server");
    assert_eq!(client.send(metadata).await.status, 200);
}

#[actix_web::test]
async fn r103_behind_a_trusted_proxy_each_caller_has_a_bucket() {
    let trusting = Settings {
        trusted_proxies: vec![Network::parse("127.0.0.0/8").unwrap()],
        ..settings()
    };
    let app = TestApp::start_with(trusting).await;
    publish(&app, PUBLIC).await;
    let client = RemoteClient::unregistered(&app);
    assert_eq!(served(&client, Some("203.0.113.1")).await, 120);
    assert_eq!(served(&client, Some("203.0.113.2")).await, 120);
    assert_eq!(
        served(&client, Some("198.51.100.9, 203.0.113.1")).await,
        0,
        "what a caller says of itself is not believed"
    );
    assert_eq!(
        app.get("/api/exposure").await.expect(200)["trustedProxies"],
        true
    );
}
