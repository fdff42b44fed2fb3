//! What `make dist` packs, with a stand-in for the program: its contents, their owner, that two runs give the same
//! bytes; and the unit file in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::source::{root, text_of};

/// Runs `scripts/dist.sh` on a program with these bytes; returns the path of the tarball.
fn pack(folder: &Path, program: &[u8]) -> PathBuf {
    let stand_in = folder.join("stand-in");
    fs::write(&stand_in, program).unwrap();
    let output = Command::new("sh")
        .arg(root().join("scripts/dist.sh"))
        .arg(&stand_in)
        .env("CARGO_TARGET_DIR", folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{errors}");
    PathBuf::from(said)
}

#[test]
fn the_tarball_holds_what_is_needed_and_is_the_same_each_time() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (first, second) = (pack(one.path(), b"program"), pack(two.path(), b"program"));
    let name = first.file_name().unwrap().to_str().unwrap();
    let version = env!("CARGO_PKG_VERSION");
    assert!(name.starts_with(&format!("sextant-{version}-")), "{name}");
    let packed = fs::read(&first).unwrap();
    assert!(packed == fs::read(&second).unwrap(), "the same bytes twice");

    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(packed.as_slice()));
    let mut names = Vec::new();
    for entry in archive.entries().unwrap() {
        let entry = entry.unwrap();
        let (path, header) = (entry.path().unwrap().into_owned(), entry.header());
        assert_eq!((header.uid().unwrap(), header.gid().unwrap()), (0, 0));
        let mode = header.mode().unwrap() & 0o777;
        let is_run = path.ends_with("sextant") || header.entry_type().is_dir();
        assert_eq!(mode, if is_run { 0o755 } else { 0o644 }, "{path:?}");
        let inner: PathBuf = path.components().skip(1).collect();
        names.push(inner.to_str().unwrap().to_owned());
    }
    let expected = [
        "",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "LICENSES-OF-CRATES.txt",
        "README.md",
        "config.example.toml",
        "sextant",
        "sextant.service",
    ];
    assert_eq!(names, expected);
}

#[test]
fn the_licence_of_each_crate_is_told() {
    let output = Command::new("sh")
        .arg(root().join("scripts/notices.sh"))
        .output()
        .unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let crates = told.lines().filter(|line| line.starts_with("==== "));
    assert!(crates.count() > 100, "each crate has its heading");
    for words in [
        "==== tokio ",
        "==== ring ",
        "Permission is hereby granted, free of charge",
    ] {
        assert!(told.contains(words), "{words}");
    }
}

/// The values of a directive in a unit file, in order.
fn values<'a>(unit: &'a str, directive: &str) -> Vec<&'a str> {
    let lines = unit.lines().filter_map(|line| line.split_once('='));
    let own = lines.filter(|(name, _)| *name == directive);
    own.map(|(_, value)| value).collect()
}

#[test]
fn the_unit_runs_as_nobody_special_and_writes_its_own_directory_only() {
    let unit = text_of("packaging/sextant.service");
    for (directive, value) in [
        ("User", "sextant"),
        ("StateDirectory", "sextant"),
        ("StateDirectoryMode", "0700"),
        ("Environment", "DATA_DIR=/var/lib/sextant"),
        ("ExecStart", "/usr/local/bin/sextant serve"),
        ("NoNewPrivileges", "true"),
        ("CapabilityBoundingSet", ""),
        ("ProtectSystem", "strict"),
        ("ProtectHome", "true"),
        ("UMask", "0077"),
        // Only the service gets the signal; it stops its database itself.
        ("KillMode", "mixed"),
    ] {
        assert_eq!(values(&unit, directive), [value], "{directive}");
    }
    assert!(values(&unit, "ReadWritePaths").is_empty());
}

#[test]
fn what_is_shipped_and_measured_is_built_with_dist() {
    let makefile = text_of("Makefile");
    assert!(makefile.contains("\ndist:\n") && makefile.contains("scripts/dist.sh"));
    assert!(text_of("scripts/dist.sh").contains("--profile dist"));
    let dockerfile = text_of("Dockerfile");
    assert!(dockerfile.contains("--profile dist") && dockerfile.contains("target/dist/sextant"));
    assert!(!dockerfile.contains("--release") && !text_of("Makefile").contains("bench --release"));
}

/// The crates that compile C, found by their dependency on a crate that runs the compiler.
fn built_with_a_c_compiler(tree: &str) -> Vec<&str> {
    let names = tree.lines().filter_map(|line| line.split(' ').next());
    names.filter(|name| !["", "cc"].contains(name)).collect()
}

#[test]
fn only_tls_and_the_allocator_compile_c() {
    let arguments = [
        "--locked",
        "--offline",
        "--edges",
        "normal,build",
        "--invert",
        "cc",
    ];
    let output = Command::new(env!("CARGO"))
        .arg("tree")
        .args(arguments)
        .args(["--depth", "1", "--prefix", "none"])
        .current_dir(root())
        .output()
        .unwrap();
    let tree = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let expected = ["libmimalloc-sys", "ring"];
    assert_eq!(built_with_a_c_compiler(&tree), expected, "{tree}");
}

#[test]
fn a_library_in_c_and_a_directive_that_is_missing_are_seen() {
    let tree = "cc v1.2.3\nring v0.17.14\nzstd-sys v2.1.2+zstd.1.5.7\n";
    assert_eq!(built_with_a_c_compiler(tree), ["ring", "zstd-sys"]);
    assert_eq!(values("# User=root\nUser=a\nUser=b\n", "User"), ["a", "b"]);
    assert!(values("UserX=a", "User").is_empty());
}
