//! `sextant demo`, the real binary: what it shows, that it leaves nothing behind, and how it ends.

use std::fs;
use std::path::Path;

use nix::sys::signal::Signal;

use super::Setup;
use crate::support::users::{as_root_and_as_a_user, in_scratch};

/// A demonstration whose temporary folder is in `home`.
fn demo(home: &Path) -> Setup {
    Setup::bare(home)
        .env("TMPDIR", home.to_str().unwrap())
        .env("TZ", "Europe/Berlin")
        .argument("demo")
}

/// The temporary folders left in `home`. A server cannot run on a folder that has been removed.
fn left(home: &Path) -> Vec<String> {
    let names = fs::read_dir(home)
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    names
        .map(|name| name.into_string().unwrap())
        .filter(|name| name.starts_with("sextant-"))
        .collect()
}

#[test]
fn it_shows_the_whole_of_it_and_leaves_nothing_behind() {
    as_root_and_as_a_user(
        "process::demo::it_shows_the_whole_of_it_and_leaves_nothing_behind",
        async |home| {
            let (status, out, err) = demo(home).run_to_end().await;
            assert!(status.success(), "{status}\n{out}\n{err}");
            assert_eq!(err, "", "{out}");
            for told in [
                "finance.transactions",
                "records in all",
                "It connects over MCP 20",
                "describe_context",
                "What did we spend",
                "rent",
                "-1680.00 EUR",
                "with ",
                "asleep ",
                "access denied: mail",
                "What the record kept",
                "deny",
            ] {
                assert!(out.contains(told), "{told} is not in\n{out}");
            }
            assert!(
                !out.contains("sxt_"),
                "the key is gone with the rest, so nobody needs it"
            );
            assert_eq!(left(home), [""; 0]);
        },
    );
}

#[test]
fn nothing_of_the_surroundings_is_in_its_way() {
    in_scratch(async |home| {
        fs::write(home.join("config.toml"), "rest_port = \"none\"").unwrap();
        fs::write(home.join(".env"), "no line of such a file").unwrap();
        let run = demo(home)
            .env("DATABASE_URL", "postgresql://nowhere.example.org/none")
            .env("REST_PORT", "eighty")
            .env("HTTP_PROXY", "http://127.0.0.1:1")
            .env("http_proxy", "http://127.0.0.1:1")
            .env("BIND", "192.0.2.1");
        let (status, out, err) = run.run_to_end().await;
        assert!(status.success(), "{status}\n{out}\n{err}");
    });
}

#[test]
fn ctrl_c_in_the_middle_ends_it_and_leaves_nothing() {
    in_scratch(async |home| {
        let mut running = demo(home).spawn();
        running.says("A private database").await;
        running.signal(Signal::SIGINT);
        let (status, _) = running.wait_for_end().await;
        assert_eq!(status.code(), Some(130));
        assert_eq!(left(home), [""; 0]);
        let mut running = demo(home).spawn();
        running.says("A sample household").await;
        running.signal(Signal::SIGTERM);
        let (status, _) = running.wait_for_end().await;
        assert_eq!(status.code(), Some(130));
        assert_eq!(left(home), [""; 0]);
    });
}

#[test]
fn kept_it_serves_until_ctrl_c() {
    in_scratch(async |home| {
        let mut running = demo(home).argument("--keep").spawn();
        let console = running.says("  Console  ").await;
        let agents = running.says("  agents   ").await;
        let key = running.says("  key      ").await;
        let http = crate::support::http::builder().build().unwrap();
        let health = http.get(format!("{console}/healthz")).send();
        let health = health.await.unwrap();
        assert_eq!(health.status(), 200);
        let client = crate::mcp::support::client::Client::new(&agents, Some(key));
        client.session().await;
        running.signal(Signal::SIGINT);
        let (status, _) = running.wait_for_end().await;
        assert!(status.success(), "{status}");
        assert_eq!(left(home), [""; 0]);
    });
}

#[test]
fn without_postgresql_it_advises_as_the_service_does() {
    in_scratch(async |home| {
        let without = |setup: Setup| {
            setup
                .env("PATH", "/nowhere")
                .env("PG_BIN_DIR", home.to_str().unwrap())
        };
        let (status, out, err) = without(demo(home)).run_to_end().await;
        assert_eq!(status.code(), Some(1), "{out}");
        let (_, _, expected) = without(Setup::in_home(home)).run_to_end().await;
        assert_eq!(err.lines().last(), expected.lines().last());
        assert_eq!(left(home), [""; 0]);
    });
}
