//! What the tokens are sent to, and to whom they are not.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use reqwest::Url;
use reqwest::header::HeaderMap;
use sextant_connectors::bearer::{AccessTokens, BearerClient};
use sextant_connectors::failure::{FailureKind, SourceFailure};
use sextant_connectors::oauth::IssuedTokens;
use sextant_connectors::secret::SourceSecret;

use super::stage::{Client, assert_untold, guard_of, refresh_token};
use crate::support::plain_http;
use crate::support::single_use::{CLIENT_ID, CLIENT_SECRET, SingleUseServer};
use crate::support::sink::Sink;

const FIRST: &str = "seeded-first-token";
const SECOND: &str = "seeded-second-token";

/// What was asked of a sign-in.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Asked {
    Token,
    Replace(SourceSecret),
}

/// A sign-in that has a first token, and perhaps a second.
struct Kept {
    first: SourceSecret,
    second: Option<SourceSecret>,
    asked: Mutex<Vec<Asked>>,
}

impl Kept {
    fn new(first: &str, second: Option<&str>) -> Arc<Self> {
        Arc::new(Self {
            first: SourceSecret::new(first),
            second: second.map(SourceSecret::new),
            asked: Mutex::default(),
        })
    }

    fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

#[async_trait]
impl AccessTokens for Kept {
    async fn access_token(&self) -> Result<SourceSecret, SourceFailure> {
        self.asked.lock().unwrap().push(Asked::Token);
        Ok(self.first.clone())
    }

    async fn replace(&self, refused: &SourceSecret) -> Result<SourceSecret, SourceFailure> {
        let asked = Asked::Replace(refused.clone());
        self.asked.lock().unwrap().push(asked);
        let none = || SourceFailure::new(FailureKind::CredentialRefused, "there is no other");
        self.second.clone().ok_or_else(none)
    }
}

fn once_replaced() -> [Asked; 2] {
    [Asked::Token, Asked::Replace(SourceSecret::new(FIRST))]
}

fn address(sink: &Sink) -> Url {
    Url::parse(&format!("http://{}/items?of=all", sink.address)).unwrap()
}

fn client(sink: &Sink, kept: &Arc<Kept>) -> BearerClient {
    let tokens: Arc<dyn AccessTokens> = kept.clone();
    BearerClient::new(guard_of(&address(sink)).unwrap(), tokens)
}

fn answer(head: &str) -> Vec<u8> {
    format!("HTTP/1.1 {head}\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{{}}").into_bytes()
}

fn token_in(request: &str) -> Option<&str> {
    let mut lines = request.lines();
    lines.find_map(|line| line.strip_prefix("authorization: Bearer "))
}

#[tokio::test]
async fn a_token_that_is_not_taken_is_replaced_once_and_the_request_repeated_once() {
    for method in ["GET", "DELETE"] {
        let sink = Sink::start(None, |request| match token_in(request) {
            Some(SECOND) => answer("200 OK"),
            _ => answer("401 Unauthorized"),
        })
        .await;
        let kept = Kept::new(FIRST, Some(SECOND));
        let client = client(&sink, &kept);
        let got = match method {
            "GET" => client.get(&address(&sink), HeaderMap::new()).await,
            _ => client.delete(&address(&sink)).await,
        };
        let got = got.unwrap();
        assert_eq!(got.status, 200);
        assert_untold(&got, &[FIRST, SECOND]);
        assert_eq!(kept.asked(), once_replaced());
        let received = sink.received();
        let tokens: Vec<_> = received.iter().map(|request| token_in(request)).collect();
        assert_eq!(tokens, [Some(FIRST), Some(SECOND)]);
        let start = format!("{method} /items?of=all HTTP/1.1\r\n");
        assert!(received.iter().all(|request| request.starts_with(&start)));
    }
}

#[tokio::test]
async fn a_second_refusal_is_returned() {
    let sink = Sink::start(None, |_| answer("401 Unauthorized")).await;
    let kept = Kept::new(FIRST, Some(SECOND));
    let got = client(&sink, &kept)
        .get(&address(&sink), HeaderMap::new())
        .await;
    assert_eq!(got.unwrap().status, 401);
    assert_eq!(kept.asked(), once_replaced());
    assert_eq!(sink.received().len(), 2);
}

#[tokio::test]
async fn without_another_token_nothing_is_repeated() {
    let sink = Sink::start(None, |_| answer("401 Unauthorized")).await;
    let kept = Kept::new(FIRST, None);
    let got = client(&sink, &kept)
        .get(&address(&sink), HeaderMap::new())
        .await;
    assert_eq!(got.unwrap_err().kind, FailureKind::CredentialRefused);
    assert_eq!(kept.asked(), once_replaced());
    assert_eq!(sink.received().len(), 1);
}

#[tokio::test]
async fn other_refusals_are_returned_and_replace_nothing() {
    for head in [
        "403 Forbidden",
        "404 Not Found",
        "410 Gone",
        "429 Too Many Requests",
        "500 Internal Server Error",
    ] {
        let sink = Sink::start(None, move |_| answer(head)).await;
        let kept = Kept::new(FIRST, Some(SECOND));
        let got = client(&sink, &kept)
            .get(&address(&sink), HeaderMap::new())
            .await;
        assert!(head.starts_with(got.unwrap().status.as_str()), "{head}");
        assert_eq!(kept.asked(), [Asked::Token], "{head}");
        assert_eq!(sink.received().len(), 1, "{head}");
    }
}

#[tokio::test]
async fn an_address_of_another_host_gets_no_token() {
    let home = Sink::start(None, |_| answer("200 OK")).await;
    let foreign = Sink::start(None, |_| answer("200 OK")).await;
    let kept = Kept::new(FIRST, Some(SECOND));
    let client = client(&home, &kept);
    let (own, other) = (home.address.port(), foreign.address.port());
    for address in [
        format!("http://127.0.0.1:{other}/items"),
        format!("http://localhost:{own}/items"),
        format!("http://localhost:{other}/items"),
        format!("http://127.0.0.1:{own}@127.0.0.1:{other}/items"),
        format!("http://op@127.0.0.1:{own}/items"),
    ] {
        let address = Url::parse(&address).unwrap();
        let failure = client.get(&address, HeaderMap::new()).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::ForbiddenAddress, "{address}");
    }
    assert_eq!((home.received().len(), foreign.received().len()), (0, 0));
    assert_eq!(kept.asked(), []);
}

