//! A server of HTTP over TLS that answers as a test wants, and keeps every byte that reaches it.

use std::path::Path;
use std::sync::{Arc, Mutex};

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use crate::support::stand_ins::wire::is_whole;

/// What is answered to a request's text.
type Answers = dyn Fn(&str) -> Vec<u8> + Send + Sync;

/// The server. It ends with its runtime.
pub struct Sink {
    pub address: std::net::SocketAddr,
    received: Arc<Mutex<Vec<String>>>,
}

impl Sink {
    /// Starts one on a free port; with no certificate it speaks without TLS.
    pub async fn start(
        certificate: Option<(&Path, &Path)>,
        answers: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let sink = Self {
            address: listener.local_addr().unwrap(),
            received: Arc::default(),
        };
        let received = Arc::clone(&sink.received);
        let (answers, tls): (Arc<Answers>, _) = (Arc::new(answers), certificate.map(acceptor));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (answers, received) = (Arc::clone(&answers), Arc::clone(&received));
                let tls = tls.clone();
                tokio::spawn(async move { serve(stream, tls, &*answers, &received).await });
            }
        });
        sink
    }

    /// The requests so far, each with its body.
    pub fn received(&self) -> Vec<String> {
        self.received.lock().unwrap().clone()
    }
}

/// What makes TLS of a connection, with a certificate and its key.
/// What speaks TLS with a certificate and its key.
pub fn acceptor((certificate, key): (&Path, &Path)) -> TlsAcceptor {
    let chain = CertificateDer::pem_file_iter(certificate).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            chain.map(Result::unwrap).collect(),
            PrivateKeyDer::from_pem_file(key).unwrap(),
        );
    TlsAcceptor::from(Arc::new(config.unwrap()))
}

/// One request a connection.
async fn serve(
    stream: TcpStream,
    tls: Option<TlsAcceptor>,
    answers: &Answers,
    received: &Mutex<Vec<String>>,
) {
    match tls {
        // A client that does not trust the certificate leaves.
        Some(tls) => {
            if let Ok(stream) = tls.accept(stream).await {
                exchange(stream, answers, received).await;
            }
        }
        None => exchange(stream, answers, received).await,
    }
}

async fn exchange(
    mut stream: impl tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
    answers: &Answers,
    received: &Mutex<Vec<String>>,
) {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    while !is_whole(&request) {
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => break,
            Ok(read) => request.extend_from_slice(&buffer[..read]),
        }
    }
    let request = String::from_utf8_lossy(&request).into_owned();
    let answer = answers(&request);
    received.lock().unwrap().push(request);
    // The client may have seen enough.
    let _ = stream.write_all(&answer).await;
    let _ = stream.shutdown().await;
}
