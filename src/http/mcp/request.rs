//! One admitted request: serves a direct call itself; of any other message it decides the era, finds or opens its session, and passes
//! it to rmcp under that session's gate.

use actix_web::http::Method;
use actix_web::http::header::HeaderMap;
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use rmcp::transport::streamable_http_server::SessionManager as _;
use sextant_actors::audit::{AuditEntry, SafeArgs};
use sextant_actors::domain::{CleanText, OPERATOR};
use sextant_actors::sessions::{ClientInfo, Era, Lease, SessionId};
use tokio_util::sync::CancellationToken;

use super::convert::{
    Reached, RequestExtension, RmcpResponse, SessionHeader, from_rmcp, to_rmcp, ungated,
};
use super::direct::DirectMessage;
use super::direct::answer::DirectAnswer;
use super::direct::call::DirectCall;
use super::direct::listen::DirectListen;
use super::envelope::Envelope;
use super::era::{self, Exchange};
use super::error::{McpError, RequestError};
use super::farewell::Farewell;
use super::holds::{BodyHold, CallHolds};
use super::idle_stream;
use super::message::Message;
use super::port::AgentPort;
use super::protocol::SESSION_HEADER;
use super::refused;
use super::transports::{CURRENT_LEASE, transport_id};
use crate::capacity::Share;
use crate::http::admission::Admitted;
use crate::http::code::RpcCode;
use crate::http::wire::{Passage, PassageError};

/// One admitted request.
pub(super) struct AdmittedRequest<'a> {
    port: &'a AgentPort,
    request: &'a HttpRequest,
    caller: Admitted<'a>,
    reached: Reached,
}

impl<'a> AdmittedRequest<'a> {
    /// A request of this caller.
    pub(super) fn new(port: &'a AgentPort, request: &'a HttpRequest, caller: Admitted<'a>) -> Self {
        Self {
            port,
            request,
            caller,
            reached: Reached::default(),
        }
    }

    /// The agent's upload bytes that the body takes.
    pub(super) const fn upload(&mut self) -> &mut Share {
        &mut self.caller.share
    }
}

