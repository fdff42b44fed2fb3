//! Streams for protocols other than HTTP's requests: TLS, or TCP where the rule allows it.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;

use rustls::CertificateError;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::destination::JudgedAddress;
use super::resolver::{AddressReach, Diversions, Resolver};
use super::tls::Trust;
use crate::failure::{FailureKind, SourceFailure};
use crate::limits::CONNECT_DEADLINE;

/// Opens streams.
#[derive(Clone)]
pub struct StreamGuard {
    resolver: Resolver,
    tls: TlsConnector,
}

/// A stream to a destination.
pub type GuardedStream = Pin<Box<dyn Duplex>>;

/// Bytes in both ways.
pub trait Duplex: AsyncRead + AsyncWrite + Send {}

impl<T: AsyncRead + AsyncWrite + Send> Duplex for T {}

impl StreamGuard {
    /// Streams by these names and certificates.
    pub fn new(diversions: Diversions, trust: &Trust) -> Self {
        Self {
            resolver: Resolver::new(diversions, AddressReach::Everywhere),
            tls: TlsConnector::from(trust.config()),
        }
    }

    /// Connects, TLS included, within [`CONNECT_DEADLINE`].
    ///
    /// # Errors
    /// [`FailureKind::Unavailable`], or [`FailureKind::ForbiddenAddress`] when a connection without TLS would leave the own network.
    pub async fn connect(
        &self,
        destination: &JudgedAddress,
    ) -> Result<GuardedStream, SourceFailure> {
        let opening = async {
            let tcp = self.connect_tcp(destination).await?;
            if destination.is_plain() {
                return Ok(Box::pin(tcp) as GuardedStream);
            }
            let name = ServerName::try_from(destination.host().to_owned());
            let name = name.map_err(|_| io::Error::other("the host has no name for TLS"))?;
            let stream = self.tls.connect(name, tcp).await?;
            Ok(Box::pin(stream) as GuardedStream)
        };
        match timeout(CONNECT_DEADLINE, opening).await {
            Ok(opened) => opened.map_err(|cause: io::Error| not_connected(&cause)),
            Err(_) => Err(SourceFailure::new(
                FailureKind::Unavailable,
                "the source did not answer in time",
            )),
        }
    }

    async fn connect_tcp(&self, destination: &JudgedAddress) -> io::Result<TcpStream> {
        let reach = match destination.is_plain() {
            true => AddressReach::OwnNetwork,
            false => AddressReach::Everywhere,
        };
        let resolver = self.resolver.reaching(reach);
        let found: Vec<SocketAddr> = resolver
            .addresses(destination.host(), destination.port())
            .await?;
        let stream = TcpStream::connect(found.as_slice()).await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }
}

/// What a connection that failed says. An error of TLS tells its cause in words of its library, which knows no secret.
pub(super) fn not_connected(cause: &io::Error) -> SourceFailure {
    let kind = match cause.kind() {
        io::ErrorKind::PermissionDenied => FailureKind::ForbiddenAddress,
        _ => FailureKind::Unavailable,
    };
    SourceFailure::new(
        kind,
        format!("the source cannot be reached: {}", words(cause)),
    )
}

/// Why, in words that say what to do where a person can do something.
fn words(cause: &io::Error) -> String {
    let inner = cause.get_ref();
    // Each layer between the socket and the request may wrap what it was given.
    if let Some(wrapped) = inner.and_then(|inner| inner.downcast_ref::<io::Error>()) {
        return words(wrapped);
    }
    match inner.and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
        Some(rustls::Error::InvalidCertificate(why)) => not_trusted(why),
        _ if cause.kind() == io::ErrorKind::ConnectionRefused => {
            "nothing answers at that port".to_owned()
        }
        _ => cause.to_string(),
    }
}

fn not_trusted(why: &CertificateError) -> String {
    match why {
        CertificateError::UnknownIssuer => "nobody who is trusted signed its certificate; if that is of your own making, enter the authority that signed it".to_owned(),
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "its certificate has expired".to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "its certificate is for another name".to_owned()
        }
        other => format!("its certificate is not trusted ({other})"),
    }
}
