//! Ten thousand idle streams of two agents, while a third is served.

use std::io::Read as _;

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::Signal;
use reqwest::Method;
use serde_json::json;

use super::request::{Request, Told};
use super::slow::files;
use super::{Setup, Target};
use crate::mcp::support::modern_meta;
use crate::process::memory::{memory_at_most, memory_now};
use crate::process::raw::Raw;
use crate::support::eventually::eventually;
use crate::support::skipped;
use crate::support::users::in_scratch;

const STREAMS: usize = 10_000;
/// Streams that are opened concurrently.
const AT_ONCE: usize = 200;
/// The service's maximum, if three quarters of the files it may have open are more; one agent may have half of it.
const CONNECTIONS_MAX: usize = 12_288;
/// Connections that are left for the honest agent where file descriptors are few.
const PLACES_LEFT: usize = 16;
/// File descriptors that this program may need for everything else.
const FILES_OF_OURS: usize = 2_000;
/// What one stream may cost: about twice of what it does, in a debug build and in a release build.
const STREAM_KIB_MAX: u64 = 24;

#[test]
fn ten_thousand_idle_streams_are_held_and_the_good_agent_is_served() {
    in_scratch(async |home| {
        let own = raise_own_limit();
        let target = Target::start(Setup::in_home(home)).await;
        let share = share(&target);
        let wanted = STREAMS
            .min(2 * share - PLACES_LEFT)
            .min(own.saturating_sub(FILES_OF_OURS));
        if wanted < STREAMS {
            skipped::for_want_of("ten thousand streams", &format!("files for {wanted} only"));
        }
        let (amy, bob) = (
            target.service.key("amy", &[]).await,
            target.service.key("bob", &[]).await,
        );
        target.serves_the_good_one().await;
        let (open, before) = (files(&target), memory_now(target.service.pid()));
        let of_bob = open_streams(&target, &bob, wanted / 2);
        let of_amy = open_streams(&target, &amy, wanted / 2);
        let each = (memory_at_most(target.service.pid()) - before) / wanted as u64;
        println!("{wanted} idle streams: {each} KiB each");
        assert!(each <= STREAM_KIB_MAX, "{each} KiB");
        target.serves_the_good_one().await;

        let revoke = target
            .service
            .call(Method::POST, "/api/agents/amy/revoke", None, 200);
        assert_eq!(revoke.await["sessionsEnded"], 1);
        for mut stream in of_amy {
            let rest = stream.rest();
            assert!(rest.contains("\"resultType\":\"complete\""), "{rest}");
            assert!(rest.ends_with("0\r\n\r\n"), "{rest}");
        }
        for stream in &of_bob {
            is_open(stream);
        }
        drop(of_bob);
        eventually("no stream is left", async || files(&target) <= open + 4).await;
        target.serves_the_good_one().await;
        target.service.stop(Signal::SIGTERM).await;
    });
}

/// Raises this program's limit of open files as far as allowed; returns it.
pub fn raise_own_limit() -> usize {
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    setrlimit(Resource::RLIMIT_NOFILE, most, most).unwrap();
    usize::try_from(most).unwrap()
}

/// The number of requests that one agent may have open, computed from the service's own limit of open files.
fn share(target: &Target) -> usize {
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", target.service.pid())).unwrap();
    let files = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"));
    let files: Vec<usize> = files
        .unwrap()
        .split_whitespace()
        .flat_map(str::parse)
        .collect();
    assert!(
        files[0] >= files[1].min(32_768),
        "raised at start: {files:?}"
    );
    (files[0] - files[0] / 4).min(CONNECTIONS_MAX) / 2
}

/// A request for a stream, by a client of this name.
pub fn listen(key: &str, client: &str) -> Vec<u8> {
    let mut meta = modern_meta();
    meta["io.modelcontextprotocol/clientInfo"]["name"] = json!(client);
    let params = json!({ "notifications": {}, "_meta": meta });
    let body =
        json!({ "jsonrpc": "2.0", "id": 7, "method": "subscriptions/listen", "params": params });
    Request {
        more: "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n".into(),
        body: body.to_string().into_bytes(),
        ..Request::list(key)
    }
    .bytes()
}

/// Reads up to the acknowledgement with which a stream begins.
pub fn acknowledged(raw: &mut Raw) {
    let mut read = Vec::new();
    let mut piece = [0; 2048];
    while !read.ends_with(b"\n\n\r\n") {
        let count = raw.0.read(&mut piece).unwrap();
        assert_ne!(count, 0, "{}", String::from_utf8_lossy(&read));
        read.extend(&piece[..count]);
    }
    let told = Told::read(&String::from_utf8(read).unwrap());
    assert_eq!(told.status, 200, "{told:?}");
    assert!(told.body.contains("acknowledged"), "{told:?}");
}

fn open_streams(target: &Target, key: &str, count: usize) -> Vec<Raw> {
    let request = listen(key, "idle");
    let mut streams = Vec::with_capacity(count);
    while streams.len() < count {
        let begun = streams.len();
        for _ in begun..count.min(begun + AT_ONCE) {
            let mut raw = target.connect();
            raw.send(&request);
            streams.push(raw);
        }
        streams[begun..].iter_mut().for_each(acknowledged);
    }
    streams
}

/// Whether nothing but comments has come, and no end.
fn is_open(stream: &Raw) {
    stream.0.set_nonblocking(true).unwrap();
    let mut piece = [0; 2048];
    match (&stream.0).read(&mut piece) {
        Ok(count) => {
            let told = String::from_utf8_lossy(&piece[..count]);
            assert!(count > 0 && !told.contains("data:"), "{told}");
        }
        Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock),
    }
}
