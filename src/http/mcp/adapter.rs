//! The handler of `/mcp`: admits the caller, finds or opens the session, and passes the request on to rmcp under its gate.

use actix_web::http::Method;
use actix_web::http::header::HeaderMap;
use actix_web::web::{Bytes, Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use http::StatusCode;
use rmcp::model::{JsonRpcError, RequestId};
use rmcp::transport::streamable_http_server::{
    SessionId as RmcpId, SessionManager as _, StreamableHttpService,
};
use sextant_actors::grants::{GrantsHandle, Ticket};
use sextant_actors::record::AuditHandle;
use sextant_actors::sessions::{
    ClientInfo, CloseReason, Era, Gate, Lease, OpenError, SessionId, SessionsHandle,
};

use super::body::Farewell;
use super::convert::{Answer, SessionHeader, from_rmcp, is_stream, to_rmcp, ungated};
use super::envelope::Envelope;
use super::era::{self, Exchange, SESSION_HEADER};
use super::rpc::{Fault, Problem, session_closed};
use super::service::{AgentService, listen_result};
use super::sessions::{LeasedSessions, OPENED};
use super::{auth, upload};

/// What the handler works with.
pub struct AgentPort {
    pub grants: GrantsHandle,
    pub sessions: SessionsHandle,
    pub audit: AuditHandle,
    pub transports: LeasedSessions,
    pub rmcp: StreamableHttpService<AgentService, LeasedSessions>,
}

/// One request under way: what does not change while it is served.
struct Visit<'a> {
    port: &'a AgentPort,
    request: &'a HttpRequest,
    ticket: Ticket,
}

/// Serves one request of `/mcp`.
pub async fn serve(
    request: HttpRequest,
    mut payload: Payload,
    port: Data<AgentPort>,
) -> HttpResponse {
    let headers = request.headers();
    let admitted = auth::admit(headers, &port.grants, &port.audit);
    let visit = match admitted {
        Ok(ticket) => Visit {
            port: &port,
            request: &request,
            ticket,
        },
        Err(fault) => return refuse(fault.into(), &mut payload).await,
    };
    let served = match *request.method() {
        Method::GET => visit.stream().await,
        Method::DELETE => visit.end().await,
        _ => match upload::read(headers, &mut payload).await {
            Ok(body) => visit.message(body).await,
            Err(fault) => return refuse(fault.into(), &mut payload).await,
        },
    };
    served.unwrap_or_else(Problem::into_response)
}

/// Answers any method that no era has.
pub async fn unknown_method() -> HttpResponse {
    Problem::from(Fault::MethodUnknown).into_response()
}

/// Answers without the body having been read, and closes the connection after it.
async fn refuse(problem: Problem, payload: &mut Payload) -> HttpResponse {
    upload::discard(payload).await;
    let mut response = problem.into_response();
    response
        .head_mut()
        .set_connection_type(actix_web::http::ConnectionType::Close);
    response
}

