//! Certificates made by OpenSSL: an authority, a certificate for a server on 127.0.0.1 that it signed, and a second
//! authority that nothing trusts.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::skipped;

/// Whether OpenSSL is here to make them; if not, `test` is reported as skipped.
pub fn can_be_made(test: &str) -> bool {
    let is_there = Command::new("openssl").arg("version").output().is_ok();
    if !is_there {
        skipped::for_want_of(test, "openssl is not installed");
    }
    is_there
}

/// The paths of the PEM files.
pub struct Certificates {
    pub authority: PathBuf,
    pub other_authority: PathBuf,
    pub server: PathBuf,
    pub server_key: PathBuf,
}

/// The names of a server that is asked for by its address: a line of OpenSSL's extensions.
pub const LOOPBACK: &str = "subjectAltName=IP:127.0.0.1";

/// Makes them in `folder`, the server's for `names`.
pub fn make(folder: &Path, names: &str) -> Certificates {
    std::fs::write(folder.join("names"), format!("{names}\n")).unwrap();
    let script = "set -e; new='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
        openssl req -x509 $new -keyout authority.key -out authority.pem -days 2 -subj /CN=authority
        openssl req -x509 $new -keyout other.key -out other.pem -days 2 -subj /CN=other
        openssl req $new -keyout server.key -out server.csr -subj /CN=server
        openssl x509 -req -in server.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 \
            -extfile names -out server.crt";
    let output = Command::new("sh")
        .args(["-c", script])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Certificates {
        authority: folder.join("authority.pem"),
        other_authority: folder.join("other.pem"),
        server: folder.join("server.crt"),
        server_key: folder.join("server.key"),
    }
}
