//! What is known of the service before anybody signs in (RFC 9728, RFC 8414), by the public name alone.

use reqwest::Method;
use serde_json::Value;

use super::{HOST, RemoteClient, world};
use crate::exposure::{by_host, clear, publish, status_of};

const PATHS: [&str; 6] = [
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-protected-resource/mcp/",
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-authorization-server/mcp",
    "/.well-known/oauth-authorization-server/mcp/",
];

#[actix_web::test]
async fn r103_the_metadata_names_the_public_address_and_nothing_of_it_is_told_locally() {
    let (app, _) = world().await;
    let client = RemoteClient::unregistered(&app);
    for path in PATHS {
        let document = client.send(client.get(path)).await.expect(200);
        if path.contains("resource") {
            let slash = if path.ends_with('/') { "/" } else { "" };
            let resource = format!("https://box.example/mcp{slash}");
            assert_eq!(document["resource"], resource, "{path}");
            assert_eq!(document["authorization_servers"][0], "https://box.example");
        } else {
            assert_eq!(document["issuer"], "https://box.example", "{path}");
            for (name, end) in [
                ("authorization_endpoint", "/authorize"),
                ("token_endpoint", "/token"),
                ("registration_endpoint", "/register"),
            ] {
                assert_eq!(document[name], format!("https://box.example{end}"));
            }
            let only = |name: &str| document[name].as_array().unwrap().clone();
            assert_eq!(only("code_challenge_methods_supported"), ["S256"]);
            assert_eq!(only("token_endpoint_auth_methods_supported"), ["none"]);
            assert_eq!(
                document["authorization_response_iss_parameter_supported"],
                true
            );
            assert_eq!(document["client_id_metadata_document_supported"], true);
        }
        let local = app.agents.to_string();
        for host in ["localhost", local.as_str()] {
            let request = by_host(&app, Method::GET, host, path);
            assert_eq!(status_of(request).await, 404, "{host}{path}");
        }
    }
}

#[actix_web::test]
async fn r103_the_bridge_is_there_while_there_is_a_public_address() {
    let (app, _) = world().await;
    let routes = [
        (Method::POST, "/register"),
        (Method::GET, "/authorize"),
        (Method::POST, "/authorize"),
        (Method::POST, "/token"),
    ];
    for (method, path) in &routes {
        let by = |host| by_host(&app, method.clone(), host, path);
        assert_eq!(status_of(by(HOST)).await, 400, "{path}");
        assert_eq!(status_of(by("localhost")).await, 404, "{path}");
    }
    publish(&app, "https://other.example:8443").await;
    let moved = by_host(&app, Method::GET, "other.example:8443", PATHS[3]);
    let moved: Value = moved.send().await.unwrap().json().await.unwrap();
    assert_eq!(moved["issuer"], "https://other.example:8443");
    clear(&app).await;
    for (method, path) in &routes {
        for host in [HOST, "other.example"] {
            let request = by_host(&app, method.clone(), host, path);
            assert_eq!(status_of(request).await, 403, "{host}{path}");
        }
        let request = by_host(&app, method.clone(), "localhost", path);
        assert_eq!(status_of(request).await, 404, "{path}");
    }
}
