//! Wrong keys by the thousand, which slow down no other caller and lock nobody out (r069).
//!
//! Not measured by a clock: a refusal is complete at its first poll, so there is nothing in it for which anybody
//! could wait, be it a pause, a turn or a lock-out. Beside that, the answers to thousands of requests over real
//! connections are compared.

use actix_http::Request;
use actix_web::dev::{Service, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::test::{TestRequest, init_service};
use actix_web::{App, Error};
use futures_util::FutureExt as _;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;
use sextant::capacity::Quotas;
use sextant::exposure::Exposure;
use sextant::http::mcp::server::{self as agent_port, DirectCalls, McpParts};
use sextant::http::read_mirror::{self, MirrorParts};
use sextant::http::wire::{self, AllSockets};

use crate::support::TestApp;
use crate::support::app::Answer;

/// Wrong keys of each test.
const WRONG_KEYS: usize = 2_000;
/// Wrong keys that arrive concurrently.
const AT_ONCE: usize = 50;

/// Keys that are refused for different reasons, in turn.
struct Refused {
    revoked: String,
    removed: String,
}

impl Refused {
    async fn of(app: &TestApp) -> Self {
        let revoked = app.key_of("revoked", &["home"]).await;
        app.revoke_agent("revoked").await.expect(200);
        let removed = app.key_of("removed", &["home"]).await;
        app.remove_agent("removed").await.expect(200);
        Self { revoked, removed }
    }

    /// The header of the request with this number.
    fn header(&self, number: usize) -> String {
        match number % 4 {
            0 => format!("Bearer sxt_{number}"),
            1 => format!("Bearer {}", self.revoked),
            2 => format!("Bearer {}", self.removed),
            _ => "Bearer".to_owned(),
        }
    }
}

/// The status of an answer that must be complete at its first poll.
async fn at_once<S, B>(service: &S, request: TestRequest, case: &str) -> StatusCode
where
    S: Service<Request, Response = ServiceResponse<B>, Error = Error>,
{
    // Otherwise the runtime's cooperative budget would make a task that has done much wait.
    tokio::task::yield_now().await;
    let answer = service.call(request.to_request()).now_or_never();
    let answer = answer.unwrap_or_else(|| panic!("{case}: the refusal waits for something"));
    answer.unwrap().status()
}

#[actix_web::test]
async fn r069_a_refusal_of_the_mirror_waits_for_nothing() {
    let app = TestApp::start().await;
    let refused = Refused::of(&app).await;
    let parts = MirrorParts::new(
        app.tree.grants.clone(),
        app.tree.sessions.clone(),
        &Quotas::default(),
    );
    let mirror = init_service(App::new().configure(read_mirror::configure(&parts))).await;
    for number in 0..WRONG_KEYS {
        let header = refused.header(number);
        let path = ["describe_context", "query", "get_record"][number % 3];
        let request = match number % 3 {
            0 => TestRequest::get(),
            _ => TestRequest::post().set_payload("{}"),
        };
        let request = request.uri(&format!("/api/read/{path}"));
        let request = request.insert_header(("authorization", header.as_str()));
        let status = at_once(&mirror, request, &format!("{number}: {header}")).await;
        let expected = if header == "Bearer" { 401 } else { 403 };
        assert_eq!(status, expected, "{number}: {header}");
    }
}

#[actix_web::test]
async fn r069_a_refusal_of_the_agent_port_waits_for_nothing() {
    let app = TestApp::start().await;
    let refused = Refused::of(&app).await;
    let parts = McpParts {
        grants: app.tree.grants.clone(),
        sessions: app.tree.sessions.clone(),
        audit: app.tree.audit.clone(),
        quotas: Quotas::default(),
        sockets: AllSockets::new(&wire::ConnectionLimits::default()).agents,
        tools: Vec::new(),
        direct_calls: DirectCalls::enabled(),
        exposure: Exposure::default(),
    };
    let port = init_service(App::new().configure(agent_port::configure(parts))).await;
    for number in 0..WRONG_KEYS {
        let header = refused.header(number);
        let request = match number % 3 {
            0 => TestRequest::post().set_payload("{}"),
            1 => TestRequest::get(),
            _ => TestRequest::delete(),
        };
        let request = request.uri("/mcp");
        let request = request.insert_header(("authorization", header.as_str()));
        let status = at_once(&port, request, &format!("{number}: {header}")).await;
        assert_eq!(status, 401, "{number}: {header}");
    }
}

/// Status, headers and body, without the date.
fn comparable(answer: Answer) -> (StatusCode, Vec<String>, String) {
    let head = answer.headers.iter().filter(|(name, _)| *name != "date");
    let mut head: Vec<_> = head
        .map(|(name, value)| format!("{name}: {value:?}"))
        .collect();
    head.sort();
    (
        StatusCode::from_u16(answer.status.as_u16()).unwrap(),
        head,
        answer.text,
    )
}

#[actix_web::test]
async fn r069_a_flood_of_wrong_keys_changes_nothing_on_the_mirror() {
    let app = TestApp::start().await;
    let key = app.key_of("claude", &["home"]).await;
    let ask = async |key: &str| {
        let request = app.request(Method::POST, "/api/read/describe_context");
        comparable(app.send(request.bearer_auth(key).json(&json!({}))).await)
    };
    let first = ask("sxt_unknown").await;
    assert_eq!(first.0, 403);
    let served = ask(&key).await;
    assert_eq!(served.0, 200);
    for _ in 0..WRONG_KEYS / AT_ONCE {
        let flood = join_all((0..AT_ONCE).map(|_| ask("sxt_unknown")));
        let (refused, good) = tokio::join!(flood, ask(&key));
        assert!(refused.iter().all(|answer| *answer == first), "{refused:?}");
        assert_eq!(good.0, 200, "{good:?}");
    }
}
