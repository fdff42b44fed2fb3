//! The HTTP client of tests and measurements. It speaks plain HTTP only and trusts no certificate, so that the
//! system's certificates are not read for each client.

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
