//! A client of the Console port that sends exactly the bytes it is given, valid HTTP or not.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// A read or write that takes longer fails its test.
const PATIENCE: Duration = Duration::from_secs(60);

/// A connection that sends exactly the bytes it is given.
pub struct Raw(pub TcpStream);

impl Raw {
    /// Connects to `http://address:port`, or to `address:port`.
    pub fn to(address: &str) -> Self {
        let address = address.strip_prefix("http://").unwrap_or(address);
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        Self(stream)
    }

    pub fn head(&mut self, path: &str, secret: &str, more: &str) -> &mut Self {
        self.send(format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {secret}\r\n{more}\r\n"
        ))
    }

    pub fn send(&mut self, bytes: impl AsRef<[u8]>) -> &mut Self {
        self.0.write_all(bytes.as_ref()).unwrap();
        self
    }

    /// Reads as many bytes as the text has, which must be that text.
    pub fn expect(&mut self, text: &str) -> &mut Self {
        let mut read = vec![0; text.len()];
        self.0.read_exact(&mut read).unwrap();
        assert_eq!(String::from_utf8_lossy(&read), text);
        self
    }

    /// Reads everything until the other end closes.
    pub fn rest(&mut self) -> String {
        let mut read = String::new();
        self.0.read_to_string(&mut read).unwrap();
        read
    }

    /// Reads one answer with a length, on a connection that stays open.
    pub fn answer(&mut self) -> (String, Value) {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            self.0.read_exact(&mut byte).unwrap();
            head.extend(byte);
        }
        let head = String::from_utf8(head).unwrap().to_ascii_lowercase();
        let length = head.split("content-length: ").nth(1).unwrap();
        let mut body = vec![0; length.split("\r\n").next().unwrap().parse().unwrap()];
        self.0.read_exact(&mut body).unwrap();
        (head, serde_json::from_slice(&body).unwrap())
    }
}
