//! Certificates of the days that a test asks for.

use std::path::Path;
use std::process::Command;

use chrono::TimeDelta;
use sextant_actors::clock::{Clock as _, SystemClock};

/// An authority in a folder, which signs for whoever has a common name.
const AUTHORITY: &str = "[ca]\ndefault_ca=own\n[own]\ndatabase=index\nserial=serial\nnew_certs_dir=.\ndefault_md=sha256\npolicy=any\n[any]\ncommonName=supplied\n";

/// Signs the server's certificate anew, valid from and until these days from now.
pub fn sign_for_days(folder: &Path, (from, until): (i64, i64)) {
    let at = |days: i64| {
        let day = SystemClock.now() + TimeDelta::days(days);
        day.format("%Y%m%d%H%M%SZ").to_string()
    };
    std::fs::write(folder.join("ca.cnf"), AUTHORITY).unwrap();
    std::fs::write(folder.join("index"), "").unwrap();
    std::fs::write(folder.join("serial"), "01\n").unwrap();
    let words = "ca -batch -notext -config ca.cnf -cert authority.pem -keyfile authority.key -extfile names -in server.csr -out server.crt";
    let output = Command::new("openssl")
        .args(words.split(' '))
        .args(["-startdate", &at(from), "-enddate", &at(until)])
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}
