//! The client's side of TLS, to a database or a service elsewhere: ring's ciphers, and certificates checked as this system
//! checks them.

use std::sync::Arc;

use rustls::ClientConfig;
use rustls::crypto::ring;
use rustls_platform_verifier::BuilderVerifierExt;

/// A configuration without a certificate of its own. The provider is named here, so that nothing depends on a default of the
/// process.
///
/// # Errors
/// When this system trusts no authority.
pub(crate) fn client_config() -> Result<ClientConfig, rustls::Error> {
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_platform_verifier()?;
    Ok(config.with_no_client_auth())
}
