//! What is known of the service before anybody signs in.

use actix_web::{HttpRequest, HttpResponse};
use serde_json::json;

use super::answer::json_answer;
use super::visit::BridgeVisit;

/// Where the metadata of the resource lies: for its origin, and for the path of the agents as people write it (RFC 9728 §3.1).
pub(super) const RESOURCE_PATHS: [&str; 3] = [
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-protected-resource/mcp/",
];
/// Where the metadata of the authorization server lies. Its issuer is the origin; clients that take the resource for the issuer ask
/// with its path (RFC 8414 §3.1).
pub(super) const SERVER_PATHS: [&str; 3] = [
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-authorization-server/mcp",
    "/.well-known/oauth-authorization-server/mcp/",
];

/// RFC 9728 §2. The resource is written as it was asked for: clients compare it with what they were given (§3.3).
pub(super) async fn resource(visit: BridgeVisit, request: HttpRequest) -> HttpResponse {
    let BridgeVisit { address, .. } = visit;
    let slash = if request.path().ends_with('/') {
        "/"
    } else {
        ""
    };
    let body = json!({
        "resource": format!("{}{slash}", address.agent_url()),
        "authorization_servers": [address.origin()],
        "bearer_methods_supported": ["header"],
        "resource_name": "Sextant",
    });
    json_answer(HttpResponse::Ok(), &body)
}

/// RFC 8414 §2, with the members of RFC 9207 and of OAuth Client ID Metadata Documents.
pub(super) async fn server(visit: BridgeVisit) -> HttpResponse {
    let BridgeVisit { address, .. } = visit;
    let origin = address.origin();
    let body = json!({
        "issuer": origin,
        "authorization_endpoint": address.authorize_url(),
        "token_endpoint": format!("{origin}/token"),
        "registration_endpoint": format!("{origin}/register"),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
        "client_id_metadata_document_supported": true,
    });
    json_answer(HttpResponse::Ok(), &body)
}
