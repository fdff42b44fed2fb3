//! What keeps the service from starting, and its message.

use std::net::TcpListener;

use nix::sys::signal::Signal;
use reqwest::Method;

use super::Setup;
use super::service::postgres_of;
use crate::support::TestDatabase;
use crate::support::users::in_scratch;

#[test]
fn a_port_that_is_taken_is_named_with_its_setting() {
    in_scratch(async |home| {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = taken.local_addr().unwrap().port().to_string();
        for setting in ["REST_PORT", "MCP_PORT"] {
            let (status, said, complained) =
                Setup::in_home(home).env(setting, &port).run_to_end().await;
            assert!(!status.success() && said.is_empty(), "{status} {said}");
            for word in [setting, port.as_str()] {
                assert!(complained.contains(word), "{complained} lacks {word}");
            }
            assert!(!home.join("data").exists(), "a database was made for it");
        }
    });
}

#[test]
fn r509_a_second_process_on_the_same_data_directory_is_told_who_holds_it() {
    in_scratch(async |home| {
        let first = Setup::in_home(home).start().await;
        let (status, said, complained) = Setup::in_home(home).run_to_end().await;
        assert!(!status.success() && said.is_empty(), "{status} {said}");
        assert!(
            complained.contains(&first.pid().to_string()),
            "{complained}"
        );
        first.becomes(200).await;
        first.stop(Signal::SIGTERM).await;
    });
}

#[test]
fn r509_a_second_process_on_the_same_address_is_told_who_holds_it() {
    in_scratch(async |home| {
        let database = TestDatabase::create().await;
        let elsewhere = || Setup::in_home(home).env("DATABASE_URL", &database.url());
        let first = elsewhere().start().await;
        first.becomes(200).await;
        let (status, said, complained) = elsewhere().run_to_end().await;
        assert!(!status.success() && said.is_empty(), "{status} {said}");
        let pid = format!("pid {}", first.pid());
        assert!(complained.contains(&pid), "{complained}");
        assert!(postgres_of(home).is_none(), "a private server was made");
        first.key("reader", &["mail"]).await;
        first.stop(Signal::SIGTERM).await;
        let again = elsewhere().start().await;
        let agents = again.call(Method::GET, "/api/agents", None, 200).await;
        assert_eq!(agents["agents"][0]["name"], "reader");
        again.stop(Signal::SIGTERM).await;
    });
}

#[test]
fn a_database_out_of_reach_is_said_without_its_password() {
    in_scratch(async |home| {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap();
        drop(free);
        let url = format!("postgres://someone:hunter2@{address}/things");
        for filter in ["info", "trace"] {
            let setup = Setup::in_home(home).env("DATABASE_URL", &url);
            let (status, said, complained) = setup.env("RUST_LOG", filter).run_to_end().await;
            assert!(!status.success() && said.is_empty(), "{status} {said}");
            assert!(complained.contains("DATABASE_URL"), "{complained}");
            assert!(!complained.contains("hunter2"), "{complained}");
        }
    });
}

#[test]
fn a_setting_that_cannot_be_used_is_named() {
    in_scratch(async |home| {
        for (file, words) in [
            ("rest_prot = 1", ["rest_prot", "rest_port"]),
            (
                "timezone = \"Europe/Berlni\"",
                ["timezone", "Europe/Berlin"],
            ),
            ("rest_port = 70000", ["rest_port", "65535"]),
            ("rest_port = 9\nmcp_port = 9", ["rest_port", "mcp_port"]),
            ("bind = \"here\"", ["bind", "127.0.0.1"]),
            ("rest_port = ", ["line 1", "config.toml"]),
        ] {
            std::fs::write(home.join("config.toml"), file).unwrap();
            let (status, said, complained) = Setup::bare(home).run_to_end().await;
            assert!(!status.success() && said.is_empty(), "{status} {said}");
            for word in words {
                assert!(
                    complained.contains(word),
                    "{file}: {complained} lacks {word}"
                );
            }
        }
        assert!(!home.join("data").exists(), "nothing was begun");
    });
}
