//! A POST's message, read as far as it must be before a session is looked for.

use actix_web::http::header::HeaderMap;

use super::envelope::Envelope;
use super::era::{self, Exchange};
use super::error::RequestFault;

/// What was sent, and how it is to be served.
#[derive(Debug)]
pub struct Message {
    /// What is known of the message.
    pub envelope: Envelope,
    /// How it is to be served.
    pub exchange: Exchange,
}

impl Message {
    /// Reads a body that came under `headers`.
    ///
    /// # Errors
    /// Those of [`Envelope::read`] and [`era::of_message`], with the request's id once it is known.
    pub fn read(headers: &HeaderMap, body: &[u8]) -> Result<Self, RequestFault> {
        let envelope = Envelope::read(body)?;
        match era::of_message(&envelope, headers) {
            Ok(exchange) => Ok(Self { envelope, exchange }),
            Err(fault) => Err(RequestFault {
                id: envelope.id,
                fault,
            }),
        }
    }
}
