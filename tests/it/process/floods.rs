//! Bodies that never end and decompression bombs: the answer, how much is read, and that nothing is kept.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use nix::sys::signal::Signal;
use nix::unistd::Pid;
use reqwest::Method;
use serde_json::{Value, json};

use super::memory::{memory_at_most, memory_now};
use super::raw::Raw;
use super::service::Device;
use super::{Service, Setup};
use crate::support::eventually::eventually;
use crate::support::users::in_scratch;

const MIB: usize = 1024 * 1024;
/// What a flood sends in one write, and the unit that a bomb repeats.
const PIECE_BYTES: usize = MIB;
const GIB_PIECES: usize = 1024;
/// By how much a refused body may raise the memory: its buffers, whatever length it announces or sends.
const FLOOD_RISE_KIB_MAX: u64 = 16 * 1024;
/// The limit on a body while bombs are sent; low, because a debug build parses slowly.
const BOMBED_BODY_MB: &str = "16";
/// By how much a bomb may raise the memory: one record of 8 MB while it is read.
const BOMB_RISE_KIB_MAX: u64 = 64 * 1024;

#[test]
fn r081_a_body_without_end_is_refused_and_costs_no_memory() {
    in_scratch(async |home| {
        let service = Setup::in_home(home).start().await;
        let device = service.device("finance.transactions").await;
        warm_up(&service, &device).await;
        let length = "Content-Type: application/json\r\nContent-Length: 1099511627776\r\n";
        let chunked = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
        for (secret, head, status) in [
            ("wrong", length, 401),
            ("wrong", chunked, 401),
            (device.secret.as_str(), length, 413),
            (device.secret.as_str(), chunked, 413),
        ] {
            let before = memory_now(service.pid());
            let mut raw = Raw::to(&service.console);
            raw.head(&device.path(), secret, head);
            let answer = flood(raw, head == chunked);
            assert!(
                answer.starts_with(&format!("http/1.1 {status} ")),
                "{answer}"
            );
            assert!(answer.contains("connection: close"), "{answer}");
            let rise = memory_at_most(service.pid()).saturating_sub(before);
            assert!(rise <= FLOOD_RISE_KIB_MAX, "{status} {head}: {rise} KiB");
            nothing_is_left(&service).await;
        }
        let outcome = |row: &Value| {
            json!([
                row["decision"],
                row["deny_reason"],
                row["outcome"],
                row["result_count"]
            ])
        };
        let denied = json!(["deny", "unauthorized", null, null]);
        let failed = json!(["allow", null, "error", null]);
        let stored = json!(["allow", null, "ok", 1]);
        rows_are(
            &service,
            &[&failed, &failed, &denied, &denied, &stored],
            outcome,
        )
        .await;
        service.stop(Signal::SIGTERM).await;
    });
}