#[tokio::test]
async fn a_redirect_leads_no_token_to_another_host() {
    for status in [301, 302, 303, 307, 308] {
        let foreign = Sink::start(None, |_| answer("200 OK")).await;
        let port = foreign.address.port();
        for name in ["127.0.0.1", "localhost"] {
            let head = format!("{status} Moved\r\nlocation: http://{name}:{port}/items");
            let home = Sink::start(None, move |_| answer(&head)).await;
            let kept = Kept::new(FIRST, Some(SECOND));
            let got = client(&home, &kept)
                .get(&address(&home), HeaderMap::new())
                .await;
            let failure = got.unwrap_err();
            assert_eq!(
                failure.kind,
                FailureKind::ForbiddenAddress,
                "{status} {name}"
            );
            assert_untold(&failure, &[FIRST, SECOND]);
            assert_eq!(home.received().len(), 1);
            assert_eq!(kept.asked(), [Asked::Token]);
        }
        assert_eq!(foreign.received(), [""; 0], "{status}");
    }
}

#[tokio::test]
async fn a_token_that_no_header_can_hold_is_not_sent_and_not_told() {
    let sink = Sink::start(None, |_| answer("200 OK")).await;
    let kept = Kept::new("seeded-first\r\ntoken: more", None);
    let got = client(&sink, &kept)
        .get(&address(&sink), HeaderMap::new())
        .await;
    let failure = got.unwrap_err();
    assert_eq!(failure.kind, FailureKind::CredentialRefused);
    assert_untold(&failure, &["seeded-first"]);
    assert_eq!(sink.received(), [""; 0]);
}

/// A sign-in whose first access token the source has forgotten.
struct Renewed {
    client: Client,
    issued: Mutex<IssuedTokens>,
}

#[async_trait]
impl AccessTokens for Renewed {
    async fn access_token(&self) -> Result<SourceSecret, SourceFailure> {
        Ok(SourceSecret::new(FIRST))
    }

    async fn replace(&self, _: &SourceSecret) -> Result<SourceSecret, SourceFailure> {
        let token = refresh_token(&self.issued.lock().unwrap());
        let issued = self.client.refresh(&token).await.unwrap();
        *self.issued.lock().unwrap() = issued.clone();
        Ok(issued.access_token)
    }
}

#[tokio::test]
async fn a_source_takes_the_token_that_was_had_for_the_one_it_refused() {
    let Some(server) = SingleUseServer::start_if_installed("a_source_takes_the_renewed").await
    else {
        return;
    };
    let app = (CLIENT_ID, CLIENT_SECRET);
    let client = Client::new(
        server.addresses(),
        app,
        "http://localhost:8787/back".to_owned(),
    );
    let page = client.authorize(&["offline"]);
    let code = client.code(&plain_http::get(&page).await.location().unwrap());
    let issued = client
        .exchange(&code, Some(&client.verifier))
        .await
        .unwrap();
    let issued = Mutex::new(issued);
    let tokens: Arc<dyn AccessTokens> = Arc::new(Renewed { client, issued });
    let bearer = BearerClient::new(guard_of(&server.base).unwrap(), tokens);
    let userinfo = server.base.join("userinfo").unwrap();
    let got = bearer.get(&userinfo, HeaderMap::new()).await.unwrap();
    assert_eq!(got.status, 200);
    assert_eq!(server.arrived("requests").await, 2);
}
