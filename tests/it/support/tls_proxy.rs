//! A proxy that speaks TLS with the client and plain HTTP with the port.

use std::net::SocketAddr;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;
use tokio_rustls::TlsAcceptor;

use super::certificates::Certificates;

/// Runs until it is dropped.
pub struct TlsProxy {
    pub address: SocketAddr,
    accepting: AbortHandle,
}

impl TlsProxy {
    /// Starts it before `port`, with the server's certificate.
    pub async fn start(port: SocketAddr, certificates: &Certificates) -> Self {
        let acceptor = acceptor(certificates);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                tokio::spawn(async move { pass(client, port, &acceptor).await });
            }
        });
        Self {
            address,
            accepting: accepting.abort_handle(),
        }
    }
}

impl Drop for TlsProxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// TLS with the server's certificate.
pub fn acceptor(certificates: &Certificates) -> TlsAcceptor {
    let chain = CertificateDer::pem_file_iter(&certificates.server).unwrap();
    let key = PrivateKeyDer::from_pem_file(&certificates.server_key).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain.map(Result::unwrap).collect(), key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

/// Serves one connection. An error means that the client or the port has closed, which the other side sees.
async fn pass(client: TcpStream, port: SocketAddr, acceptor: &TlsAcceptor) -> Option<()> {
    let mut client = acceptor.accept(client).await.ok()?;
    let mut server = TcpStream::connect(port).await.ok()?;
    copy_bidirectional(&mut client, &mut server).await.ok()?;
    Some(())
}
