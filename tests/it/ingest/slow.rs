//! Devices that are slow, disconnect, or send malformed HTTP: raw sockets, against a service with short time limits.

use std::net::Shutdown;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use serde_json::{Value, json};

use super::{Device, coffee, counts, rows};
use crate::process::raw::Raw;
use crate::support::TestApp;
use crate::support::app::settings;
use crate::support::eventually::eventually;

const SILENCE_MAX: Duration = Duration::from_secs(2);
/// Well within the silence that is allowed.
const PAUSE: Duration = Duration::from_millis(20);
/// Waiting longer than this fails the test.
const PATIENCE: Duration = Duration::from_secs(60);
/// Bodies that may arrive at one time.
const PLACES: usize = 8;
const JSON: &str = "Content-Type: application/json\r\n";
const CHUNKED: &str = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n";

/// A service that ends a body after `silence_max` without a byte.
async fn app(silence_max: Duration) -> TestApp {
    let mut settings = settings();
    settings.pushes.silence_max = silence_max;
    settings.pushes.bodies_at_once_max = PLACES;
    TestApp::start_with(settings).await
}

fn record(id: &str) -> String {
    json!([coffee(id, -1.0)]).to_string()
}

fn length(bytes: usize) -> String {
    format!("{JSON}Content-Length: {bytes}\r\n")
}

/// Runs `talk` on a connection whose head has been sent, on a thread that may block.
async fn on_a_socket<T: Send + 'static>(
    device: &Device<'_>,
    head: String,
    talk: impl FnOnce(&mut Raw) -> T + Send + 'static,
) -> T {
    let (address, path, secret) = (
        device.app.address().to_string(),
        device.path(),
        device.secret.clone(),
    );
    let talked = actix_web::rt::task::spawn_blocking(move || {
        let mut raw = Raw::to(&address);
        talk(raw.head(&path, &secret, &head))
    });
    talked.await.unwrap()
}

/// A device that sends a byte now and then, until the returned value is dropped.
fn dripping(device: &Device<'_>) -> Sender<()> {
    let mut raw = Raw::to(&device.app.address().to_string());
    raw.head(&device.path(), &device.secret, &length(1_000_000));
    let (alive, told) = channel();
    std::thread::spawn(move || {
        while told.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
            raw.send(" ");
        }
    });
    alive
}

/// The outcomes of pushes in the audit log, oldest first.
async fn outcomes(app: &TestApp, pushes: usize) -> Vec<Value> {
    let mut rows = Vec::new();
    eventually("each push has its row", async || {
        let page = app.audit("?limit=500&tool=ingest").await.expect(200);
        rows = page["rows"].as_array().unwrap().clone();
        rows.len() >= pushes
    })
    .await;
    rows.iter()
        .rev()
        .map(|row| json!([row["decision"], row["outcome"], row["result_count"]]))
        .collect()
}

async fn stored(app: &TestApp) -> usize {
    rows(app, "SELECT id FROM finance.transactions").await.len()
}

#[actix_web::test]
async fn silence_ends_a_push_and_a_byte_now_and_then_does_not() {
    let app = app(SILENCE_MAX).await;
    let device = Device::of(&app, "finance.transactions").await;
    for head in [length(100), CHUNKED.to_owned()] {
        let silent = on_a_socket(&device, head, |raw| raw.send("5\r\n[{\"id").rest()).await;
        assert!(
            silent.starts_with("HTTP/1.1 400") && silent.contains("send the push again"),
            "{silent}"
        );
    }
    let body = record("slow");
    let (head, answer) = on_a_socket(&device, length(body.len()), move |raw| {
        let (_never, told) = channel::<()>();
        for byte in body.bytes() {
            assert_eq!(told.recv_timeout(PAUSE), Err(RecvTimeoutError::Timeout));
            raw.send([byte]);
        }
        raw.answer()
    })
    .await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert_eq!(counts(&answer), [1, 0, 0, 0]);
    let (failed, done) = (json!(["allow", "error", null]), json!(["allow", "ok", 1]));
    assert_eq!(outcomes(&app, 3).await, [failed.clone(), failed, done]);
    assert_eq!(stored(&app).await, 1);
}

#[actix_web::test]
async fn slow_senders_hold_up_nobody_until_all_places_are_theirs() {
    let app = app(SILENCE_MAX).await;
    let device = Device::of(&app, "finance.transactions").await;
    let slow: Vec<_> = (1..PLACES).map(|_| dripping(&device)).collect();
    // These are more than may be stored at one time, and a valid push is stored all the same.
    let good = device.store(json!([coffee("good", -1.0)]));
    let stored = tokio::time::timeout(PATIENCE, good).await;
    assert_eq!(counts(&stored.unwrap()), [1, 0, 0, 0]);
    let last = dripping(&device);
    eventually("a push finds no place", async || {
        let answer = device.push(json!([coffee("late", -1.0)])).await;
        assert!([200, 503].contains(&answer.status.as_u16()), "{answer:?}");
        answer.status == 503
    })
    .await;
    drop((slow, last));
    eventually("a place is free again", async || {
        device.push(json!([coffee("after", -1.0)])).await.status == 200
    })
    .await;
}

