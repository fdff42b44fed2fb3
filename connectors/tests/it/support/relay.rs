//! TLS before a server that speaks none: a provider's name is led to it.

use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpStream};

use super::certificates::Certificates;
use super::sink::acceptor;

/// Passes bytes on, both ways. It ends with its runtime.
pub struct Relay {
    pub address: SocketAddr,
}

impl Relay {
    /// Starts one before `server`, on a free port, with the certificate of the names.
    pub async fn start(certificates: &Certificates, server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let tls = acceptor((&certificates.server, &certificates.server_key));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let tls = tls.clone();
                tokio::spawn(async move {
                    // Who does not trust the certificate, or has seen enough, leaves.
                    if let Ok(mut stream) = tls.accept(stream).await
                        && let Ok(mut behind) = TcpStream::connect(server).await
                    {
                        let _ = tokio::io::copy_bidirectional(&mut stream, &mut behind).await;
                    }
                });
            }
        });
        Self { address }
    }
}
