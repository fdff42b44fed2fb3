//! `sextant export`, the real binary: with a running service, with a service that it starts itself, and what it
//! refuses.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use nix::sys::signal::Signal;
use reqwest::Method;
use serde_json::json;
use sextant::export::bundle::check;
use sextant::export::manifest::Manifest;

use super::Setup;
use crate::support::users::{as_root_and_as_a_user, in_scratch};

/// A port on which no test listens.
const NOBODYS_PORT: &str = "1";

/// An export of the store in `home` while nothing listens at the default address.
fn export(home: &Path) -> Setup {
    Setup::bare(home)
        .env("REST_PORT", NOBODYS_PORT)
        .argument("export")
        .argument("--data-dir")
        .argument(home.join("data").to_str().unwrap())
}

fn saved(path: &Path) -> Manifest {
    let mode = fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    check(File::open(path).unwrap()).unwrap()
}

/// The files in `home` that an export may have left.
fn left(home: &Path) -> Vec<String> {
    let names = fs::read_dir(home)
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.retain(|name| name.contains("sextant-") || name.ends_with(".zip"));
    names.sort();
    names
}

#[test]
fn it_saves_what_a_running_service_holds_or_one_of_its_own() {
    as_root_and_as_a_user(
        "process::export::it_saves_what_a_running_service_holds_or_one_of_its_own",
        async |home| {
            let (status, _, err) = export(home).run_to_end().await;
            assert_eq!(status.code(), Some(2), "{err}");
            assert!(err.contains("holds nothing"), "{err}");
            assert!(
                !home.join("data").exists(),
                "a store was made to be exported"
            );

            let service = Setup::in_home(home).start().await;
            let sample = service
                .request(Method::POST, "/api/sample")
                .json(&json!({}));
            assert_eq!(sample.send().await.unwrap().status(), 201);
            let console = service.request(Method::GET, "").build().unwrap();
            let of_service =
                |setup: Setup| setup.argument("--url").argument(console.url().as_str());
            let run = of_service(export(home)).argument("a.zip");
            let (status, out, err) = run.run_to_end().await;
            assert!(status.success(), "{err}");
            assert!(
                out.contains("finance.transactions") && out.contains("rows in a.zip"),
                "{out}"
            );
            let whole = saved(&home.join("a.zip"));
            assert!(whole.rows() > 2_000);

            let (status, _, err) = of_service(export(home))
                .argument("a.zip")
                .run_to_end()
                .await;
            assert_eq!(status.code(), Some(2));
            assert!(err.contains("is there already"), "{err}");
            let nowhere = of_service(export(home)).argument("nowhere/a.zip");
            let (status, _, err) = nowhere.run_to_end().await;
            assert_eq!(status.code(), Some(2));
            let expected = "nowhere/a.zip cannot be written: there is no such folder\n";
            assert!(err.ends_with(expected), "{err}");
            let narrowed = of_service(export(home))
                .argument("a.zip")
                .argument("--force");
            let (status, _, err) = narrowed
                .argument("--sector")
                .argument("mail")
                .run_to_end()
                .await;
            assert!(status.success(), "{err}");
            let mail = saved(&home.join("a.zip"));
            assert!(mail.sector.is_some() && mail.rows() < whole.rows());

            // The store belongs to another process as long as that runs.
            let (status, _, err) = export(home).argument("b.zip").run_to_end().await;
            assert_eq!(status.code(), Some(2), "{err}");
            assert!(err.contains("is in use by another sextant"), "{err}");
            service.stop(Signal::SIGTERM).await;
            assert_eq!(left(home), ["a.zip"]);

            let (status, out, err) = export(home).run_to_end().await;
            assert!(status.success(), "{out}{err}");
            assert_eq!(err, "", "{out}");
            let [_, own] = left(home).try_into().unwrap();
            let own = saved(&home.join(own));
            assert_eq!(own.tables["mail.messages"], whole.tables["mail.messages"]);
            Setup::in_home(home)
                .start()
                .await
                .stop(Signal::SIGTERM)
                .await;
        },
    );
}

#[test]
fn an_address_that_is_silent_is_not_replaced_by_another_service() {
    in_scratch(async |home| {
        let silent = ["--url", "http://127.0.0.1:1"];
        let run = silent
            .iter()
            .fold(export(home), |run, word| run.argument(word));
        let (status, _, err) = run.run_to_end().await;
        assert_eq!(status.code(), Some(2));
        assert!(
            err.contains("no Sextant answers at http://127.0.0.1:1"),
            "{err}"
        );
        let (status, _, err) = export(home)
            .argument("--sector")
            .argument("money")
            .run_to_end()
            .await;
        assert_eq!(status.code(), Some(2));
        assert!(err.contains("finance, mail, calendar"), "{err}");
        assert_eq!(left(home), [""; 0]);
    });
}
