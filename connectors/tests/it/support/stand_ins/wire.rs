//! Requests and answers of HTTP as texts.

use reqwest::Url;
use serde_json::Value;

/// The path of a request, with its query.
pub fn target(request: &str) -> &str {
    request.split(' ').nth(1).unwrap()
}

/// The same as an address, whose host is none.
pub fn address(request: &str) -> Url {
    let base = Url::parse("https://stand-in").unwrap();
    base.join(target(request)).unwrap()
}

/// A header of a request's text.
pub fn header<'a>(request: &'a str, name: &str) -> Option<&'a str> {
    let lines = request.lines().skip(1).take_while(|line| !line.is_empty());
    let mut pairs = lines.filter_map(|line| line.split_once(':'));
    let found = pairs.find(|(own, _)| own.eq_ignore_ascii_case(name))?;
    Some(found.1.trim())
}

/// Whether all of a request is there, its body too.
pub fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((_, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = header(&text, "content-length").map(|own| own.parse::<usize>().unwrap());
    body.len() >= length.unwrap_or(0)
}

/// A part of a path, unescaped.
pub fn unescaped(part: &str) -> String {
    let query = format!("https://x/?s={}", part.replace('+', "%2B"));
    let address = Url::parse(&query).unwrap();
    address.query_pairs().next().unwrap().1.into_owned()
}

/// An answer; `headers` are whole lines.
pub fn json(status: u16, headers: &str, body: &Value) -> Vec<u8> {
    raw(status, headers, &body.to_string())
}

/// The same with any body.
pub fn raw(status: u16, headers: &str, body: &str) -> Vec<u8> {
    let kind = match body.is_empty() {
        true => "",
        false => "content-type: application/json; charset=UTF-8\r\n",
    };
    let length = body.len();
    format!(
        "HTTP/1.1 {status} X\r\n{kind}content-length: {length}\r\nconnection: close\r\n{headers}\r\n{body}"
    )
    .into_bytes()
}

/// The status of an answer.
pub fn status(answer: &[u8]) -> u16 {
    let text = String::from_utf8_lossy(answer);
    text.split(' ').nth(1).unwrap().parse().unwrap()
}