#[actix_web::test]
async fn a_device_that_goes_away_leaves_nothing_and_one_that_only_stops_sending_is_answered() {
    let app = app(SILENCE_MAX * 30).await;
    let device = Device::of(&app, "finance.transactions").await;
    for head in [length(100), CHUNKED.to_owned()] {
        on_a_socket(&device, head, |raw| {
            raw.send("5\r\n[{\"id");
        })
        .await;
    }
    assert_eq!(
        outcomes(&app, 2).await,
        vec![json!(["allow", "error", null]); 2]
    );
    let half_closed = |raw: &mut Raw| {
        raw.0.shutdown(Shutdown::Write).unwrap();
        raw.rest()
    };
    let body = record("half");
    let answer = on_a_socket(&device, length(body.len()), move |raw| {
        half_closed(raw.send(&body))
    })
    .await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let cut = on_a_socket(&device, length(100), move |raw| half_closed(raw.send("["))).await;
    assert!(!cut.contains("200 OK"), "{cut}");
    assert_eq!(stored(&app).await, 1);
}

#[actix_web::test]
async fn http_that_is_none_stores_nothing() {
    let app = app(SILENCE_MAX).await;
    let device = Device::of(&app, "finance.transactions").await;
    let body = record("a");
    let bytes = body.len();
    let chunks = format!("{bytes:x}\r\n{body}\r\n0\r\n\r\n");
    for (head, sent) in [
        (CHUNKED.to_owned(), format!("zz\r\n{body}\r\n0\r\n\r\n")),
        (CHUNKED.to_owned(), format!("-1\r\n{body}\r\n0\r\n\r\n")),
        (
            CHUNKED.to_owned(),
            format!("ffffffffffffffffff\r\n{body}\r\n0\r\n\r\n"),
        ),
        (
            CHUNKED.to_owned(),
            format!("{:x}\r\n{body}\r\n0\r\n\r\n", bytes - 1),
        ),
        (
            CHUNKED.to_owned(),
            format!("{:x}\r\n{body}\r\n0\r\n\r\n", bytes + 5),
        ),
        (length(bytes + 1), body.clone()),
        (length(bytes - 1), body.clone()),
        (format!("{JSON}Content-Length: -1\r\n"), body.clone()),
        (format!("{JSON}Content-Length: +{bytes}\r\n"), body.clone()),
        (
            format!("{JSON}Content-Length: 0x{bytes:x}\r\n"),
            body.clone(),
        ),
        (
            format!("{JSON}Content-Length: 99999999999999999999\r\n"),
            body.clone(),
        ),
        (
            format!("{}Content-Length: {bytes}\r\n", length(bytes)),
            body.clone(),
        ),
        (
            format!("{}Content-Length: 2\r\n", length(bytes)),
            body.clone(),
        ),
        (
            format!("{CHUNKED}Content-Length: {bytes}\r\n"),
            chunks.clone(),
        ),
        (
            format!("{JSON}Transfer-Encoding: gzip, chunked\r\n"),
            chunks.clone(),
        ),
        (
            format!("{JSON}Transfer-Encoding: chunked, identity\r\n"),
            chunks.clone(),
        ),
    ] {
        let answer = on_a_socket(&device, head.clone(), move |raw| raw.send(&sent).rest()).await;
        assert!(
            answer.starts_with("HTTP/1.1 4") || answer.is_empty(),
            "{head}: {answer}"
        );
        assert_eq!(stored(&app).await, 0, "{head}");
    }
    device.store(json!([coffee("good", -1.0)])).await;
}

#[actix_web::test]
async fn what_is_sent_behind_a_push_is_a_push_of_its_own() {
    let app = app(SILENCE_MAX).await;
    let device = Device::of(&app, "finance.transactions").await;
    let push = |id: &str, secret: &str| {
        let body = record(id);
        let head = length(body.len());
        format!(
            "POST {} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {secret}\r\n{head}\r\n{body}",
            device.path()
        )
    };
    let (one, two) = (push("one", &device.secret), push("two", &device.secret));
    let refused = push("three", "wrong");
    let address = app.address().to_string();
    let answers = actix_web::rt::task::spawn_blocking(move || {
        let mut raw = Raw::to(&address);
        raw.send([one, two, refused].concat());
        (raw.answer(), raw.answer(), raw.rest())
    });
    let (first, second, rest) = answers.await.unwrap();
    assert_eq!(
        (counts(&first.1), counts(&second.1)),
        ([1, 0, 0, 0], [1, 0, 0, 0])
    );
    assert_eq!(rest.matches("HTTP/1.1 ").count(), 1, "{rest}");
    assert!(rest.starts_with("HTTP/1.1 401"), "{rest}");
    assert_eq!(outcomes(&app, 3).await.len(), 3);
    assert_eq!(stored(&app).await, 2);
}
