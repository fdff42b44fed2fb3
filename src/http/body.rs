//! The body of a request to the Console port, read within bounds; and that of an admin request, a small JSON object whose every
//! field is known.
//!
//! A misspelt field is an error that names it, never a setting that silently did not happen (r063, r075).

use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::web::{Bytes, Payload as Body};
use actix_web::{FromRequest, HttpRequest};
use futures_util::StreamExt as _;
use futures_util::future::LocalBoxFuture;
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::problem::{Code, Problem};

/// The largest body an admin route reads, in bytes.
const BODY_BYTES_MAX: usize = 64 * 1024;
/// The longest a route waits for its body.
const BODY_WAIT_MAX: Duration = Duration::from_secs(10);
/// How much of a refused request's body is thrown away, so that the refusal can be read before the connection closes.
const REFUSED_BODY_BYTES_MAX: usize = 256 * 1024;
/// How long that may take.
const REFUSED_BODY_WAIT: Duration = Duration::from_secs(1);
/// How much of an unknown name is said back, in characters.
const NAME_SHOWN_CHARS_MAX: usize = 40;

/// The fields that were sent and not taken yet. No body is an object without fields.
#[derive(Debug, Default)]
pub(crate) struct Fields(Map<String, Value>);

impl Fields {
    /// Reads a body.
    ///
    /// # Errors
    /// When it is no JSON object.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Problem> {
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        match json(bytes)? {
            Value::Object(map) => Ok(Self(map)),
            _ => Err(Problem::new(Code::Invalid, "send a JSON object")),
        }
    }

    /// Takes a field out; `null` is a value.
    pub(crate) fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name)
    }

    /// All of them.
    pub(crate) fn into_members(self) -> Map<String, Value> {
        self.0
    }

    /// Ends the reading: nothing may be left.
    ///
    /// # Errors
    /// The first field that is none of `known`.
    pub(crate) fn finish(self, known: &[&str]) -> Result<(), Problem> {
        match self.0.into_iter().next() {
            None => Ok(()),
            Some((name, _)) => Err(unknown(&name, known)),
        }
    }
}

/// The problem of a field or a query parameter that the route does not know.
pub(crate) fn unknown(name: &str, known: &[&str]) -> Problem {
    let shown: String = name.chars().take(NAME_SHOWN_CHARS_MAX).collect();
    let takes = match known {
        [] => "this route takes none".to_owned(),
        _ => format!("this route takes {}", known.join(", ")),
    };
    Problem::invalid(shown.clone(), format!("unknown field `{shown}`; {takes}"))
}

impl FromRequest for Fields {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = Body::from_request(request, payload);
        Box::pin(async move {
            let body = body.await.map_err(|_| unreadable())?;
            Self::parse(&read(body, BODY_BYTES_MAX).await?)
        })
    }
}

/// Reads a body of at most `bytes_max`.
///
/// # Errors
/// When it is larger, or does not arrive whole and in time.
pub(crate) async fn read(body: Body, bytes_max: usize) -> Result<Bytes, Problem> {
    match timeout(BODY_WAIT_MAX, body.to_bytes_limited(bytes_max)).await {
        Ok(Ok(Ok(bytes))) => Ok(bytes),
        Ok(Err(_too_large)) => Err(Problem::new(
            Code::TooLarge,
            format!("a body of this route holds at most {bytes_max} bytes"),
        )),
        Ok(Ok(Err(_))) | Err(_) => Err(unreadable()),
    }
}

/// Reads JSON.
///
/// # Errors
/// Where it is none.
pub(crate) fn json(bytes: &[u8]) -> Result<Value, Problem> {
    serde_json::from_slice(bytes).map_err(|fault| {
        let (line, column) = (fault.line(), fault.column());
        Problem::new(
            Code::Invalid,
            format!("the body is no JSON (line {line}, column {column})"),
        )
    })
}

/// Throws away what a refused client is still sending, up to a bound: unread bytes would make the close a reset, and a
/// reset loses the answer.
pub(crate) async fn discard(body: &mut Body) {
    let drain = async {
        let mut left = REFUSED_BODY_BYTES_MAX;
        while let Some(Ok(chunk)) = body.next().await {
            let Some(rest) = left.checked_sub(chunk.len()) else {
                return;
            };
            left = rest;
        }
    };
    // A client that is slower than the bound loses the answer, and nothing else.
    let _ = timeout(REFUSED_BODY_WAIT, drain).await;
}

fn unreadable() -> Problem {
    Problem::new(Code::Invalid, "the body did not arrive whole")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_is_not_known_is_named() {
        let mut fields = Fields::parse(br#"{"name":"a","expires_in_days":3}"#).unwrap();
        fields.take("name");
        let problem = fields.finish(&["name", "expiresInDays"]).unwrap_err();
        assert_eq!(
            problem.to_string(),
            "invalid: unknown field `expires_in_days`; this route takes name, expiresInDays"
        );
    }

    #[test]
    fn what_is_no_object_is_refused_and_no_body_is_an_empty_one() {
        assert!(Fields::parse(b"").unwrap().finish(&[]).is_ok());
        for body in ["[]", "null", "\"x\"", "{", "{}{}", "{\"a\":1"] {
            assert!(Fields::parse(body.as_bytes()).is_err(), "{body}");
        }
    }
}
