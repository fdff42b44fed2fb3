//! A home that misbehaves: a WebSocket server that answers as a test wants.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio_tungstenite::accept_async;
use tokio_tungstenite::tungstenite::Message;

use crate::support::sink::acceptor;

/// What is answered to a message: texts, each as it is.
type Answers = dyn Fn(&Value) -> Vec<String> + Send + Sync;

/// The server. It ends with its runtime.
pub struct FakeHome {
    pub address: SocketAddr,
    received: Arc<Mutex<Vec<Value>>>,
}

impl FakeHome {
    pub async fn start(answers: impl Fn(&Value) -> Vec<String> + Send + Sync + 'static) -> Self {
        Self::start_with(None, answers).await
    }

    /// The same, over TLS if there is a certificate.
    pub async fn start_with(
        certificate: Option<(&Path, &Path)>,
        answers: impl Fn(&Value) -> Vec<String> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let fake = Self {
            address: listener.local_addr().unwrap(),
            received: Arc::default(),
        };
        let received = Arc::clone(&fake.received);
        let (answers, tls): (Arc<Answers>, _) = (Arc::new(answers), certificate.map(acceptor));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // Where time is paused, nothing may wait for the kernel.
                stream.set_nodelay(true).unwrap();
                let (answers, received) = (Arc::clone(&answers), Arc::clone(&received));
                let tls = tls.clone();
                tokio::spawn(async move {
                    match tls {
                        // A client that does not trust the certificate leaves.
                        Some(tls) => {
                            if let Ok(stream) = tls.accept(stream).await {
                                serve(stream, answers, received).await;
                            }
                        }
                        None => serve(stream, answers, received).await,
                    }
                });
            }
        });
        fake
    }

    /// The messages of a type that came.
    pub fn received(&self, message_type: &str) -> Vec<Value> {
        let received = self.received.lock().unwrap();
        let of_type = received
            .iter()
            .filter(|message| message["type"] == message_type);
        of_type.cloned().collect()
    }
}

async fn serve(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    answers: Arc<Answers>,
    received: Arc<Mutex<Vec<Value>>>,
) {
    let mut socket = accept_async(stream).await.unwrap();
    let greeting = json!({"type": "auth_required", "ha_version": "2024.3.3"});
    let mut texts = vec![greeting.to_string()];
    loop {
        for text in texts.drain(..) {
            // The connector may have seen enough.
            if socket.send(Message::text(text)).await.is_err() {
                return;
            }
        }
        let Some(Ok(Message::Text(text))) = socket.next().await else {
            return;
        };
        let message: Value = serde_json::from_str(&text).unwrap();
        texts = answers(&message);
        received.lock().unwrap().push(message);
    }
}

/// What a small home answers: one light, without a registry entry.
pub fn small_home(message: &Value) -> Vec<String> {
    let result = match message["type"].as_str().unwrap() {
        "auth" => return vec![json!({"type": "auth_ok"}).to_string()],
        "ping" => {
            return vec![json!({"id": message["id"], "type": "pong"}).to_string()];
        }
        "get_config" => json!({"state": "RUNNING"}),
        "get_states" => json!([light("on")]),
        "history/history_during_period" => json!({}),
        kind if kind.ends_with("/list") => json!([]),
        _ => Value::Null,
    };
    vec![answer(message, &result)]
}

/// The answer to a message.
pub fn answer(message: &Value, result: &Value) -> String {
    json!({"id": message["id"], "type": "result", "success": true, "result": result}).to_string()
}

/// The event that the light changed, for the subscription that a message made.
pub fn light_changed(message: &Value, state: &str) -> String {
    let data = json!({"entity_id": "light.one", "new_state": light(state)});
    let event = json!({"event_type": "state_changed", "data": data});
    json!({"id": message["id"], "type": "event", "event": event}).to_string()
}

fn light(state: &str) -> Value {
    json!({
        "entity_id": "light.one", "state": state, "attributes": {"friendly_name": "One"},
        "last_changed": "2026-01-02T03:04:05.678901+00:00",
        "last_updated": "2026-01-02T03:04:05.678901+00:00",
        "context": {"id": "c"},
    })
}
