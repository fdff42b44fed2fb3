//! The message of a POST, read as far as the choice of its session needs.

use actix_web::http::header::HeaderMap;

use super::envelope::Envelope;
use super::era::{self, Exchange};
use super::error::RequestError;

/// A message, and how it is to be served.
#[derive(Debug)]
pub struct Message {
    /// Kind, id, era and client of the message.
    pub envelope: Envelope,
    /// How it is to be served.
    pub exchange: Exchange,
}

impl Message {
    /// Reads a body that came under `headers`.
    ///
    /// # Errors
    /// Those of [`Envelope::read`] and [`era::of_message`], with the request's id once it is known.
    pub fn read(headers: &HeaderMap, body: &[u8]) -> Result<Self, RequestError> {
        let envelope = Envelope::read(body)?;
        match era::of_message(&envelope, headers) {
            Ok(exchange) => Ok(Self { envelope, exchange }),
            Err(error) => Err(RequestError {
                id: envelope.id,
                error,
            }),
        }
    }
}
