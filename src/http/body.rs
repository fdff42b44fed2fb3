//! The body of an admin request: a small JSON object whose every field is known.
//!
//! A misspelt field is an error that names it, never a setting that silently did not happen (r063, r075).

use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use futures_util::future::LocalBoxFuture;
use serde_json::{Map, Value};

use super::problem::{Code, Problem};

/// The largest body an admin route reads, in bytes.
const BODY_BYTES_MAX: usize = 64 * 1024;
/// The longest an admin route waits for its body.
const BODY_WAIT_MAX: Duration = Duration::from_secs(10);
/// How much of an unknown name is said back, in characters.
const NAME_SHOWN_CHARS_MAX: usize = 40;

/// The fields that were sent and not taken yet. No body is an object without fields.
#[derive(Debug, Default)]
pub struct Fields(Map<String, Value>);

impl Fields {
    /// Reads a body.
    ///
    /// # Errors
    /// When it is no JSON object.
    pub fn parse(bytes: &[u8]) -> Result<Self, Problem> {
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        match serde_json::from_slice(bytes) {
            Ok(Value::Object(map)) => Ok(Self(map)),
            Ok(_) => Err(Problem::new(Code::Invalid, "send a JSON object")),
            Err(fault) => Err(Problem::new(
                Code::Invalid,
                format!(
                    "the body is no JSON (line {}, column {})",
                    fault.line(),
                    fault.column()
                ),
            )),
        }
    }

    /// Takes a field out; `null` is a value.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name)
    }

    /// Ends the reading: nothing may be left.
    ///
    /// # Errors
    /// The first field that is none of `known`.
    pub fn finish(self, known: &[&str]) -> Result<(), Problem> {
        match self.0.into_iter().next() {
            None => Ok(()),
            Some((name, _)) => Err(unknown(&name, known)),
        }
    }
}

/// The problem of a field or a query parameter that the route does not know.
pub fn unknown(name: &str, known: &[&str]) -> Problem {
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
        let payload = web::Payload::from_request(request, payload);
        Box::pin(async move {
            let payload = payload.await.map_err(|_| unreadable())?;
            let read = payload.to_bytes_limited(BODY_BYTES_MAX);
            match tokio::time::timeout(BODY_WAIT_MAX, read).await {
                Ok(Ok(Ok(bytes))) => Self::parse(&bytes),
                Ok(Err(_too_large)) => Err(Problem::new(
                    Code::TooLarge,
                    format!("a body of this route holds at most {BODY_BYTES_MAX} bytes"),
                )),
                Ok(Ok(Err(_))) | Err(_) => Err(unreadable()),
            }
        })
    }
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
