//! The HTTP client of tests and measurements. It speaks plain HTTP and believes no certificate, so that none of the system's is
//! read for each of them.

use std::sync::Arc;

use reqwest::{Client, ClientBuilder};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};

#[expect(
    clippy::disallowed_methods,
    reason = "a test's client has no need of the product's"
)]
pub fn builder() -> ClientBuilder {
    let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth();
    Client::builder().tls_backend_preconfigured(tls)
}
