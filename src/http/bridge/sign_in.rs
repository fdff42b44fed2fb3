//! The sign-in page's two requests: it is shown, and its form comes back.

use actix_web::http::{StatusCode, header};
use actix_web::web::Payload;
use actix_web::{HttpRequest, HttpResponse};
use sextant_actors::domain::{Digest, KeyRefusal};

use super::answer::BridgeProblem;
use super::page;
use super::visit::{BridgeVisit, CountedVisit};
use crate::bridge::{
    KeyFault, OAuthParameters, RedirectAddress, ShownKey, SignInFault, SignInRequest, Unanswerable,
};
use crate::http::body;
use crate::http::code::Code;

/// The largest form, in bytes.
const FORM_BYTES_MAX: usize = 32 * 1024;

/// `GET /authorize` (RFC 6749 §4.1.1).
pub(super) async fn show(
    CountedVisit(visit): CountedVisit,
    request: HttpRequest,
) -> Result<HttpResponse, BridgeProblem> {
    let query = request.query_string().as_bytes();
    let parameters = OAuthParameters::parse(query).map_err(|_| Unanswerable::Malformed);
    let asked = visit.bridge.ask(parameters, &visit.address).await?;
    match asked {
        Ok(request) => ask(&visit, &request, None, StatusCode::OK),
        Err(SignInFault::Unanswerable(fault)) => {
            Ok(page::refusing(Code::Invalid.status(), sentence(fault)))
        }
        Err(SignInFault::Refused(refused)) => {
            let told = [
                ("error", refused.error),
                ("error_description", refused.about),
            ];
            let state = refused.state.as_deref();
            Ok(send_back(&visit, &refused.redirect, state, &told))
        }
    }
}

/// `POST /authorize`: the person shows a key, wants to know what it opens, or refuses.
pub(super) async fn submit(
    CountedVisit(visit): CountedVisit,
    payload: Payload,
) -> Result<HttpResponse, BridgeProblem> {
    let body = body::read(payload, FORM_BYTES_MAX).await?;
    let Ok(mut given) = OAuthParameters::parse(&body) else {
        return Ok(stale());
    };
    let form = given.take(page::FORM_FIELD).unwrap_or_default();
    let Some(form) = visit.bridge.open_form(&form).await else {
        return Ok(stale());
    };
    let request = form.request;
    let step = given.take(page::STEP_FIELD);
    if step.as_deref() == Some(page::STEP_REFUSE) {
        let told = [("error", "access_denied")];
        let state = request.state.as_deref();
        return Ok(send_back(&visit, &request.redirect, state, &told));
    }
    let entered = given.take(page::KEY_FIELD);
    let key = entered.map(|key| Digest::of(key.trim())).or(form.key);
    let Some(key) = key else {
        let status = Code::Invalid.status();
        return ask(&visit, &request, Some("Enter the agent’s key."), status);
    };
    match visit.bridge.show_key(key).await {
        Err(fault) => {
            let status = Code::Forbidden.status();
            ask(&visit, &request, Some(key_sentence(fault)), status)
        }
        Ok(shown) if step.as_deref() == Some(page::STEP_SHOW) => {
            let form = visit.bridge.seal_form(&request, Some(&shown.digest))?;
            Ok(page::showing(&request, &form, &shown))
        }
        Ok(shown) => allow(&visit, request, &shown),
    }
}

fn allow(
    visit: &BridgeVisit,
    request: SignInRequest,
    shown: &ShownKey,
) -> Result<HttpResponse, BridgeProblem> {
    let (redirect, state) = (request.redirect.clone(), request.state.clone());
    let code = visit.bridge.allow(request, shown)?;
    Ok(send_back(
        visit,
        &redirect,
        state.as_deref(),
        &[("code", code.as_str())],
    ))
}

fn ask(
    visit: &BridgeVisit,
    request: &SignInRequest,
    fault: Option<&str>,
    status: StatusCode,
) -> Result<HttpResponse, BridgeProblem> {
    let form = visit.bridge.seal_form(request, None)?;
    Ok(page::asking(request, &form, fault, status))
}

/// Sends the browser back to the client, with who answered (RFC 9207): a client that asks several servers tells them apart by it.
fn send_back(
    visit: &BridgeVisit,
    redirect: &RedirectAddress,
    state: Option<&str>,
    told: &[(&str, &str)],
) -> HttpResponse {
    let issuer = visit.address.origin();
    let mut parameters = told.to_vec();
    parameters.extend(state.map(|state| ("state", state)));
    parameters.push(("iss", issuer.as_str()));
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, redirect.with(&parameters)))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .finish()
}

fn stale() -> HttpResponse {
    let what = "The page was open for too long, or Sextant was started again meanwhile. Begin again at the client.";
    page::refusing(Code::Invalid.status(), what)
}

const fn sentence(fault: Unanswerable) -> &'static str {
    match fault {
        Unanswerable::Malformed => "The client’s request is not well formed.",
        Unanswerable::UnknownClient => {
            "The client is not known here, or not any more. Remove the connector there and add it again."
        }
        Unanswerable::DocumentUnavailable => {
            "What the client says of itself could not be fetched from its own address. Try again later."
        }
        Unanswerable::OtherAddress => {
            "The client wants the answer at an address that it has not registered. Somebody else may be behind this: do not go on."
        }
    }
}

const fn key_sentence(fault: KeyFault) -> &'static str {
    match fault {
        KeyFault::Refused(KeyRefusal::UnknownAgent) => {
            "No agent has this key. A key is shown once, when it is made; rotate it in the Console for another."
        }
        KeyFault::Refused(KeyRefusal::Revoked) => "This key was revoked.",
        KeyFault::Refused(KeyRefusal::Expired) => {
            "This key’s deadline has passed. Set a new one in the Console, under Agents."
        }
        KeyFault::NoExpiry => {
            "This key never expires, and such a key is not shown to agents elsewhere. Set a deadline in the Console, under Agents."
        }
    }
}
