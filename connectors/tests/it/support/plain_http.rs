//! One request of HTTP without TLS, as a browser or a person sends it: nothing is followed, nothing is judged.

use reqwest::Url;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// What came back.
pub struct PlainAnswer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl PlainAnswer {
    /// Where it leads.
    pub fn location(&self) -> Option<Url> {
        let mut headers = self.head.lines().filter_map(|line| line.split_once(": "));
        let (_, location) = headers.find(|(name, _)| name.eq_ignore_ascii_case("location"))?;
        Url::parse(location).ok()
    }
}

/// Asks for a page.
pub async fn get(url: &Url) -> PlainAnswer {
    get_with(url, "").await
}

/// The same with more headers, which are whole lines.
pub async fn get_with(url: &Url, headers: &str) -> PlainAnswer {
    exchange(url, "GET", headers, "").await
}

/// Sends a body of this kind.
pub async fn post(url: &Url, kind: &str, body: &str) -> PlainAnswer {
    exchange(url, "POST", &format!("content-type: {kind}\r\n"), body).await
}

async fn exchange(url: &Url, method: &str, headers: &str, body: &str) -> PlainAnswer {
    let (host, port) = (url.host_str().unwrap(), url.port().unwrap());
    let target = match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    };
    let length = body.len();
    let request = format!(
        "{method} {target} HTTP/1.0\r\nhost: {host}:{port}\r\n{headers}\
         content-length: {length}\r\n\r\n{body}"
    );
    let mut stream = TcpStream::connect((host, port)).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    PlainAnswer {
        status: head.split(' ').nth(1).unwrap().parse().unwrap(),
        head: head.to_owned(),
        body: body.to_owned(),
    }
}
