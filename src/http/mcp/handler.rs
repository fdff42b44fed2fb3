//! The handler of `/mcp`: admits the caller, reads the body, and serves the request.

use actix_web::http::{ConnectionType, Method};
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};

use super::error::{McpError, RequestError};
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
        Err(error) => return refuse(error.into(), &mut payload).await,
    };
    let served = match *request.method() {
        Method::GET => admitted.stream().await,
        Method::DELETE => admitted.end().await,
        _ => match upload::read(request.headers(), &mut payload, admitted.upload()).await {
            Ok(body) => admitted.message(body).await,
            Err(error) => {
                admitted.record_unread(&error).await;
                return refuse(error.into(), &mut payload).await;
            }
        },
    };
    served.unwrap_or_else(RequestError::into_response)
}

/// Answers any other path.
pub(super) async fn unknown_path() -> HttpResponse {
    RequestError::from(McpError::PathUnknown).into_response()
}

/// Answers any other method.
pub(super) async fn unknown_method() -> HttpResponse {
    RequestError::from(McpError::MethodUnknown).into_response()
}

/// Answers without having read the body, and closes the connection.
async fn refuse(error: RequestError, payload: &mut Payload) -> HttpResponse {
    body::discard(payload).await;
    let mut response = error.into_response();
    response
        .head_mut()
        .set_connection_type(ConnectionType::Close);
    response
}
