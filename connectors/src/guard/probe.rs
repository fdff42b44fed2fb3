//! What others see at an address of one's own, step by step: what its name stands for, whether that is public, what answers there.
//!
//! A name is looked up once. Only a host whose addresses were all judged public is connected to, and at those addresses alone, so that
//! nothing of the operator's own network is asked by way of a name (SSRF); but a name that an overlay gives leads to this computer's own
//! address in it. No redirect is followed.

mod certificate;

use std::io;
use std::net::{IpAddr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{HOST, HeaderMap, HeaderValue};
use reqwest::{Client, Url};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;

use super::JudgedAddress;
use super::http::{HttpAnswer, HttpRequest, broken, client, read};
use super::private::{is_overlay, is_public};
use super::rule::forbidden;
use super::tls::Trust;
use crate::failure::SourceFailure;
use crate::limits::PROBE_DEADLINE;

pub use certificate::CertificateFault;

/// How the names end that an overlay gives: a computer in it sees its own address there, everybody else that of the funnel.
const OVERLAY_NAMES: &str = ".ts.net";

/// The port of https.
const HTTPS_PORT: u16 = 443;

/// By which names, addresses and authorities others see it: the system's and the real ones, unless a test gives others.
#[derive(Clone, Debug)]
pub struct ProbeWay {
    /// Where names are looked up.
    pub names: NameLookup,
    /// Whether anybody may connect to an address.
    pub is_public: fn(IpAddr) -> bool,
    /// `None` for the authorities of this system.
    pub trust: Option<Trust>,
}

/// Where names are looked up.
#[derive(Clone, Debug)]
pub enum NameLookup {
    /// As this system does.
    System,
    /// These names and no others. The port 0 stands for the one that was asked for.
    Given(Vec<(String, SocketAddr)>),
}

/// A host that was looked up; nothing has been connected to.
#[derive(Clone, Debug)]
pub struct FoundHost {
    host: String,
    port: u16,
    addresses: Vec<SocketAddr>,
}

/// A host whose addresses are all public.
#[derive(Clone, Debug)]
pub struct PublicProbe {
    found: FoundHost,
    trust: Trust,
    client: Client,
}

impl Default for ProbeWay {
    fn default() -> Self {
        Self {
            names: NameLookup::System,
            is_public,
            trust: None,
        }
    }
}

impl ProbeWay {
    /// The addresses of a host, within [`PROBE_DEADLINE`].
    ///
    /// # Errors
    /// When the name stands for none.
    pub async fn look_up(&self, host: &str, port: u16) -> io::Result<FoundHost> {
        let addresses = match host.parse::<IpAddr>() {
            Ok(address) => vec![(address, port).into()],
            Err(_) => self.addresses(host, port).await?,
        };
        if addresses.is_empty() {
            return Err(io::ErrorKind::NotFound.into());
        }
        Ok(FoundHost {
            host: host.to_owned(),
            port,
            addresses,
        })
    }

    async fn addresses(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        let given = match &self.names {
            NameLookup::System => {
                let looked_up = timeout(PROBE_DEADLINE, lookup_host((host, port))).await;
                return Ok(looked_up.map_err(io::Error::from)??.collect());
            }
            NameLookup::Given(given) => given,
        };
        let own = given.iter().filter(|(name, _)| name == host);
        let with_port = own.map(|(_, address)| match address.port() {
            0 => (address.ip(), port).into(),
            _ => *address,
        });
        Ok(with_port.collect())
    }

    /// A probe of this host: of public addresses, or of those that an overlay's name has within it.
    ///
    /// # Errors
    /// [`FailureKind::ForbiddenAddress`](crate::failure::FailureKind::ForbiddenAddress) when another of its addresses is not public, or that
    /// no authority is trusted here.
    pub fn probe(&self, found: FoundHost) -> Result<PublicProbe, SourceFailure> {
        if !found.is_of_overlay() && self.not_public(&found).next().is_some() {
            return Err(forbidden("an address that is not public"));
        }
        let trust = self.trust.clone().map_or_else(Trust::system, Ok)?;
        Ok(PublicProbe {
            client: client(Pinned(found.addresses.clone()), &trust)?,
            trust,
            found,
        })
    }

    /// Those of its addresses that nobody elsewhere can connect to.
    pub fn not_public(&self, found: &FoundHost) -> impl Iterator<Item = IpAddr> {
        let addresses = found.addresses.iter().map(SocketAddr::ip);
        addresses.filter(|address| !(self.is_public)(*address))
    }
}

impl FoundHost {
    /// What its name stands for.
    pub fn addresses(&self) -> impl Iterator<Item = IpAddr> {
        self.addresses.iter().map(SocketAddr::ip)
    }

    /// Whether an overlay that this computer is in has answered, so that what others see is not known.
    pub fn is_of_overlay(&self) -> bool {
        self.host.ends_with(OVERLAY_NAMES) && self.addresses().all(is_overlay)
    }

    /// As a URL and a `Host` header have it.
    fn authority(&self) -> String {
        let host = match self.host.contains(':') {
            true => format!("[{}]", self.host),
            false => self.host.clone(),
        };
        match self.port {
            HTTPS_PORT => host,
            port => format!("{host}:{port}"),
        }
    }

    /// A URL of this host. A port in it would be connected to in place of the one that was looked up; the `Host` header has it.
    fn url(&self, path: &str) -> Option<Url> {
        let is_literal = self.host.parse::<IpAddr>().is_ok();
        let authority = match is_literal {
            true => self.authority(),
            false => self.host.clone(),
        };
        Url::parse(&format!("https://{authority}{path}")).ok()
    }
}

impl PublicProbe {
    /// Connects and closes again, within [`PROBE_DEADLINE`].
    ///
    /// # Errors
    /// When nothing answers.
    pub async fn connect(&self) -> io::Result<()> {
        self.stream().await.map(drop)
    }

    async fn stream(&self) -> io::Result<TcpStream> {
        let connecting = TcpStream::connect(self.found.addresses.as_slice());
        timeout(PROBE_DEADLINE, connecting).await?
    }

    /// Sends a request to this path (with its query) and reads the answer, within [`PROBE_DEADLINE`].
    ///
    /// # Errors
    /// When nothing answers, or too much. An answer of any status is none.
    pub async fn send(
        &self,
        path: &str,
        request: &HttpRequest,
    ) -> Result<HttpAnswer, SourceFailure> {
        let url = self.found.url(path);
        let url = url.ok_or_else(|| forbidden("a path that is none"))?;
        let to = JudgedAddress::of_url(url, false);
        timeout(PROBE_DEADLINE, self.send_to(to, request))
            .await
            .unwrap_or_else(|_| Err(broken::not_in_time()))
    }

    async fn send_to(
        &self,
        to: JudgedAddress,
        request: &HttpRequest,
    ) -> Result<HttpAnswer, SourceFailure> {
        let mut headers: HeaderMap = request.headers.clone();
        if let Ok(host) = HeaderValue::from_str(&self.found.authority()) {
            headers.insert(HOST, host);
        }
        let sending = self
            .client
            .request(request.method.clone(), to.url().clone())
            .headers(headers)
            .body(request.body.clone());
        let response = sending.send().await;
        let response = response.map_err(|cause| broken::not_sent(&cause))?;
        read(to, response, request.answer_bytes_max).await
    }
}

/// The addresses that were looked up, for whatever name a connection asks.
#[derive(Clone)]
struct Pinned(Vec<SocketAddr>);

impl Resolve for Pinned {
    fn resolve(&self, _: Name) -> Resolving {
        let addresses = self.0.clone().into_iter();
        Box::pin(async move { Ok(Box::new(addresses) as Addrs) })
    }
}
