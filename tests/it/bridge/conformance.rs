//! The part of the protocol's own conformance suite that is about authorization servers. It prints the addresses that a person is to open.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::time::timeout;
use url::Url;

use super::client::{RemoteClient, form_in};
use super::clients::World;
use super::key_of;
use crate::support::eventually::eventually;
use crate::support::{http, ports, skipped};

const SUITE: &str =
    "target/peers/conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js";
const NODE: &str = "target/peers/node/node";
/// How long all of it may take.
const PATIENCE: Duration = Duration::from_secs(120);

fn path(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(relative)
}

/// What a person does at the address that the suite prints: enters the key, and is sent back.
async fn open(client: &RemoteClient, address: &str, key: &str) {
    let address = Url::parse(address).unwrap();
    let asked = format!("{}?{}", address.path(), address.query().unwrap_or_default());
    let page = client.send(client.get(&asked)).await;
    let form = form_in(&page.text);
    let answer = client.submit(&[("form", &form), ("key", key)]).await;
    let back = answer.headers["location"].to_str().unwrap().to_owned();
    let browser = http::builder().build().unwrap();
    // The suite names the page before it listens for the answer.
    eventually("the suite is answered", async || {
        browser.get(&back).send().await.is_ok()
    })
    .await;
}

#[actix_web::test]
async fn r103_the_bridge_conforms_as_an_authorization_server() {
    let test = "r103_the_bridge_conforms_as_an_authorization_server";
    if !path(SUITE).exists() || !path(NODE).exists() {
        return skipped::for_want_of(test, "the suite is missing; run tests/peers/install.sh");
    }
    let Some(world) = World::start(test).await else {
        return;
    };
    let key = key_of(&world.app, "suite", &["mail"]).await;
    let port = ports::unused();
    let client = RemoteClient::unregistered(&world.app);
    let registered = json!({ "redirect_uris": [format!("http://127.0.0.1:{port}/callback")] });
    let registered = client
        .send(client.post("/register").json(&registered))
        .await;
    let registered = registered.expect(201);
    let mut suite = world.names.command(&path(NODE));
    let mut suite = suite
        .arg(path(SUITE))
        .args(["authorization", "--url", world.url.trim_end_matches("/mcp")])
        .args(["--resource", &world.url, "--port", &port.to_string()])
        .args(["--client-id", registered["client_id"].as_str().unwrap()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(suite.stdout.take().unwrap()).lines();
    let mut told = String::new();
    let run = async {
        while let Some(line) = lines.next_line().await.unwrap() {
            if line.trim().starts_with("https://") {
                open(&client, line.trim(), &key).await;
            }
            told.push_str(&line);
            told.push('\n');
        }
        suite
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut told)
            .await
            .unwrap();
        suite.wait().await.unwrap()
    };
    let status = timeout(PATIENCE, run).await;
    let status = status.unwrap_or_else(|_| panic!("the suite does not end"));
    assert!(status.success(), "{told}");
    assert!(told.contains("Total: 3 passed, 0 failed"), "{told}");
}
