//! The service to which `sextant push` connects without an address: the one in the settings, as for an export.

use std::fs;
use std::path::Path;

use nix::sys::signal::Signal;

use super::Setup;
use crate::support::household::totals;
use crate::support::users::in_scratch;

const FILE: &str = "a.vcf";

fn push(home: &Path) -> Setup {
    let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann\r\nEND:VCARD\r\n";
    fs::write(home.join(FILE), card).unwrap();
    let arguments = ["push", FILE, "--create", "--secret-file", "secrets"];
    let setup = Setup::bare(home);
    arguments.into_iter().fold(setup, Setup::argument)
}

#[test]
fn it_follows_the_settings_to_the_service_that_runs_and_says_which() {
    in_scratch(async |home| {
        let service = Setup::in_home(home).start().await;
        let (_, port) = service.console.rsplit_once(':').unwrap();
        fs::write(home.join("config.toml"), format!("rest_port = {port}")).unwrap();
        let (status, out, err) = push(home).run_to_end().await;
        assert!(status.success(), "{out}\n{err}");
        assert!(
            out.starts_with(&format!("to the Sextant at {}\n", service.console)),
            "{out}"
        );
        assert_eq!(totals(&out), [1, 1, 0], "{out}");
        fs::write(home.join("config.toml"), "rest_port = 1").unwrap();
        fs::write(home.join(".env"), format!("REST_PORT={port}")).unwrap();
        let (status, out, err) = push(home).run_to_end().await;
        assert!(
            status.success() && out.contains("1 unchanged"),
            "{out}\n{err}"
        );
        service.stop(Signal::SIGTERM).await;
    });
}

#[test]
fn where_none_runs_one_is_started_on_the_data_directory_for_as_long_as_it_takes() {
    in_scratch(async |home| {
        Setup::in_home(home)
            .start()
            .await
            .stop(Signal::SIGTERM)
            .await;
        fs::write(home.join("config.toml"), "rest_port = 1").unwrap();
        // The data directory is named, since the default one may hold somebody's real data.
        let on = |folder: &str| {
            let data = home.join(folder);
            push(home)
                .argument("--data-dir")
                .argument(data.to_str().unwrap())
        };
        for told in ["1 new", "1 unchanged"] {
            let (status, out, err) = on("data").run_to_end().await;
            assert!(status.success() && out.contains(told), "{out}\n{err}");
            assert!(
                out.starts_with("nothing answers at http://127.0.0.1:1: a Sextant is started on "),
                "{out}"
            );
        }
        let (status, out, err) = on("nothing").run_to_end().await;
        assert_eq!(status.code(), Some(2), "{out}");
        assert!(
            err.contains("http://127.0.0.1:1 ") && err.contains("is Sextant running"),
            "{err}"
        );
    });
}
