//! A server of HTTP over TLS before a real one: passes requests on, and changes what answers say.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use reqwest::Method;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use sextant_connectors::guard::{HttpGuard, HttpRequest};

use super::dav_server::DavServer;
use super::sink::Sink;

type Rewrite = dyn Fn(&str) -> String + Send + Sync;

/// The server before the server.
pub struct Front {
    pub address: SocketAddr,
    rewrite: Arc<Mutex<Arc<Rewrite>>>,
    hosts: Arc<Mutex<BTreeSet<String>>>,
    _sink: Sink,
}

impl Front {
    /// Starts one before `server`, on a free port.
    pub async fn start(server: &DavServer) -> Self {
        let rewrite: Arc<Mutex<Arc<Rewrite>>> = Arc::new(Mutex::new(Arc::new(str::to_owned)));
        let hosts: Arc<Mutex<BTreeSet<String>>> = Arc::default();
        let (own_rewrite, own_hosts) = (Arc::clone(&rewrite), Arc::clone(&hosts));
        let (guard, typed) = (server.guard(), server.typed());
        let certificate = (
            &*server.certificates.server,
            &*server.certificates.server_key,
        );
        let sink = Sink::start(Some(certificate), move |request| {
            let host = header(request, "host").unwrap_or_default();
            own_hosts.lock().unwrap().insert(host.to_owned());
            let rewrite = Arc::clone(&own_rewrite.lock().unwrap());
            let (guard, typed, request) = (guard.clone(), typed.clone(), request.to_owned());
            let passed = std::thread::spawn(move || pass_on(&guard, &typed, &request, &*rewrite));
            passed.join().unwrap()
        });
        let sink = sink.await;
        Self {
            address: sink.address,
            rewrite,
            hosts,
            _sink: sink,
        }
    }

    /// What is made of every answer's body from now on.
    pub fn rewrite(&self, rewrite: impl Fn(&str) -> String + Send + Sync + 'static) {
        *self.rewrite.lock().unwrap() = Arc::new(rewrite);
    }

    /// The names under which it was asked.
    pub fn hosts(&self) -> BTreeSet<String> {
        self.hosts.lock().unwrap().clone()
    }

    /// Forgets them.
    pub fn forget(&self) {
        self.hosts.lock().unwrap().clear();
    }
}

fn header<'a>(request: &'a str, name: &str) -> Option<&'a str> {
    let lines = request.lines().skip(1).take_while(|line| !line.is_empty());
    let mut pairs = lines.filter_map(|line| line.split_once(':'));
    let found = pairs.find(|(own, _)| own.eq_ignore_ascii_case(name))?;
    Some(found.1.trim())
}

fn pass_on(guard: &HttpGuard, typed: &reqwest::Url, request: &str, rewrite: &Rewrite) -> Vec<u8> {
    let mut words = request.split(' ');
    let (method, path) = (words.next().unwrap(), words.next().unwrap());
    let mut headers = HeaderMap::new();
    for name in ["authorization", "depth", "content-type"] {
        if let Some(value) = header(request, name) {
            let value = HeaderValue::from_str(value).unwrap();
            headers.insert(HeaderName::from_static(name), value);
        }
    }
    let body = request.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    let request = HttpRequest {
        method: Method::from_bytes(method.as_bytes()).unwrap(),
        headers,
        body: Bytes::copy_from_slice(body.as_bytes()),
        answer_bytes_max: 1 << 24,
    };
    let to = guard.rule().judge(&typed.join(path).unwrap()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let answer = runtime
        .unwrap()
        .block_on(guard.send(&to, &request))
        .unwrap();
    let body = rewrite(&String::from_utf8_lossy(&answer.body));
    let (status, length) = (answer.status, body.len());
    format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
        .into_bytes()
}
