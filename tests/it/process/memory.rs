//! How much memory a push costs the service (docs/pushing.md#limits), as the kernel counts it for the process.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use nix::sys::signal::Signal;
use nix::unistd::Pid;
use reqwest::Method;
use serde_json::Value;

use super::service::Device;
use super::{Service, Setup};
use crate::support::users::in_scratch;

const RECORDS: usize = 100_000;
const BODY_BYTES: usize = 64 * 1024 * 1024;
/// By how much a push of 64 MB may raise the process's memory (docs/pushing.md#limits).
const RISE_KIB_MAX: u64 = 64 * 1024;
/// Pushes that are processed at one time.
const TOGETHER: usize = 4;
/// By how much as many large pushes may raise it together: 64 MB each, as each alone.
const RISE_TOGETHER_KIB_MAX: u64 = TOGETHER as u64 * RISE_KIB_MAX;
/// Records of the largest size. Memory depends on their size and not on their number, and a debug build parses
/// slowly.
const LARGE_RECORDS: usize = 2;
const LARGE_RECORD_BYTES: usize = 8 * 1024 * 1024 - 1024;
/// Small pushes sent at one time, and the records of each.
const CROWD: usize = 50;
const CROWD_RECORDS: usize = 20;

#[test]
fn a_push_of_64_mb_in_100_000_records_raises_memory_by_no_more() {
    in_scratch(async |home| {
        let service = Setup::in_home(home).start().await;
        let device = service.device("finance.transactions").await;
        // What the first push of a process allocates once is no cost of this one.
        send(&service, &device, body_of(10, 100), false).await;
        let body = body_of(RECORDS, BODY_BYTES / RECORDS);
        assert!(body.len() <= BODY_BYTES && body.len() > BODY_BYTES * 9 / 10);
        for is_packed in [false, true] {
            let before = memory_now(service.pid());
            let stored = send(&service, &device, body.clone(), is_packed).await;
            assert_eq!(stored, RECORDS as u64);
            let rise = memory_at_most(service.pid()).saturating_sub(before);
            assert!(rise <= RISE_KIB_MAX, "packed {is_packed}: {rise} KiB");
        }
        service.stop(Signal::SIGTERM).await;
    });
}

#[test]
fn samples_of_a_thousand_days_in_one_push_raise_memory_by_no_more() {
    in_scratch(async |home| {
        let service = Setup::in_home(home).start().await;
        let device = service.device("health.samples").await;
        send(&service, &device, samples(10), false).await;
        let body = samples(RECORDS);
        let before = memory_now(service.pid());
        let stored = send(&service, &device, body, false).await;
        assert_eq!(stored, RECORDS as u64);
        let rise = memory_at_most(service.pid()).saturating_sub(before);
        assert!(rise <= RISE_KIB_MAX, "{rise} KiB");
        service.stop(Signal::SIGTERM).await;
    });
}

#[test]
fn large_pushes_that_come_together_raise_memory_by_no_more_than_each_its_own() {
    in_scratch(async |home| {
        let service = Setup::in_home(home).start().await;
        let device = service.device("finance.transactions").await;
        send(&service, &device, body_of(10, 100), false).await;
        let body = large_body();
        let before = memory_now(service.pid());
        let pushes = (0..TOGETHER).map(|_| send(&service, &device, body.clone(), false));
        let stored = futures_util::future::join_all(pushes).await;
        assert_eq!(stored, [LARGE_RECORDS as u64; TOGETHER]);
        let rise = memory_at_most(service.pid()).saturating_sub(before);
        assert!(rise <= RISE_TOGETHER_KIB_MAX, "{rise} KiB");
        service.stop(Signal::SIGTERM).await;
    });
}

#[test]
fn a_crowd_of_small_pushes_is_stored_whole() {
    in_scratch(async |home| {
        let service = Setup::in_home(home).start().await;
        let device = service.device("finance.transactions").await;
        let body = body_of(CROWD_RECORDS, 300);
        let pushes = (0..CROWD).map(|_| send(&service, &device, body.clone(), false));
        let stored = futures_util::future::join_all(pushes).await;
        assert_eq!(stored, [CROWD_RECORDS as u64; CROWD]);
        service.stop(Signal::SIGTERM).await;
    });
}

/// Lines of records without an id, each of about this many bytes.
pub fn body_of(records: usize, record_bytes: usize) -> Vec<u8> {
    let mut body = String::with_capacity(records * record_bytes);
    for record in 0..records {
        let start = body.len();
        let _infallible = write!(
            body,
            "{{\"amount\":-{record},\"currency\":\"EUR\",\"booked_on\":\"2026-03-01\",\"description\":\""
        );
        let pad = record_bytes.saturating_sub(body.len() - start + 3);
        let _infallible = writeln!(body, "{}\"}}", "coffee ".repeat(pad / 7));
    }
    body.into_bytes()
}

/// Lines of samples without an offset, a quarter of an hour apart, which mark as many moments as possible.
fn samples(records: usize) -> Vec<u8> {
    let mut body = String::new();
    for record in 0..records {
        let at = chrono::DateTime::from_timestamp(1_600_000_000 + 900 * record as i64, 0).unwrap();
        let _infallible = writeln!(
            body,
            "{{\"id\":{record},\"metric\":\"steps\",\"value\":1,\"start_at\":\"{}\"}}",
            at.to_rfc3339()
        );
    }
    body.into_bytes()
}

/// Lines of the largest records: a text of the greatest length, in a member that the catalogue does not have.
fn large_body() -> Vec<u8> {
    let text = "x".repeat(LARGE_RECORD_BYTES);
    let line = |id: usize| {
        format!("{{\"id\":{id},\"amount\":1,\"booked_on\":\"2026-03-01\",\"x\":\"{text}\"}}\n")
    };
    (0..LARGE_RECORDS)
        .map(line)
        .collect::<String>()
        .into_bytes()
}

/// Pushes a body, and asks for the outcome of each record; returns how many records were stored.
async fn send(service: &Service, device: &Device, body: Vec<u8>, is_packed: bool) -> u64 {
    let request = service
        .request(Method::POST, &format!("{}?outcomes=true", device.path()))
        .bearer_auth(&device.secret)
        .header("content-type", "application/x-ndjson");
    let request = if is_packed {
        request
            .header("content-encoding", "gzip")
            .body(packed(&body))
    } else {
        request.body(body)
    };
    let stored: Value = request.send().await.unwrap().json().await.unwrap();
    let upserted = stored["upserted"]
        .as_u64()
        .unwrap_or_else(|| panic!("{stored}"));
    assert_eq!(
        stored["outcomes"].as_array().unwrap().len() as u64,
        upserted
    );
    upserted
}

fn packed(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

/// Resident memory in KiB; resets the high-water mark.
pub fn memory_now(pid: Pid) -> u64 {
    fs::write(format!("/proc/{pid}/clear_refs"), "5").unwrap();
    account(pid, "VmRSS:")
}

pub fn memory_at_most(pid: Pid) -> u64 {
    account(pid, "VmHWM:")
}

fn account(pid: Pid, entry: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(entry));
    let number = line.unwrap().split_whitespace().next();
    number.unwrap().parse().unwrap()
}
