//! The handler of `/mcp`: admits the caller, reads what was sent, and lets a visit serve it.

use actix_web::http::{ConnectionType, Method};
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use rmcp::transport::streamable_http_server::StreamableHttpService;
use sextant_actors::audit::AuditHandle;
use sextant_actors::domain::AgentName;
use sextant_actors::grants::GrantsHandle;
use sextant_actors::sessions::SessionsHandle;

use super::fault::{Fault, Problem};
use super::service::AgentService;
use super::sessions::LeasedSessions;
use super::shares::{Shares, Upload};
use super::visit::Visit;
use super::{auth, upload};
use crate::http::body;

/// What the handler works with.
pub struct AgentPort {
    pub grants: GrantsHandle,
    pub sessions: SessionsHandle,
    pub audit: AuditHandle,
    pub transports: LeasedSessions,
    pub shares: Shares,
    pub rmcp: StreamableHttpService<AgentService, LeasedSessions>,
}

impl AgentPort {
    /// The connection is the agent's from here on, if it may have one more.
    fn seated(&self, request: &HttpRequest, agent: &AgentName) -> Result<Upload, Fault> {
        let seat = request.conn_data().ok_or(Fault::Unavailable)?;
        self.shares.enter(seat, agent)
    }
}

/// Serves one request of `/mcp`.
pub async fn serve(
    request: HttpRequest,
    mut payload: Payload,
    port: Data<AgentPort>,
) -> HttpResponse {
    let headers = request.headers();
    let admitted = auth::admit(headers, &port.grants, &port.audit)
        .await
        .and_then(|ticket| Ok((port.seated(&request, &ticket.agent)?, ticket)));
    let (mut upload, ticket) = match admitted {
        Ok(admitted) => admitted,
        Err(fault) => return refuse(fault.into(), &mut payload).await,
    };
    let visit = Visit::new(&port, &request, ticket);
    let served = match *request.method() {
        Method::GET => visit.stream().await,
        Method::DELETE => visit.end().await,
        _ => match upload::read(headers, &mut payload, &mut upload).await {
            Ok(body) => visit.message(body).await,
            Err(fault) => {
                drop(upload);
                visit.record_unread(&fault).await;
                return refuse(fault.into(), &mut payload).await;
            }
        },
    };
    served.unwrap_or_else(Problem::into_response)
}

/// Answers any other path.
pub async fn unknown_path() -> HttpResponse {
    Problem::from(Fault::PathUnknown).into_response()
}

/// Answers any method that no era has.
pub async fn unknown_method() -> HttpResponse {
    Problem::from(Fault::MethodUnknown).into_response()
}

/// Answers without the body having been read, and closes the connection after it.
async fn refuse(problem: Problem, payload: &mut Payload) -> HttpResponse {
    body::discard(payload).await;
    let mut response = problem.into_response();
    response
        .head_mut()
        .set_connection_type(ConnectionType::Close);
    response
}
