//! The certificates a source is held to.

use std::fmt;
use std::sync::Arc;

use rustls::ClientConfig;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls_platform_verifier::Verifier;

use crate::failure::{FailureKind, SourceFailure};

/// Whose certificates are taken: those this system trusts, and the authorities given beside.
#[derive(Clone)]
pub struct Trust {
    config: Arc<ClientConfig>,
    verifier: Arc<dyn ServerCertVerifier>,
}

impl fmt::Debug for Trust {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Trust").finish_non_exhaustive()
    }
}

impl Trust {
    /// What this system trusts.
    ///
    /// # Errors
    /// [`FailureKind::Unavailable`] when this system trusts no authority.
    pub fn system() -> Result<Self, SourceFailure> {
        let verifier = Verifier::new(Arc::new(ring::default_provider())).map_err(unusable)?;
        Self::by(verifier)
    }

    /// What this system trusts, and the authorities of a PEM text.
    ///
    /// # Errors
    /// [`FailureKind::Malformed`] if the text holds no certificate, or one that is none.
    pub fn with_authorities(pem: &[u8]) -> Result<Self, SourceFailure> {
        let authorities: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(pem)
            .collect::<Result<_, _>>()
            .map_err(|_| no_certificate())?;
        if authorities.is_empty() {
            return Err(no_certificate());
        }
        let provider = Arc::new(ring::default_provider());
        let verifier = Verifier::new_with_extra_roots(authorities, provider);
        Self::by(verifier.map_err(|_| no_certificate())?)
    }

    fn by(verifier: Verifier) -> Result<Self, SourceFailure> {
        let verifier: Arc<dyn ServerCertVerifier> = Arc::new(verifier);
        let config = provided()?
            .dangerous()
            .with_custom_certificate_verifier(Arc::clone(&verifier));
        let config = Arc::new(config.with_no_client_auth());
        Ok(Self { config, verifier })
    }

    pub(super) fn config(&self) -> Arc<ClientConfig> {
        Arc::clone(&self.config)
    }

    /// What judges a certificate, to judge it for another time.
    pub(super) fn verifier(&self) -> &dyn ServerCertVerifier {
        &*self.verifier
    }
}

/// The provider is named here, so that nothing depends on a default of the process. TLS 1.2 is the oldest version there is in it.
fn provided() -> Result<rustls::ConfigBuilder<ClientConfig, rustls::WantsVerifier>, SourceFailure> {
    ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(unusable)
}

fn unusable(cause: rustls::Error) -> SourceFailure {
    let message = format!("no certificate of a source can be checked here: {cause}");
    SourceFailure::new(FailureKind::Unavailable, message)
}

fn no_certificate() -> SourceFailure {
    let message = "what was given is no authority's certificate in PEM form";
    SourceFailure::new(FailureKind::Malformed, message)
}
