//! What stands in front of the agent port: TLS, one request a connection, and one thing that is spoiled.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;
use tokio_rustls::TlsAcceptor;

use crate::support::certificates::Certificates;
use crate::support::tls_proxy::acceptor;

/// What it does wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spoiled {
    Nothing,
    /// It speaks no TLS.
    NoTls,
    /// It names the agent port itself in place of the name that was asked for.
    HostOfThisComputer,
    /// It names a host that nobody has published.
    HostOfAnother,
    /// The Console port is behind it, by whatever name it was asked.
    Console,
    /// The same, named as on this computer.
    ConsoleAsLocalhost,
    /// What it does not know as an agent's leads to the Console.
    ConsoleBeside,
    /// Another server is behind it.
    OtherServer,
    /// It redirects all.
    Redirects,
    /// Nothing is behind it.
    BadGateway,
    /// It answers itself what clients read of the resource, with what it kept of another address.
    KeptResource,
    /// The same of the authorization server.
    KeptServer,
    /// It has no way for what is below `/.well-known/oauth-…`.
    NoMetadata,
    NoChallenge,
    /// It takes the keys and tokens away.
    NoAuthorization,
    NoRegistration,
    /// It answers the sign-in page's form itself.
    NoForm,
    NoToken,
    /// It gives the first list of tools again for ever.
    KeepsAnswers,
    /// It changes the answer to the nonce.
    ChangesAnswers,
}

/// Runs until it is dropped.
pub struct Front {
    pub address: SocketAddr,
    behind: Arc<Behind>,
    accepting: AbortHandle,
}

#[derive(Default)]
struct Behind {
    /// The agent port and the Console port.
    ports: OnceLock<(SocketAddr, SocketAddr)>,
    kept: OnceLock<String>,
}

