//! `.env` in the folder in which the service is started.

use std::fs;
use std::net::TcpListener;

use nix::sys::signal::Signal;

use super::Setup;
use super::service::log_in;
use crate::support::users::in_scratch;

/// Ports that are free now, and that others are unlikely to take before the service does.
fn free_ports() -> [u16; 2] {
    let taken = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    taken.map(|port| port.local_addr().unwrap().port())
}

#[test]
fn its_settings_are_taken_and_named_and_the_environment_wins() {
    in_scratch(async |home| {
        let [rest, _] = free_ports();
        fs::write(home.join("config.toml"), "rest_port = 1\nmcp_port = 1").unwrap();
        let text = format!(
            "SEXTANT=1\nDATA_DIR={}\nREST_PORT={rest} # the Console port\nMCP_PORT=hunter2\nREST_PROT=5\nTHEIRS=hunter2\n",
            home.join("data").display()
        );
        fs::write(home.join(".env"), text).unwrap();
        let service = Setup::bare(home).env("MCP_PORT", "0").start().await;
        assert_eq!(service.console, format!("http://127.0.0.1:{rest}"));
        assert!(home.join("data/postgres").exists());
        service.stop(Signal::SIGTERM).await;
        let log = log_in(home);
        let file = home.join(".env");
        for told in [
            format!("DATA_DIR is taken from {}", file.display()),
            format!("REST_PORT is taken from {}", file.display()),
            "REST_PROT in ".to_owned(),
        ] {
            assert!(log.contains(&told), "{told} is not in {log}");
        }
        assert!(
            !log.contains("MCP_PORT is taken") && !log.contains("hunter2"),
            "{log}"
        );
    });
}

#[test]
fn what_is_wrong_in_it_is_told_by_its_line_and_begins_nothing() {
    in_scratch(async |home| {
        for (text, told) in [
            ("A=1\nhunter2\n", ".env, line 2: "),
            ("REST_PORT=hunter2\n", "REST_PORT in "),
        ] {
            fs::write(home.join(".env"), text).unwrap();
            let (status, said, complained) = Setup::bare(home).run_to_end().await;
            assert!(!status.success() && said.is_empty(), "{status} {said}");
            assert!(complained.contains(told), "{complained} lacks {told}");
            assert!(!complained.contains("hunter2"), "{complained}");
        }
        assert!(!home.join(".local").exists(), "nothing was begun");
    });
}

#[test]
fn another_programs_database_is_passed_over_with_a_word() {
    in_scratch(async |home| {
        let theirs = "DATABASE_URL=postgres://someone:hunter2@127.0.0.1:1/theirs\n";
        fs::write(home.join(".env"), theirs).unwrap();
        let service = Setup::in_home(home).start().await;
        service.stop(Signal::SIGTERM).await;
        let log = log_in(home);
        assert!(
            log.contains("DATABASE_URL in ") && log.contains("SEXTANT=1"),
            "{log}"
        );
        assert!(!log.contains("hunter2"), "{log}");
    });
}
