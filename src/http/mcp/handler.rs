//! The handler of `/mcp`: admits the caller, reads what was sent, and has it served.

use actix_web::http::{ConnectionType, Method};
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};

use super::fault::{Fault, RequestFault};
use super::port::AgentPort;
use super::request::AdmittedRequest;
use super::upload;
use crate::http::body;

/// Serves one request of `/mcp`.
pub(super) async fn serve(
    request: HttpRequest,
    mut payload: Payload,
    port: Data<AgentPort>,
) -> HttpResponse {
    let mut admitted = match port.admit(&request).await {
        Ok(caller) => AdmittedRequest::new(&port, &request, caller),
        Err(fault) => return refuse(fault.into(), &mut payload).await,
    };
    let served = match *request.method() {
        Method::GET => admitted.stream().await,
        Method::DELETE => admitted.end().await,
        _ => match upload::read(request.headers(), &mut payload, admitted.upload()).await {
            Ok(body) => admitted.message(body).await,
            Err(fault) => {
                admitted.record_unread(&fault).await;
                return refuse(fault.into(), &mut payload).await;
            }
        },
    };
    served.unwrap_or_else(RequestFault::into_response)
}

/// Answers any other path.
pub(super) async fn unknown_path() -> HttpResponse {
    RequestFault::from(Fault::PathUnknown).into_response()
}

/// Answers any method that no era has.
pub(super) async fn unknown_method() -> HttpResponse {
    RequestFault::from(Fault::MethodUnknown).into_response()
}

/// Answers without the body having been read, and closes the connection after it.
async fn refuse(fault: RequestFault, payload: &mut Payload) -> HttpResponse {
    body::discard(payload).await;
    let mut response = fault.into_response();
    response
        .head_mut()
        .set_connection_type(ConnectionType::Close);
    response
}