impl AdmittedRequest<'_> {
    fn headers(&self) -> &HeaderMap {
        self.request.headers()
    }

    /// POST: one message.
    pub(super) async fn message(self, body: Bytes) -> Result<HttpResponse, RequestError> {
        let served = self.exchange(body.clone()).await;
        let is_refused = match &served {
            Ok(answer) => answer.status() == RpcCode::InvalidRequest.status(),
            Err(refused) => refused.error.is_of_message(),
        };
        if is_refused && !self.reached.is_marked() {
            self.record_refused(Some(&body)).await;
        }
        served
    }

    /// Leaves the audit row of a call whose body was refused before it was read to its end, and gives back its upload bytes.
    pub(super) async fn record_unread(mut self, error: &McpError) {
        self.upload().settle(0);
        if error.is_of_message() {
            self.record_refused(None).await;
        }
    }

    async fn record_refused(&self, body: Option<&[u8]>) {
        if let Some(call) = refused::call_of(self.headers(), body) {
            let entry = AuditEntry {
                user_id: Some(OPERATOR),
                agent_id: Some(self.caller.agent().into()),
                args: Some(SafeArgs::of(&call.arguments)),
                request_id: call.request_id.as_deref().map(CleanText::of),
                ..AuditEntry::unfinished(call.verb())
            };
            self.port.audit.open_witness(entry).fail().await;
        }
    }

    async fn exchange(&self, body: Bytes) -> Result<HttpResponse, RequestError> {
        if let Some(direct) = self.port.direct.read(self.headers(), &body) {
            let id = Some(direct.id().clone());
            let served = match direct {
                DirectMessage::Call(call) => self.serve_directly(call).await,
                DirectMessage::Listen(listen) => self.listen_directly(listen).await,
            };
            return served.map_err(|error| RequestError { id, error });
        }
        let Message { envelope, exchange } = Message::read(self.headers(), &body)?;
        let id = envelope.id.clone();
        self.deliver(envelope, exchange, body)
            .await
            .map_err(|error| RequestError { id, error })
    }

    /// Serves a call that is as the protocol writes it.
    async fn serve_directly(&self, direct: DirectCall) -> Result<HttpResponse, McpError> {
        let DirectCall { id, client, call } = direct;
        let lease = self.open(client, Era::Modern).await?;
        let served = lease.call(call, CancellationToken::new()).await;
        let answer = DirectAnswer::new(id, served)?;
        Ok(answer.into_response(self.passage(&lease)?))
    }

    /// Begins a stream that is asked for as the protocol writes it.
    async fn listen_directly(&self, listen: DirectListen) -> Result<HttpResponse, McpError> {
        let lease = self.open(listen.client, Era::Modern).await?;
        let (held, _) = CallHolds::of_request();
        let answer = (idle_stream::acknowledged(&listen.id)?, held);
        self.put_behind_gate(answer, &lease, Farewell::ListenResult(listen.id))
    }

    async fn deliver(
        &self,
        envelope: Envelope,
        exchange: Exchange,
        body: Bytes,
    ) -> Result<HttpResponse, McpError> {
        match exchange {
            Exchange::Stateless => {
                let lease = self.open(envelope.client.clone(), Era::Modern).await?;
                self.relay(body, lease, SessionHeader::Removed, Farewell::of(&envelope))
                    .await
            }
            Exchange::Handshake => self.handshake(envelope, body).await,
            Exchange::InSession(id) => {
                let lease = self.find(id).await?;
                self.relay(body, lease, SessionHeader::Kept, Farewell::of(&envelope))
                    .await
            }
        }
    }

    /// `initialize`: opens a session first, and ends it if rmcp refuses the message.
    async fn handshake(&self, envelope: Envelope, body: Bytes) -> Result<HttpResponse, McpError> {
        let lease = self.open(envelope.client.clone(), Era::Legacy).await?;
        let passed = self.pass(body, &lease, SessionHeader::Removed).await;
        match passed {
            Ok((answer, held)) if answer.headers().contains_key(SESSION_HEADER) => {
                self.put_behind_gate((answer, held), &lease, Farewell::of(&envelope))
            }
            Ok((refusal, _)) => {
                lease.end().await;
                self.explain_refusal(&refusal)?;
                Ok(ungated(refusal).await)
            }
            Err(error) => {
                lease.end().await;
                Err(error)
            }
        }
    }

    /// rmcp answers some refused handshakes with a plain text that names the wrong cause.
    fn explain_refusal(&self, refusal: &RmcpResponse) -> Result<(), McpError> {
        let is_json = refusal.headers().contains_key(http::header::CONTENT_TYPE);
        if is_json || refusal.status() != http::StatusCode::BAD_REQUEST {
            return Ok(());
        }
        era::supported_header(self.headers())?;
        Err(McpError::MalformedHandshake)
    }

    /// GET: the stream of a session.
    pub(super) async fn stream(self) -> Result<HttpResponse, RequestError> {
        let lease = self.find(era::of_stream(self.headers())?).await?;
        let farewell = Farewell::Silence;
        Ok(self
            .relay(Bytes::new(), lease, SessionHeader::Kept, farewell)
            .await?)
    }

    /// DELETE: the client ends its session.
    pub(super) async fn end(self) -> Result<HttpResponse, RequestError> {
        let lease = self.find(era::of_stream(self.headers())?).await?;
        if let Err(error) = self
            .port
            .transports
            .close_session(&transport_id(&lease))
            .await
        {
            log::warn!("a session's transport did not close: {error}");
        }
        lease.end().await;
        Ok(HttpResponse::NoContent().finish())
    }

    async fn find(&self, id: SessionId) -> Result<Lease, McpError> {
        self.caller.find(id).await.ok_or(McpError::SessionUnknown)
    }

    async fn open(&self, client: ClientInfo, era: Era) -> Result<Lease, McpError> {
        let opened = self.port.open(&self.caller, self.headers(), (client, era));
        opened.await
    }

    /// Passes the request on and puts the answer behind the gate.
    async fn relay(
        &self,
        body: Bytes,
        lease: Lease,
        session: SessionHeader,
        farewell: Farewell,
    ) -> Result<HttpResponse, McpError> {
        let (answer, held) = self.pass(body, &lease, session).await?;
        let answer = match self.is_idle_stream(&farewell) {
            true => idle_stream::take_over(answer).await,
            false => answer,
        };
        self.put_behind_gate((answer, held), &lease, farewell)
    }

    /// Whether the answer is a stream on which nothing follows its first event. A client that names the last event it has seen asks
    /// for the rest of another stream.
    fn is_idle_stream(&self, farewell: &Farewell) -> bool {
        let is_new = !self.headers().contains_key("last-event-id");
        let is_listening = matches!(farewell, Farewell::ListenResult(_));
        is_listening || (is_new && *self.request.method() == Method::GET)
    }

    /// Puts an answer behind the gate; if that is closed already, the error tells the client why.
    fn put_behind_gate(
        &self,
        (answer, held): (RmcpResponse, BodyHold),
        lease: &Lease,
        farewell: Farewell,
    ) -> Result<HttpResponse, McpError> {
        Ok(from_rmcp(answer, self.passage(lease)?, farewell, held))
    }

    /// The way of an answer of this lease's session onto the connection of the request.
    fn passage(&self, lease: &Lease) -> Result<Passage, McpError> {
        Passage::open(self.request, lease).map_err(|blocked| match blocked {
            PassageError::Closed(reason) => McpError::SessionClosed(reason),
            PassageError::NoConnection => McpError::Unavailable,
        })
    }

    /// Passes the request on to rmcp, unless its session ends first; returns the answer with the quota that it holds.
    async fn pass(
        &self,
        body: Bytes,
        lease: &Lease,
        session: SessionHeader,
    ) -> Result<(RmcpResponse, BodyHold), McpError> {
        let (held, holds) = CallHolds::of_request();
        let extension = RequestExtension {
            lease: lease.clone(),
            reached: self.reached.clone(),
            holds,
        };
        let passed = to_rmcp(self.request, body, extension, session)
            .map_err(|_| McpError::NotAMessage("a header of the protocol is malformed"))?;
        let handled = CURRENT_LEASE.scope(lease.clone(), self.port.rmcp.handle(passed));
        tokio::select! {
            biased;
            reason = lease.gate().closed() => Err(McpError::SessionClosed(reason)),
            answer = handled => Ok((refuse_unreadable(answer)?, held)),
        }
    }
}

/// rmcp answers what it cannot parse with 415; the declared type has been checked, so the message is at fault.
fn refuse_unreadable(answer: RmcpResponse) -> Result<RmcpResponse, McpError> {
    match answer.status() {
        http::StatusCode::UNSUPPORTED_MEDIA_TYPE => Err(McpError::NotAMessage(
            "the body is no message of the protocol",
        )),
        _ => Ok(answer),
    }
}
