//! The key of the operator's application, made by OpenSSL once for all tests.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// A pair, and a key that belongs to nothing.
pub struct Keys {
    /// PKCS#8, as the control panel gives it.
    pub private: String,
    /// The same key in the older form (PKCS#1).
    pub older: String,
    pub other: String,
    /// The public key as its numbers alone (PKCS#1).
    pub(super) public: Vec<u8>,
}

static KEYS: OnceLock<Keys> = OnceLock::new();

/// Those of all tests.
pub fn keys() -> &'static Keys {
    KEYS.get_or_init(|| {
        let new = || {
            openssl(
                &[
                    "genpkey",
                    "-algorithm",
                    "RSA",
                    "-pkeyopt",
                    "rsa_keygen_bits:2048",
                ],
                "",
            )
        };
        let private = text(new());
        Keys {
            older: text(openssl(&["rsa", "-traditional"], &private)),
            public: openssl(&["rsa", "-RSAPublicKey_out", "-outform", "DER"], &private),
            other: text(new()),
            private,
        }
    })
}

fn text(output: Vec<u8>) -> String {
    String::from_utf8(output).unwrap()
}

fn openssl(arguments: &[&str], input: &str) -> Vec<u8> {
    let mut process = Command::new("openssl")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // What reads nothing may have ended.
    let _ = process.stdin.take().unwrap().write_all(input.as_bytes());
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success());
    output.stdout
}
