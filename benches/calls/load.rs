//! Clients that each make a call as soon as the last one is answered.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::anchors::{Anchor, VARIANTS};
use super::processor;
use super::wire::Wire;

/// Numbers of concurrent clients.
pub const CLIENTS: [usize; 3] = [1, 8, 32];
pub const CLIENTS_MAX: usize = 32;
/// Calls of each client before the clock starts: after them connections, prepared statements and plans exist.
const WARM_UP_CALLS: usize = 12;

/// One client of a server.
pub struct Caller {
    pub address: SocketAddr,
    /// The head of each request, up to its length.
    pub head: String,
    /// The `params` of a call for an anchor's variant.
    pub params: fn(&Anchor, usize) -> Value,
    /// How many rows an answer's text holds.
    pub rows: fn(&str) -> usize,
}

/// A client and its requests, which are sent in turn.
pub struct Connection {
    wire: Wire,
    requests: Vec<Vec<u8>>,
    /// No answer is shorter, unless it is an error.
    bytes_min: usize,
}

/// The result of a run.
#[derive(Default)]
pub struct Run {
    /// How long calls took: each, or a sample of them.
    pub latencies: Vec<Duration>,
    pub calls: usize,
    pub lasted: Duration,
    /// Processor time of the clients.
    pub asking: Duration,
}

/// The bytes of a whole request.
pub fn request(head: &str, message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// Connects the callers, and checks the answers of each.
pub async fn connect(callers: &[Caller], anchor: &Anchor) -> Vec<Connection> {
    join_all(callers.iter().map(|caller| warm(caller, anchor))).await
}

async fn warm(caller: &Caller, anchor: &Anchor) -> Connection {
    let mut wire = Wire::open(caller.address).await;
    let requests = (0..VARIANTS).map(|variant| {
        let params = (caller.params)(anchor, variant);
        let message =
            json!({"jsonrpc": "2.0", "id": variant, "method": "tools/call", "params": params});
        request(&caller.head, &message)
    });
    let requests: Vec<Vec<u8>> = requests.collect();
    let mut bytes_min = usize::MAX;
    for call in 0..WARM_UP_CALLS {
        let answer = wire.ask(requests.get(call % VARIANTS).unwrap()).await;
        let told = String::from_utf8_lossy(answer.body);
        assert_eq!(answer.status, 200, "{told}");
        // The SQL requests one row more, by which the service knows whether there are more.
        let rows = rows(caller, &told);
        assert!(rows == anchor.rows || rows == anchor.rows + 1, "{told}");
        bytes_min = bytes_min.min(answer.body.len());
    }
    Connection {
        wire,
        requests,
        // Numbers and names differ by a few bytes.
        bytes_min: bytes_min * 9 / 10,
    }
}

/// The number of rows in a JSON answer, or in the event that holds one.
fn rows(caller: &Caller, told: &str) -> usize {
    let json = told.get(told.find('{').unwrap()..).unwrap();
    let mut values = serde_json::Deserializer::from_str(json).into_iter::<Value>();
    let answer = values.next().unwrap().unwrap();
    let content = answer.pointer("/result/content").and_then(Value::as_array);
    let texts = content
        .unwrap()
        .iter()
        .filter_map(|block| block.get("text"));
    texts.filter_map(Value::as_str).map(caller.rows).sum()
}

/// Runs all connections for this time.
pub async fn run(connections: &mut [Connection], time: Duration) -> Run {
    let (start, asking) = (Instant::now(), processor::used_here());
    let end = start + time;
    let latencies = join_all(connections.iter_mut().map(|each| each.ask_until(end))).await;
    let latencies: Vec<Duration> = latencies.into_iter().flatten().collect();
    Run {
        calls: latencies.len(),
        latencies,
        lasted: start.elapsed(),
        asking: processor::used_here() - asking,
    }
}

impl Connection {
    async fn ask_until(&mut self, end: Instant) -> Vec<Duration> {
        let mut latencies = Vec::new();
        let mut begun = Instant::now();
        for request in self.requests.iter().cycle() {
            if begun >= end {
                break;
            }
            let answer = self.wire.ask(request).await;
            assert!(answer.status == 200 && answer.body.len() >= self.bytes_min);
            let now = Instant::now();
            latencies.push(now - begun);
            begun = now;
        }
        latencies
    }
}
