//! Slow clients: heads and bodies that never end, answers that nobody reads, and connections that are half closed.

use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

use nix::sys::signal::Signal;

use super::Target;
use super::request::{Request, Told};
use crate::process::memory::{memory_at_most, memory_now};
use crate::process::raw::Raw;
use crate::support::eventually::eventually;
use crate::support::users::in_scratch;

/// Connections of each kind.
const SLOW: usize = 100;
/// Those that send a byte now and then, which must not extend their time limit.
const TRICKLING: usize = 5;
const TRICKLE: Duration = Duration::from_millis(500);
/// The largest body, and how many of them one agent may have in progress.
const BODY_BYTES: usize = 4 * 1024 * 1024;
const BODIES: usize = 8;
/// Connections whose unread answers are more than any socket's buffers hold.
const STALLED: usize = 10;
const ANSWERS: usize = 500;
const RISE_KIB_MAX: u64 = 128 * 1024;

#[test]
fn whoever_is_slow_is_cut_off_and_keeps_nobody_waiting() {
    in_scratch(async |home| {
        let target = Target::in_home(home).await;
        let (slow, hoarder) = (
            target.service.key("slow", &[]).await,
            target.service.key("hoarder", &[]).await,
        );
        target.serves_the_good_one().await;
        let (open, before) = (files(&target), memory_now(target.service.pid()));
        let log = target.log();

        let heads = (0..SLOW).map(|turn| slow_head(&target, turn < TRICKLING));
        let heads: Vec<_> = heads.collect();
        let bodies = (0..SLOW).map(|turn| slow_body(&target, &slow, turn < TRICKLING));
        let bodies: Vec<_> = bodies.collect();
        let hoard = hoard(&target, &hoarder);
        let stalled = stalled(&target, &slow);
        target.serves_the_good_one().await;
        // A request with a wrong key does not wait for its body, and only the agent that hoards is refused for it.
        let mut stranger = target.connect();
        let request = Request::list("sxt_wrong");
        stranger.send(request.head());
        assert_eq!(Told::read(&stranger.rest()).status, 401);
        target.serves_the_good_one().await;
        half_gone(&target, &slow);
        target.serves_the_good_one().await;

        for head in heads {
            let told = head.join().unwrap();
            assert!(told.is_empty() || Told::read(&told).status == 408, "{told}");
        }
        target.serves_the_good_one().await;
        let hoard: Vec<_> = hoard.into_iter().map(|body| body.join().unwrap()).collect();
        hoarded(&hoard);
        for body in bodies {
            let told = Told::read(&body.join().unwrap());
            assert_eq!(told.status, 408, "{told:?}");
            told.is_well_formed("a slow body");
        }
        let rise = memory_at_most(target.service.pid()).saturating_sub(before);
        assert!(rise <= RISE_KIB_MAX, "{rise} KiB");
        target.serves_the_good_one().await;
        eventually("no connection is left", async || files(&target) <= open + 4).await;
        drop(stalled);
        assert_eq!(target.log(), log);
        target.service.stop(Signal::SIGTERM).await;
    });
}

/// The number of files that the service has open.
pub fn files(target: &Target) -> usize {
    let open = std::fs::read_dir(format!("/proc/{}/fd", target.service.pid()));
    open.unwrap().count()
}

/// Sends the beginning, then perhaps a byte from time to time until it is disconnected; returns the answer.
fn slowly(mut raw: Raw, beginning: Vec<u8>, trickles: bool) -> JoinHandle<String> {
    std::thread::spawn(move || {
        // The service may refuse and close while this is still sending.
        let _sent = raw.0.write_all(&beginning);
        let (_until_cut_off, cut_off) = mpsc::channel::<()>();
        if trickles {
            let mut sending = raw.0.try_clone().unwrap();
            std::thread::spawn(move || {
                let goes_on = || cut_off.recv_timeout(TRICKLE) == Err(RecvTimeoutError::Timeout);
                while goes_on() && sending.write_all(b"a").is_ok() {}
            });
        }
        let mut told = Vec::new();
        // A byte that arrives after the close turns it into a reset.
        let _end = raw.0.read_to_end(&mut told);
        String::from_utf8(told).unwrap()
    })
}

fn slow_head(target: &Target, trickles: bool) -> JoinHandle<String> {
    slowly(
        target.connect(),
        b"POST /mcp HTTP/1.1\r\nHost: 127.0".to_vec(),
        trickles,
    )
}

fn slow_body(target: &Target, key: &str, trickles: bool) -> JoinHandle<String> {
    let request = Request {
        framing: Some("Content-Length: 100000\r\n"),
        body: b"{\"jsonrpc\":".to_vec(),
        ..Request::list(key)
    };
    slowly(target.connect(), request.bytes(), trickles)
}

/// One body more than an agent may have in progress, each complete but for its last byte.
fn hoard(target: &Target, key: &str) -> Vec<JoinHandle<String>> {
    let announced = format!("Content-Length: {BODY_BYTES}\r\n");
    let almost = Request {
        framing: Some(&announced),
        body: vec![b' '; BODY_BYTES - 1],
        ..Request::list(key)
    };
    (0..=BODIES)
        .map(|_| slowly(target.connect(), almost.bytes(), false))
        .collect()
}

/// All but one wait for their end; the one too many may be disconnected while it sends, before it can read the
/// reason.
fn hoarded(told: &[String]) {
    let statuses = |status: u16| {
        let has = |told: &&String| !told.is_empty() && Told::read(told).status == status;
        told.iter().filter(has).count()
    };
    assert_eq!(statuses(408), BODIES, "{told:?}");
    let refused = told
        .iter()
        .find(|told| !told.is_empty() && !told.contains(" 408 "));
    if let Some(refused) = refused.map(|told| Told::read(told)) {
        assert_eq!((refused.status, refused.code()), (503, (-31_002).into()));
        assert!(refused.head.contains("retry-after: 1"), "{refused:?}");
    }
}

fn stalled(target: &Target, key: &str) -> Vec<Raw> {
    let asked = Request::list(key).kept().repeat(ANSWERS);
    let ask = |_| {
        let mut raw = target.connect();
        raw.send(&asked);
        raw
    };
    (0..STALLED).map(ask).collect()
}

/// Streams whose clients have closed their sending side, or have reset the connection: each is given up.
fn half_gone(target: &Target, key: &str) {
    let listen = super::streams::listen(key, "half");
    for turn in 0..SLOW {
        let mut raw = target.connect();
        raw.send(&listen);
        if turn % 2 == 0 {
            // Closing a socket with unread bytes sends a reset.
            raw.0.peek(&mut [0]).unwrap();
        } else {
            super::streams::acknowledged(&mut raw);
            raw.0.shutdown(Shutdown::Write).unwrap();
            raw.rest();
        }
    }
}
