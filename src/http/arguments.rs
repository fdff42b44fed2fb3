//! A tool's arguments as they come over HTTP: a JSON body, or the parameters of a read.

use actix_web::dev::Payload;
use actix_web::web::Payload as Body;
use actix_web::{FromRequest, HttpRequest};
use futures_util::future::LocalBoxFuture;
use serde_json::{Map, Value};

use super::body;
use super::problem::{Code, Problem};
use super::query_string::pairs;

/// The largest body of arguments, in bytes: the longest list that a filter takes, and much beside it.
const ARGUMENTS_BYTES_MAX: usize = 256 * 1024;

/// What the tool is called with. Whether it is an object, and of what, is the tool's to judge.
pub(crate) struct Arguments(pub Value);

impl Arguments {
    /// Reads a body; none at all is no arguments.
    ///
    /// # Errors
    /// When it is no JSON, too large, or does not arrive.
    pub(crate) async fn read(body: Body) -> Result<Self, Problem> {
        let bytes = body::read(body, ARGUMENTS_BYTES_MAX).await?;
        if bytes.is_empty() {
            return Ok(Self(Value::Object(Map::new())));
        }
        body::json(&bytes).map(Self)
    }

    /// Reads parameters, each a text.
    ///
    /// # Errors
    /// When one comes twice, or they cannot be read.
    pub(crate) fn of_query(query: &str) -> Result<Self, Problem> {
        let mut arguments = Map::new();
        for (name, value) in pairs(query)? {
            if arguments.insert(name, Value::String(value)).is_some() {
                return Err(Problem::new(Code::Invalid, "give each parameter once"));
            }
        }
        Ok(Self(Value::Object(arguments)))
    }
}

impl FromRequest for Arguments {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = Body::from_request(request, payload);
        Box::pin(async move {
            let unreadable = |_| Problem::new(Code::Invalid, "the body did not arrive whole");
            Self::read(body.await.map_err(unreadable)?).await
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parameters_are_arguments_and_come_once() {
        let read = |query| Arguments::of_query(query).map(|arguments| arguments.0);
        assert_eq!(read("").unwrap(), json!({}));
        assert_eq!(
            read("target=finance&x=%20").unwrap(),
            json!({"target": "finance", "x": " "})
        );
        assert!(read("target=finance&target=mail").is_err());
    }
}
