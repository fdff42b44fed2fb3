//! Set-ups that are broken before anything is asked: name, address, port, certificate.

use super::front::Spoiled;
use super::{NAME, Setup, World, assert_fails, check, settings_by, step};
use crate::exposure::{PUBLIC, publish};
use crate::support::{TestApp, certificates};

macro_rules! needs_certificates {
    ($name:literal) => {
        if !certificates::can_be_made($name) {
            return;
        }
    };
}

/// The service as it is released, by its own way: the system's names, and public addresses alone.
async fn released(url: &str) -> serde_json::Value {
    let app = TestApp::start().await;
    publish(&app, url).await;
    check(&app).await
}

#[actix_web::test]
async fn r501_as_it_is_released_nothing_but_a_public_address_is_called() {
    for url in [
        "https://10.0.0.1",
        "https://192.168.1.7:8443",
        "https://169.254.169.254",
        "https://100.100.100.100",
        "https://[fd00::1]",
    ] {
        let report = released(url).await;
        assert_fails(&report, "public", "only your own network reaches");
    }
}

#[actix_web::test]
async fn a_name_that_stands_for_no_address() {
    needs_certificates!("a_name_that_stands_for_no_address");
    let World { app, .. } = Setup::default().start().await;
    publish(&app, "https://nowhere.example").await;
    assert_fails(
        &check(&app).await,
        "resolves",
        "nowhere.example stands for no address",
    );
}

#[actix_web::test]
async fn a_name_that_leads_into_the_own_network() {
    needs_certificates!("a_name_that_leads_into_the_own_network");
    let folder = tempfile::tempdir().unwrap();
    let made = certificates::make(folder.path(), super::OWN_NAME);
    let names = [(NAME, "192.168.1.7:0".parse().unwrap())];
    let app = TestApp::start_with(settings_by(&made.authority, &names)).await;
    publish(&app, PUBLIC).await;
    assert_fails(&check(&app).await, "public", "192.168.1.7");
}

#[actix_web::test]
async fn a_name_with_one_address_that_is_not_public() {
    needs_certificates!("a_name_with_one_address_that_is_not_public");
    let folder = tempfile::tempdir().unwrap();
    let made = certificates::make(folder.path(), super::OWN_NAME);
    let names = ["127.0.0.1:1", "10.0.0.1:0"].map(|at| (NAME, at.parse().unwrap()));
    let app = TestApp::start_with(settings_by(&made.authority, &names)).await;
    publish(&app, PUBLIC).await;
    assert_fails(&check(&app).await, "public", "10.0.0.1");
}

#[actix_web::test]
async fn a_port_at_which_nothing_listens() {
    needs_certificates!("a_port_at_which_nothing_listens");
    let World { app, front, .. } = Setup::default().start().await;
    front.close().await;
    assert_fails(&check(&app).await, "port", "Nothing listens at port 443");
}

#[actix_web::test]
async fn a_port_that_speaks_no_tls() {
    needs_certificates!("a_port_that_speaks_no_tls");
    let report = Setup::spoiled(Spoiled::NoTls).report().await;
    assert_fails(&report, "certificate", "does not speak TLS");
}

#[actix_web::test]
async fn a_certificate_of_another_name() {
    needs_certificates!("a_certificate_of_another_name");
    let setup = Setup {
        names: "subjectAltName=DNS:other.example",
        ..Setup::default()
    };
    assert_fails(&setup.report().await, "certificate", "for another name");
}

#[actix_web::test]
async fn a_certificate_that_has_expired() {
    needs_certificates!("a_certificate_that_has_expired");
    let setup = Setup {
        days: (-30, -1),
        ..Setup::default()
    };
    assert_fails(&setup.report().await, "certificate", "has expired");
}

#[actix_web::test]
async fn a_certificate_that_has_not_begun() {
    needs_certificates!("a_certificate_that_has_not_begun");
    let setup = Setup {
        days: (2, 90),
        ..Setup::default()
    };
    assert_fails(&setup.report().await, "certificate", "not valid yet");
}

#[actix_web::test]
async fn a_certificate_that_nobody_trusts() {
    needs_certificates!("a_certificate_that_nobody_trusts");
    let setup = Setup {
        is_trusted: false,
        ..Setup::default()
    };
    assert_fails(
        &setup.report().await,
        "certificate",
        "Nobody who is trusted",
    );
}

#[actix_web::test]
async fn a_certificate_that_ends_soon_is_a_warning() {
    needs_certificates!("a_certificate_that_ends_soon_is_a_warning");
    let setup = Setup {
        days: (-80, 10),
        ..Setup::default()
    };
    let report = setup.report().await;
    assert_eq!(report["ok"], true, "{report:#}");
    assert_eq!(step(&report, "certificate")["outcome"], "warned");
    let message = super::text(&report["message"]);
    assert!(message.contains("within 14 days"), "{message}");
}

#[actix_web::test]
async fn a_port_that_hosted_agents_do_not_call_is_a_warning() {
    needs_certificates!("a_port_that_hosted_agents_do_not_call_is_a_warning");
    let setup = Setup {
        public_url: "https://box.example:8443",
        ..Setup::default()
    };
    let report = setup.report().await;
    assert_eq!(report["ok"], true, "{report:#}");
    let funnel = step(&report, "funnel");
    assert_eq!(funnel["outcome"], "warned");
    let what = super::text(&funnel["what"]);
    assert!(what.contains("443 only"), "{what}");
}
