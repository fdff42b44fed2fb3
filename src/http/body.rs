//! Reads the body of a request to the Console port within limits of size and time.

use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::web::{Bytes, Payload as Body};
use actix_web::{FromRequest as _, HttpRequest, HttpResponse, ResponseError as _};
use futures_util::StreamExt as _;
use futures_util::future::LocalBoxFuture;
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::problem::{Code, Problem};

/// The largest JSON object that a route of the Console reads, in bytes.
const OBJECT_BYTES_MAX: usize = 64 * 1024;
/// The longest a route waits for its body.
const BODY_WAIT_MAX: Duration = Duration::from_secs(10);
/// How much of a refused request's body is discarded, so that the client can read the refusal before the connection closes.
const REFUSED_BODY_BYTES_MAX: usize = 256 * 1024;
/// How long that may take.
const REFUSED_BODY_WAIT: Duration = Duration::from_secs(1);
/// How much of an unknown name an answer repeats, in characters.
const NAME_SHOWN_CHARS_MAX: usize = 40;

/// Parses the members of a JSON object; an empty body is an object without members.
///
/// # Errors
/// When it is not a JSON object.
pub(crate) fn parse_object(bytes: &[u8]) -> Result<Map<String, Value>, Problem> {
    if bytes.is_empty() {
        return Ok(Map::new());
    }
    match json(bytes)? {
        Value::Object(members) => Ok(members),
        _ => Err(Problem::new(Code::Invalid, "send a JSON object")),
    }
}

/// Reads the body of a request as a small JSON object.
///
/// # Errors
/// When it is not one, is too large, or does not arrive whole and in time.
pub(crate) fn read_object(
    request: &HttpRequest,
    payload: &mut Payload,
) -> LocalBoxFuture<'static, Result<Map<String, Value>, Problem>> {
    let body = Body::from_request(request, payload);
    Box::pin(async move {
        let body = body.await.map_err(|_| unreadable())?;
        parse_object(&read(body, OBJECT_BYTES_MAX).await?)
    })
}

/// The problem of a field or a query parameter that the route does not know. A misspelt one is an error that names it, never a
/// setting that is silently ignored (r063, r075).
pub(crate) fn unknown(name: &str, known: &[&str]) -> Problem {
    let shown: String = name.chars().take(NAME_SHOWN_CHARS_MAX).collect();
    let takes = match known {
        [] => "this route takes none".to_owned(),
        _ => format!("this route takes {}", known.join(", ")),
    };
    Problem::invalid(shown.clone(), format!("unknown field `{shown}`; {takes}"))
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

/// Parses JSON.
///
/// # Errors
/// The line and column at which it is not JSON.
pub(crate) fn json(bytes: &[u8]) -> Result<Value, Problem> {
    serde_json::from_slice(bytes).map_err(|fault| {
        let (line, column) = (fault.line(), fault.column());
        Problem::new(
            Code::Invalid,
            format!("the body is no JSON (line {line}, column {column})"),
        )
    })
}

/// Reads and discards what a refused client is still sending, up to a limit: closing with unread bytes sends a reset, and the client
/// would lose the answer.
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
    // A client that is slower than the limit loses the answer, nothing else.
    let _ = timeout(REFUSED_BODY_WAIT, drain).await;
}

/// The answer of a route that refuses a file before all of it was read; it closes the connection.
pub(crate) async fn refuse_unread(body: &mut Body, problem: &Problem) -> HttpResponse {
    discard(body).await;
    let mut answer = problem.error_response();
    // The rest of the body is not read.
    answer
        .head_mut()
        .set_connection_type(actix_http::ConnectionType::Close);
    answer
}

fn unreadable() -> Problem {
    Problem::new(Code::Invalid, "the body did not arrive whole")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_is_not_known_is_named() {
        let problem = unknown("expires_in_days", &["name", "expiresInDays"]);
        assert_eq!(
            problem.to_string(),
            "invalid: unknown field `expires_in_days`; this route takes name, expiresInDays"
        );
    }

    #[test]
    fn what_is_no_object_is_refused_and_no_body_is_an_empty_one() {
        assert!(parse_object(b"").unwrap().is_empty());
        for body in ["[]", "null", "\"x\"", "{", "{}{}", "{\"a\":1"] {
            assert!(parse_object(body.as_bytes()).is_err(), "{body}");
        }
    }
}
