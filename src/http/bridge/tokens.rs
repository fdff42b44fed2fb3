use actix_web::HttpResponse;
use actix_web::web::Payload;
use serde_json::json;

use super::answer::{BridgeProblem, json_answer};
use super::visit::CountedVisit;
use crate::bridge::{IssuedPair, TokenRequest};
use crate::http::body;

/// The largest request for tokens, in bytes.
const REQUEST_BYTES_MAX: usize = 16 * 1024;

/// `POST /token` (RFC 6749 §3.2). It runs to its end even when the client leaves: what was committed is published and has its row.
pub(super) async fn exchange(
    CountedVisit(visit): CountedVisit,
    payload: Payload,
) -> Result<HttpResponse, BridgeProblem> {
    let body = body::read(payload, REQUEST_BYTES_MAX).await?;
    let request = TokenRequest::parse(&body);
    let exchanged = actix_web::rt::spawn(async move {
        let exchanged = visit.bridge.exchange(request, &visit.address).await?;
        exchanged.map_err(BridgeProblem::Token)
    });
    let issued = exchanged.await.map_err(|_| BridgeProblem::Broken)??;
    Ok(answer(&issued))
}

/// RFC 6749 §5.1.
fn answer(issued: &IssuedPair) -> HttpResponse {
    let body = json!({
        "access_token": issued.pair.access,
        "token_type": "Bearer",
        "expires_in": issued.serves_s,
        "refresh_token": issued.pair.refresh,
    });
    json_answer(HttpResponse::Ok(), &body)
}
