//! The order in which PostgreSQL is searched, on file systems laid out as distributions do.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use sextant::db::embedded::{Binaries, ClusterError, SearchPlaces, find};

use crate::support::users::in_scratch;

/// Installs programs that report this version.
fn install(root: &Path, dir: &str, version: &str) -> PathBuf {
    let dir = root.join(dir);
    fs::create_dir_all(&dir).unwrap();
    program(
        &dir.join("postgres"),
        &format!("echo 'postgres (PostgreSQL) {version}'"),
    );
    program(&dir.join("initdb"), "exit 1");
    dir
}

fn program(path: &Path, script: &str) {
    fs::write(path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn places(root: &Path, path: &[&Path]) -> SearchPlaces {
    let path = (!path.is_empty()).then(|| std::env::join_paths(path).unwrap());
    SearchPlaces {
        bin_dir: None,
        path,
        system_root: root.into(),
    }
}

fn found(places: &SearchPlaces, major: Option<u32>) -> Result<Binaries, ClusterError> {
    find(places, major.map(|major| (major, Path::new("/data"))))
}

#[test]
fn each_usual_place_is_searched() {
    for (dir, version) in [
        ("usr/lib/postgresql/16/bin", "16.3 (Debian 16.3-1)"),
        ("usr/pgsql-17/bin", "17.1"),
        ("opt/homebrew/opt/postgresql@16/bin", "16.4 (Homebrew)"),
        ("usr/local/opt/postgresql@15/bin", "15.8 (Homebrew)"),
        (
            "Applications/Postgres.app/Contents/Versions/18/bin",
            "18.0 (Postgres.app)",
        ),
    ] {
        in_scratch(async |root| {
            let expected = install(root, dir, version);
            assert_eq!(found(&places(root, &[]), None).unwrap().dir(), expected);
        });
    }
}

#[test]
fn the_newest_is_taken_for_a_new_cluster_and_the_matching_one_for_an_old() {
    in_scratch(async |root| {
        for major in ["9.6", "15", "16", "18"] {
            install(
                root,
                &format!("usr/lib/postgresql/{major}/bin"),
                &format!("{major}.1"),
            );
        }
        let places = places(root, &[]);
        assert_eq!(found(&places, None).unwrap().major(), 18);
        assert_eq!(found(&places, Some(16)).unwrap().major(), 16);
        let error = found(&places, Some(17)).unwrap_err();
        assert!(
            matches!(&error, ClusterError::OtherMajor { major: 17, found, .. } if found.len() == 4),
            "{error}"
        );
    });
}

#[test]
fn pg_config_comes_before_the_path_and_the_path_before_the_usual_places() {
    in_scratch(async |root| {
        install(root, "usr/lib/postgresql/18/bin", "18.0");
        let on_path = install(root, "somewhere/bin", "16.1");
        assert_eq!(
            found(&places(root, &[&on_path]), None).unwrap().dir(),
            on_path
        );
        let configured = install(root, "configured/bin", "17.2");
        let tools = root.join("tools");
        fs::create_dir(&tools).unwrap();
        program(
            &tools.join("pg_config"),
            &format!("echo {}", configured.display()),
        );
        assert_eq!(
            found(&places(root, &[&tools, &on_path]), None)
                .unwrap()
                .dir(),
            configured
        );
    });
}

#[test]
fn a_named_directory_is_the_only_place() {
    in_scratch(async |root| {
        install(root, "usr/lib/postgresql/18/bin", "18.0");
        let named = install(root, "named", "16.1");
        let there = SearchPlaces {
            bin_dir: Some(named.clone()),
            ..places(root, &[])
        };
        assert_eq!(found(&there, None).unwrap().dir(), named);
        let empty = SearchPlaces {
            bin_dir: Some(root.join("empty")),
            ..places(root, &[])
        };
        let error = found(&empty, None).unwrap_err();
        assert!(error.to_string().contains("PG_BIN_DIR"), "{error}");
    });
}

#[test]
fn without_postgresql_the_command_that_installs_it_is_named() {
    in_scratch(async |root| {
        fs::create_dir(root.join("etc")).unwrap();
        fs::write(root.join("etc/os-release"), "ID=debian\n").unwrap();
        let nowhere = SearchPlaces {
            path: Some(OsString::from("")),
            ..places(root, &[])
        };
        let error = found(&nowhere, None).unwrap_err();
        assert!(matches!(error, ClusterError::BinariesAbsent { .. }));
        assert!(
            error
                .to_string()
                .contains("sudo apt-get install -y postgresql"),
            "{error}"
        );
    });
}

#[test]
fn an_old_postgresql_alone_is_not_enough() {
    in_scratch(async |root| {
        install(root, "usr/lib/postgresql/14/bin", "14.9");
        let error = found(&places(root, &[]), None).unwrap_err();
        assert!(matches!(&error, ClusterError::BinariesTooOld { .. }));
        assert!(error.to_string().contains("PostgreSQL 14"), "{error}");
        assert!(error.to_string().contains("15 or newer"), "{error}");
    });
}
