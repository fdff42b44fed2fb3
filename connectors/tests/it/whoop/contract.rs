//! What keeps the stand-in and the service to the provider's description: it must notice what is not of it.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::day;
use super::stand_in::{StandIn, written};
use crate::support::prism::{Prism, contract};

/// An answer to a request, without TLS.
async fn ask(prism: &Prism, target: &str) -> String {
    let mut stream = TcpStream::connect(prism.address).await.unwrap();
    let request = format!(
        "GET /developer{target} HTTP/1.1\r\nhost: here\r\nauthorization: Bearer access-0\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn a_wrong_request_and_a_wrong_answer_are_noticed() {
    let stand_in = StandIn::new(day(0));
    stand_in.state().add_night(1, day(-1));
    let server = stand_in.serve().await;
    let description = contract("whoop.openapi.json");
    let test = "a_wrong_request_and_a_wrong_answer";
    let Some(prism) = Prism::start(test, &description, server.address) else {
        return;
    };
    let right = ask(&prism, "/v2/cycle?limit=25").await;
    assert!(right.starts_with("HTTP/1.1 200"), "{right}");
    assert!(right.contains("x-ratelimit-remaining: 99"), "{right}");
    assert_eq!(prism.complaints(), [""; 0]);

    for wrong in [
        "/v2/cycle?limit=26",
        "/v2/cycle?start=yesterday",
        "/v1/cycle",
    ] {
        let answer = ask(&prism, wrong).await;
        assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
        assert_eq!(prism.complaints().len(), 1, "{wrong}");
    }
    let json = "200 OK\r\ncontent-type: application/json";
    for (head, body) in [
        (json, r#"{"records":[{"id":"one"}]}"#),
        (json, r#"{"records":[],"next_token":7}"#),
        ("503 Away\r\ncontent-type: application/json", "{}"),
    ] {
        stand_in
            .state()
            .misbehave(move |_| Some(written(head, body)));
        ask(&prism, "/v2/cycle").await;
        let complaints = prism.complaints();
        assert_eq!(complaints.len(), 1, "{body} {complaints:?}");
    }
}
