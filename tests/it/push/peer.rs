//! A stand-in for the service with the two routes of a push; it answers first as scripted and then successfully.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Arc, Mutex};

use actix_web::dev::ServerHandle;
use actix_web::web::{Bytes, Data, Path, Query};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use serde_json::{Value, json};

#[derive(Debug, Clone)]
pub enum Scripted {
    Unavailable,
    TooLarge,
    Unauthorized,
    /// One problem of one record.
    Rejected(Value),
}

/// One push as it arrived.
#[derive(Debug, Clone)]
pub struct Seen {
    pub connection: String,
    pub authorization: String,
    pub is_partial: bool,
    pub records: Vec<Value>,
}

struct State {
    /// Id and table; if empty, the Console's route does not exist.
    connections: Vec<(String, String)>,
    script: Mutex<VecDeque<Scripted>>,
    seen: Mutex<Vec<Seen>>,
}

pub struct StubService {
    pub url: String,
    state: Arc<State>,
    handle: ServerHandle,
}

impl StubService {
    pub async fn start(
        connections: &[(&str, &str)],
        script: impl IntoIterator<Item = Scripted>,
    ) -> Self {
        let owned = connections
            .iter()
            .map(|(id, table)| ((*id).to_owned(), (*table).to_owned()));
        let state = Arc::new(State {
            connections: owned.collect(),
            script: Mutex::new(script.into_iter().collect()),
            seen: Mutex::default(),
        });
        let shared = Arc::clone(&state);
        let server = HttpServer::new(move || {
            App::new()
                .app_data(Data::from(Arc::clone(&shared)))
                .route("/api/connections", web::get().to(list))
                .route("/api/ingest/{connection}", web::post().to(take))
        });
        let server = server.workers(1).bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", server.addrs().first().unwrap());
        let server = server.run();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        Self { url, state, handle }
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.state.seen.lock().unwrap().clone()
    }
}

impl Drop for StubService {
    fn drop(&mut self) {
        drop(self.handle.stop(false));
    }
}

async fn list(state: Data<State>) -> HttpResponse {
    if state.connections.is_empty() {
        return HttpResponse::NotFound().finish();
    }
    let listed = state.connections.iter().map(|(id, table)| {
        let (sector, bare) = table.split_once('.').unwrap();
        json!({"id": id, "sector": sector, "table": bare, "label": id, "provider": "push", "state": "active"})
    });
    HttpResponse::Ok().json(json!({"connections": listed.collect::<Vec<_>>()}))
}

async fn take(
    request: HttpRequest,
    connection: Path<String>,
    query: Query<Value>,
    body: Bytes,
    state: Data<State>,
) -> HttpResponse {
    let records = records_of(&body);
    let count = records.len();
    let authorization = request
        .headers()
        .get("authorization")
        .unwrap()
        .to_str()
        .unwrap();
    state.seen.lock().unwrap().push(Seen {
        connection: connection.into_inner(),
        authorization: authorization.to_owned(),
        is_partial: query.get("partial") == Some(&json!("true")),
        records,
    });
    match state.script.lock().unwrap().pop_front() {
        Some(Scripted::Unavailable) => HttpResponse::ServiceUnavailable()
            .insert_header(("Retry-After", "0"))
            .finish(),
        Some(Scripted::TooLarge) => HttpResponse::PayloadTooLarge().finish(),
        Some(Scripted::Unauthorized) => {
            HttpResponse::Unauthorized().json(json!({"error": "unauthorized"}))
        }
        Some(Scripted::Rejected(problem)) => stored(count - 1, &[problem]),
        None => stored(count, &[]),
    }
}

fn stored(count: usize, rejected: &[Value]) -> HttpResponse {
    let word = |index: usize| match rejected.iter().any(|problem| problem["index"] == index) {
        true => "rejected",
        false => "inserted",
    };
    let outcomes: Vec<_> = (0..count + rejected.len()).map(word).collect();
    HttpResponse::Ok().json(json!({
        "upserted": count, "inserted": count, "updated": 0, "unchanged": 0, "deleted": 0, "rejected": rejected, "outcomes": outcomes,
    }))
}

/// The records of a gzipped NDJSON body.
fn records_of(body: &[u8]) -> Vec<Value> {
    let mut text = String::new();
    flate2::read::GzDecoder::new(body)
        .read_to_string(&mut text)
        .unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}
