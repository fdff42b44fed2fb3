//! The first words of a socket: `auth_required`, `auth`, and `auth_ok` or `auth_invalid`. A home counts what it refused and
//! shuts an address out, so a token is tried once.

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::client_async_with_config;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};

use super::super::wire::{malformed, not_in_time, text, type_of};
use crate::failure::{FailureKind, SourceFailure};
use crate::guard::GuardedStream;
use crate::limits::{HOME_MESSAGE_BYTES_MAX, HOME_SIGN_IN_DEADLINE};
use crate::secret::SourceSecret;

/// The socket of a home.
pub(super) type HomeSocket = WebSocketStream<GuardedStream>;

/// Makes a socket of the stream and signs in, within [`HOME_SIGN_IN_DEADLINE`].
pub(super) async fn sign_in(
    stream: GuardedStream,
    address: &str,
    token: &SourceSecret,
) -> Result<HomeSocket, SourceFailure> {
    let signing_in = async {
        let config = WebSocketConfig::default()
            .max_message_size(Some(HOME_MESSAGE_BYTES_MAX))
            .max_frame_size(Some(HOME_MESSAGE_BYTES_MAX));
        let opened = client_async_with_config(address, stream, Some(config)).await;
        let (mut socket, _) = opened.map_err(|cause| lost(&cause))?;
        give_token(&mut socket, token).await?;
        Ok(socket)
    };
    let signed_in = timeout(HOME_SIGN_IN_DEADLINE, signing_in).await;
    signed_in.unwrap_or_else(|_| Err(not_in_time()))
}

async fn give_token(socket: &mut HomeSocket, token: &SourceSecret) -> Result<(), SourceFailure> {
    let asked = next(socket).await?;
    if type_of(&asked) != "auth_required" {
        return Err(malformed());
    }
    let auth = json!({"type": "auth", "access_token": token.reveal()});
    let sent = socket.send(Message::text(auth.to_string())).await;
    sent.map_err(|cause| lost(&cause))?;
    let answer = next(socket).await?;
    match type_of(&answer) {
        "auth_ok" => Ok(()),
        "auth_invalid" => {
            let message = "the home did not take the token";
            let failure = SourceFailure::new(FailureKind::CredentialRefused, message);
            Err(failure.with_words(text(&answer, "message").unwrap_or_default()))
        }
        _ => Err(malformed()),
    }
}

async fn next(socket: &mut HomeSocket) -> Result<Value, SourceFailure> {
    loop {
        let message = socket.next().await.unwrap_or(Err(Error::ConnectionClosed));
        match message.map_err(|cause| lost(&cause))? {
            Message::Text(text) => return serde_json::from_str(&text).map_err(|_| malformed()),
            Message::Ping(_) | Message::Pong(_) => {}
            Message::Close(_) => return Err(lost(&Error::ConnectionClosed)),
            Message::Binary(_) | Message::Frame(_) => return Err(malformed()),
        }
    }
}

/// What a socket that failed means. No words of the library are kept: some quote what was read.
pub(super) fn lost(cause: &Error) -> SourceFailure {
    match cause {
        Error::Http(answer) => SourceFailure::of_status(answer.status().as_u16(), None, ""),
        Error::Capacity(_) => {
            let message =
                format!("the source's message is longer than {HOME_MESSAGE_BYTES_MAX} bytes");
            SourceFailure::new(FailureKind::TooLarge, message)
        }
        Error::Utf8(_) | Error::HttpFormat(_) => malformed(),
        Error::Protocol(cause) if !is_cut_off(cause) => malformed(),
        _ => SourceFailure::new(FailureKind::Unavailable, "the source closed the connection"),
    }
}

fn is_cut_off(cause: &tokio_tungstenite::tungstenite::error::ProtocolError) -> bool {
    use tokio_tungstenite::tungstenite::error::ProtocolError as Cause;
    matches!(
        cause,
        Cause::ResetWithoutClosingHandshake | Cause::HandshakeIncomplete
    )
}