impl Front {
    pub async fn start(certificates: &Certificates, spoiled: Spoiled) -> Self {
        let acceptor = acceptor(certificates);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let behind = Arc::new(Behind::default());
        let own = Arc::clone(&behind);
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (acceptor, behind) = (acceptor.clone(), Arc::clone(&own));
                tokio::spawn(async move { serve(client, &acceptor, spoiled, &behind).await });
            }
        });
        Self {
            address,
            behind,
            accepting: accepting.abort_handle(),
        }
    }

    /// Leads to these ports.
    pub fn lead(&self, agents: SocketAddr, console: SocketAddr) {
        self.behind.ports.set((agents, console)).unwrap();
    }

    /// Leads nowhere any more: its port is closed.
    pub async fn close(self) -> SocketAddr {
        let address = self.address;
        self.accepting.abort();
        // The listener is gone with its task.
        while TcpStream::connect(address).await.is_ok() {
            tokio::task::yield_now().await;
        }
        address
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Serves one connection. `None` means that one side has closed, which the other sees.
async fn serve(
    client: TcpStream,
    acceptor: &TlsAcceptor,
    spoiled: Spoiled,
    behind: &Behind,
) -> Option<()> {
    if spoiled == Spoiled::NoTls {
        let mut client = client;
        client
            .write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n")
            .await
            .ok()?;
        return Some(());
    }
    let mut client = acceptor.accept(client).await.ok()?;
    let (head, body) = read_request(&mut client).await?;
    let answer = answer(&head, &body, spoiled, behind).await?;
    client.write_all(&answer).await.ok()?;
    client.shutdown().await.ok()
}

async fn read_request(client: &mut (impl AsyncRead + Unpin)) -> Option<(String, Vec<u8>)> {
    let mut read = Vec::new();
    let end = loop {
        if let Some(end) = read.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        if client.read_buf(&mut read).await.ok()? == 0 {
            return None;
        }
    };
    let mut body = read.split_off(end);
    let head = String::from_utf8(read).ok()?;
    let length: usize = header(&head, "content-length").map_or(0, |value| value.parse().unwrap());
    while body.len() < length {
        if client.read_buf(&mut body).await.ok()? == 0 {
            return None;
        }
    }
    Some((head, body))
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = head.lines().filter_map(|line| line.split_once(':'));
    lines.find_map(|(own, value)| own.eq_ignore_ascii_case(name).then(|| value.trim()))
}

/// The head with a header in place of those of its name, or without them.
fn with(head: &str, name: &str, value: Option<&str>) -> String {
    let is_other = |line: &&str| {
        let own = line.split(':').next().unwrap();
        !own.eq_ignore_ascii_case(name)
    };
    let mut lines: Vec<&str> = head.trim_end().split("\r\n").filter(is_other).collect();
    let added = value.map(|value| format!("{name}: {value}"));
    lines.extend(added.as_deref());
    lines.join("\r\n") + "\r\n\r\n"
}

async fn answer(head: &str, body: &[u8], spoiled: Spoiled, behind: &Behind) -> Option<Vec<u8>> {
    use Spoiled::*;
    let (agents, console) = *behind.ports.get()?;
    let mut words = head.split_whitespace();
    let (method, target) = (words.next()?, words.next()?);
    let path = target.split('?').next()?;
    let is_list = path == "/mcp" && header(head, "authorization").is_some();
    let own = match spoiled {
        OtherServer => Some(made(
            200,
            "content-type: text/html\r\n",
            "<html>hello</html>",
        )),
        Redirects => Some(made(302, "location: https://elsewhere.example/\r\n", "")),
        BadGateway => Some(made(502, "", "")),
        KeptResource if path.starts_with("/.well-known/oauth-protected") => {
            Some(made(200, "", r#"{"resource":"https://other.example/mcp"}"#))
        }
        KeptServer if path.starts_with("/.well-known/oauth-authorization") => {
            Some(made(200, "", r#"{"issuer":"https://other.example"}"#))
        }
        NoMetadata if path.starts_with("/.well-known/oauth") => Some(made(404, "", "")),
        NoRegistration if path == "/register" => Some(made(405, "", "")),
        NoForm if (method, path) == ("POST", "/authorize") => Some(made(403, "", "")),
        NoToken if path == "/token" => Some(made(429, "", "")),
        KeepsAnswers if is_list => behind.kept.get().cloned(),
        ChangesAnswers if path.starts_with("/.well-known/sextant/") => {
            ask(agents, head, body).await?;
            Some(made(200, "", "ok"))
        }
        _ => None,
    };
    if let Some(own) = own {
        return Some(own.into_bytes());
    }
    let is_of_agents = path == "/mcp" || path.starts_with("/.well-known");
    let (to, host) = match spoiled {
        HostOfThisComputer => (agents, Some(agents.to_string())),
        HostOfAnother => (agents, Some("upstream:8788".to_owned())),
        Console => (console, None),
        ConsoleAsLocalhost => (console, Some(console.to_string())),
        ConsoleBeside if !is_of_agents => (console, None),
        _ => (agents, None),
    };
    let head = match host {
        Some(host) => with(head, "Host", Some(&host)),
        None => head.to_owned(),
    };
    let head = match spoiled {
        NoAuthorization => with(&head, "Authorization", None),
        _ => head,
    };
    let answer = ask(to, &head, body).await?;
    match spoiled {
        NoChallenge => {
            let (head, body) = answer.split_once("\r\n\r\n")?;
            Some(with(head, "WWW-Authenticate", None) + body)
        }
        KeepsAnswers if is_list => Some(behind.kept.get_or_init(|| answer).clone()),
        _ => Some(answer),
    }
    .map(String::into_bytes)
}

/// The whole answer of a port, which is text.
async fn ask(to: SocketAddr, head: &str, body: &[u8]) -> Option<String> {
    let mut server = TcpStream::connect(to).await.ok()?;
    let head = with(head, "Connection", Some("close"));
    server.write_all(head.as_bytes()).await.ok()?;
    server.write_all(body).await.ok()?;
    let mut answer = String::new();
    server.read_to_string(&mut answer).await.ok()?;
    Some(answer)
}

fn made(status: u16, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status} X\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}