impl Visit<'_> {
    fn headers(&self) -> &HeaderMap {
        self.request.headers()
    }

    /// POST: one message.
    async fn message(self, body: Bytes) -> Result<HttpResponse, Problem> {
        let envelope = Envelope::read(&body)?;
        let id = envelope.id.clone();
        self.deliver(envelope, body)
            .await
            .map_err(|fault| Problem { id, fault })
    }

    async fn deliver(self, envelope: Envelope, body: Bytes) -> Result<HttpResponse, Fault> {
        match era::of_message(&envelope, self.headers())? {
            Exchange::Stateless => {
                let lease = self.open(envelope.client.clone(), Era::Modern).await?;
                self.relay(body, lease, SessionHeader::Removed, farewell(&envelope))
                    .await
            }
            Exchange::Handshake => self.handshake(envelope, body).await,
            Exchange::InSession(id) => {
                let lease = self.find(id).await?;
                self.relay(body, lease, SessionHeader::Kept, farewell(&envelope))
                    .await
            }
        }
    }

    /// `initialize`: a session is opened first, and ended again if rmcp makes nothing of the message.
    async fn handshake(self, envelope: Envelope, body: Bytes) -> Result<HttpResponse, Fault> {
        let lease = self.open(envelope.client.clone(), Era::Legacy).await?;
        let passed = self.pass(body, &lease, SessionHeader::Removed).await;
        match passed {
            Ok(answer) if answer.headers().contains_key(SESSION_HEADER) => {
                gated(answer, lease.gate(), farewell(&envelope))
            }
            Ok(refusal) => {
                lease.end().await;
                Ok(ungated(refusal).await)
            }
            Err(fault) => {
                lease.end().await;
                Err(fault)
            }
        }
    }

    /// GET: the stream of a session.
    async fn stream(self) -> Result<HttpResponse, Problem> {
        let lease = self.find(era::of_stream(self.headers())?).await?;
        let farewell = Farewell::Silence;
        Ok(self
            .relay(Bytes::new(), lease, SessionHeader::Kept, farewell)
            .await?)
    }

    /// DELETE: the client ends its session.
    async fn end(self) -> Result<HttpResponse, Problem> {
        let lease = self.find(era::of_stream(self.headers())?).await?;
        let id = RmcpId::from(lease.id().as_str());
        if let Err(error) = self.port.transports.close_session(&id).await {
            log::warn!("a session's transport did not close: {error}");
        }
        lease.end().await;
        Ok(HttpResponse::NoContent().finish())
    }

    /// The live session of this id; another agent's is as unknown as one that never was.
    async fn find(&self, id: SessionId) -> Result<Lease, Fault> {
        let found = self.port.sessions.find(id, &self.ticket).await;
        found.ok_or(Fault::SessionUnknown)
    }

    /// Opens a session. A grant that was edited since the key was resolved is resolved once more.
    async fn open(&self, client: ClientInfo, era: Era) -> Result<Lease, Fault> {
        let port = self.port;
        let opened = port
            .sessions
            .open(self.ticket.clone(), client.clone(), era)
            .await;
        let opened = match opened {
            Err(OpenError::GrantChanged) => {
                let digest = &self.ticket.digest;
                let ticket = auth::resolve(digest, self.headers(), &port.grants, &port.audit)?;
                port.sessions.open(ticket, client, era).await
            }
            settled => settled,
        };
        opened.map_err(|error| match error {
            OpenError::Full => Fault::Busy,
            OpenError::GrantChanged | OpenError::Unavailable => Fault::Unavailable,
        })
    }

    /// Passes the request on and puts the answer behind the gate.
    async fn relay(
        &self,
        body: Bytes,
        lease: Lease,
        session: SessionHeader,
        farewell: Farewell,
    ) -> Result<HttpResponse, Fault> {
        let answer = self.pass(body, &lease, session).await?;
        gated(answer, lease.gate(), farewell)
    }

    /// Passes the request on to rmcp, unless its session ends first.
    async fn pass(
        &self,
        body: Bytes,
        lease: &Lease,
        session: SessionHeader,
    ) -> Result<Answer, Fault> {
        let passed = to_rmcp(self.request, body, lease.clone(), session)
            .map_err(|_| Fault::NotAMessage("a header of the protocol is malformed"))?;
        let handled = OPENED.scope(lease.clone(), self.port.rmcp.handle(passed));
        tokio::select! {
            biased;
            reason = lease.gate().closed() => Err(Fault::SessionClosed(reason)),
            answer = handled => legible(answer),
        }
    }
}

/// An answer behind the gate; if that is closed already, the fault that says so better than a cut connection would.
fn gated(answer: Answer, gate: &Gate, farewell: Farewell) -> Result<HttpResponse, Fault> {
    if let Some(reason) = gate.state() {
        return Err(Fault::SessionClosed(reason));
    }
    let farewell = if is_stream(&answer) {
        farewell
    } else {
        Farewell::Cut
    };
    Ok(from_rmcp(answer, gate.clone(), farewell))
}

/// rmcp answers what it cannot parse with 415; the declared type has been checked, so the message is at fault.
fn legible(answer: Answer) -> Result<Answer, Fault> {
    match answer.status() {
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            Err(Fault::NotAMessage("the body is no message of the protocol"))
        }
        _ => Ok(answer),
    }
}

/// What the stream of this message says when its session ends: a listen stream its final result, any other the error that
/// keeps a client from trying to resume.
fn farewell(envelope: &Envelope) -> Farewell {
    let Some(id) = envelope.id.clone() else {
        return Farewell::Silence;
    };
    if envelope.method.as_deref() == Some("subscriptions/listen") {
        return Farewell::Event(Box::new(move |_| event(&listen_result(id))));
    }
    Farewell::Event(Box::new(move |reason| event(&closing_error(id, reason))))
}

fn closing_error(id: RequestId, reason: CloseReason) -> JsonRpcError {
    JsonRpcError::new(Some(id), session_closed(reason))
}

/// One server-sent event. What cannot be written as JSON is not said: the stream then ends without it.
fn event(message: &impl serde::Serialize) -> Bytes {
    let json = serde_json::to_string(message).unwrap_or_default();
    Bytes::from(format!("data: {json}\n\n"))
}
