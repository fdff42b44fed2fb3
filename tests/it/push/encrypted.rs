//! A push over HTTPS: the certificate is checked against the system's authorities before anything is sent.

use std::path::Path;
use std::process::Stdio;

use tokio::process::Command;

use super::peer::StubService;
use super::program::Ran;
use super::records;
use crate::support::certificates;
use crate::support::tls_proxy::TlsProxy;

#[actix_web::test]
async fn a_push_over_https_reaches_a_server_of_a_trusted_authority_and_no_other() {
    if !certificates::can_be_made(
        "a_push_over_https_reaches_a_server_of_a_trusted_authority_and_no_other",
    ) {
        return;
    }
    let (folder, file) = records(3);
    let certificates = certificates::make(folder.path(), certificates::LOOPBACK);
    let peer = StubService::start(&[("money", "finance.transactions")], []).await;
    let port = peer.url.strip_prefix("http://").unwrap().parse().unwrap();
    let proxy = TlsProxy::start(port, &certificates).await;
    let url = format!("https://{}", proxy.address);

    let refused = Ran::of(push(&file, &url, &certificates.other_authority)).await;
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(peer.seen().is_empty(), "nothing is sent to a stranger");

    let stored = Ran::of(push(&file, &url, &certificates.authority)).await;
    assert_eq!(stored.code, Some(0), "{stored:?}");
    let [push] = peer.seen().try_into().unwrap();
    assert_eq!(push.authorization, "Bearer hidden");
    assert_eq!(push.records.len(), 3);
}

/// `sextant push` on a system that trusts only `authority`.
fn push(file: &Path, url: &str, authority: &Path) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_sextant"));
    program
        .env_clear()
        .env("SSL_CERT_FILE", authority)
        .env("SEXTANT_INGEST_SECRET", "hidden")
        .current_dir(file.parent().unwrap())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .args(["push", "--connection", "money", "--url", url])
        .arg(file);
    program
}