#[test]
fn a_bomb_is_refused_by_the_bound_it_breaks() {
    in_scratch(async |home| {
        let setup = Setup::in_home(home).env("INGEST_MAX_BODY_MB", BOMBED_BODY_MB);
        let service = setup.start().await;
        let device = service.device("finance.transactions").await;
        warm_up(&service, &device).await;
        let (json, lines) = ("application/json", "application/x-ndjson");
        let (gzip, zstd) = ("gzip", "zstd");
        let bombs = [
            ("blanks", json, gzip, "[", " ", 413, "16777216 bytes"),
            ("blanks", json, zstd, "[", "\n", 413, "16777216 bytes"),
            ("empty lines", lines, gzip, "", "\n", 413, "16777216 bytes"),
            ("a text", json, gzip, "[\"", "x", 400, "record 0 is larger"),
            (
                "a text",
                json,
                zstd,
                "{\"records\":[{},{\"x\":\"",
                "\\ud800",
                400,
                "record 1 is larger",
            ),
            ("a name", json, gzip, "[{\"", "x", 400, "record 0 is larger"),
            (
                "a number",
                json,
                gzip,
                "[{\"x\":",
                "7",
                400,
                "record 0 is larger",
            ),
            ("levels", json, gzip, "", "[", 400, "64 levels"),
            (
                "levels of a record",
                json,
                zstd,
                "[",
                "{\"a\":",
                400,
                "64 levels",
            ),
            (
                "what is not asked for",
                json,
                gzip,
                "{\"other\":\"",
                "x",
                400,
                "record 0 is larger",
            ),
            ("values", json, gzip, "[[", "0,", 400, "100000 values"),
            (
                "a line",
                lines,
                gzip,
                "{\"x\":\"",
                "x",
                400,
                "record 0 is larger",
            ),
            ("a line", lines, zstd, "", "x", 400, "record 0 is larger"),
        ];
        for (name, form, encoding, start, piece, status, said) in bombs {
            let body = bomb(encoding, start, piece);
            assert!(body.len() < 2 * MIB, "{name}: small on the wire");
            let before = memory_now(service.pid());
            let sent = service
                .request(Method::POST, &device.path())
                .bearer_auth(&device.secret)
                .header("content-type", form)
                .header("content-encoding", encoding)
                .body(body);
            let answer = sent.send().await.unwrap();
            let (given, text) = (answer.status(), answer.text().await.unwrap());
            assert_eq!(given, status, "{name}: {text}");
            assert!(text.contains(said) && text.len() < 1_000, "{name}: {text}");
            let rise = memory_at_most(service.pid()).saturating_sub(before);
            assert!(rise <= BOMB_RISE_KIB_MAX, "{name}: {rise} KiB");
            nothing_is_left(&service).await;
        }
        let mut rows = vec![json!(["error", null]); bombs.len()];
        rows.push(json!(["ok", 1]));
        let rows: Vec<&Value> = rows.iter().collect();
        rows_are(&service, &rows, |row| {
            json!([row["outcome"], row["result_count"]])
        })
        .await;
        service.stop(Signal::SIGTERM).await;
    });
}

/// A body of `start` and then gigabytes of `piece`: members that are compressed once and repeated.
fn bomb(encoding: &str, start: &str, piece: &str) -> Vec<u8> {
    let piece = packed(encoding, &piece.repeat(PIECE_BYTES / piece.len()));
    [packed(encoding, start), piece.repeat(GIB_PIECES)].concat()
}

fn packed(encoding: &str, plain: &str) -> Vec<u8> {
    if encoding == "zstd" {
        return zstd::encode_all(plain.as_bytes(), 3).unwrap();
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// Sends a body without end until it is disconnected; returns the head of the answer, which is read meanwhile.
fn flood(mut raw: Raw, is_chunked: bool) -> String {
    let mut sending = raw.0.try_clone().unwrap();
    let mut piece = vec![b' '; PIECE_BYTES];
    if is_chunked {
        piece.splice(..0, format!("{PIECE_BYTES:x}\r\n").into_bytes());
        piece.extend(b"\r\n");
    }
    let endless = std::thread::spawn(move || while sending.write_all(&piece).is_ok() {});
    let (head, _) = raw.answer();
    endless.join().unwrap();
    head
}

/// What the first push of a process allocates once is no cost of later ones.
async fn warm_up(service: &Service, device: &Device) {
    let record =
        json!([{ "id": "first", "amount": -1, "currency": "EUR", "booked_on": "2026-03-01" }]);
    let answer = service
        .push(device, record.to_string())
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 200);
}

/// Asserts that the files to which pushes were spooled are gone.
async fn nothing_is_left(service: &Service) {
    eventually("no spool is open", async || spools(service.pid()) == 0).await;
    assert_eq!(
        service.health().await.map(|status| status.as_u16()),
        Some(200)
    );
}

/// The number of open files without a name.
pub fn spools(pid: Pid) -> usize {
    let open = fs::read_dir(format!("/proc/{pid}/fd")).unwrap();
    open.flatten()
        .filter_map(|entry| fs::read_link(entry.path()).ok())
        .filter(|link| link.to_string_lossy().ends_with("(deleted)"))
        .count()
}

/// Asserts the newest audit rows of pushes, newest first, once all are there.
async fn rows_are(service: &Service, expected: &[&Value], told: fn(&Value) -> Value) {
    eventually("each push has its row", async || {
        service.audit_rows("ingest").await.len() >= expected.len()
    })
    .await;
    let rows: Vec<Value> = service
        .audit_rows("ingest")
        .await
        .iter()
        .map(told)
        .collect();
    assert_eq!(rows.iter().collect::<Vec<_>>(), expected);
}
