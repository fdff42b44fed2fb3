use actix_web::web;
use serde_json::Value;

use super::{preview, request, snippets, view};
use crate::http::answers;
use crate::http::endpoint::{self, Endpoint, Sent, Verb};
use crate::http::problem::Code;
use crate::http::schema::{count, list, object};
use crate::http::served;

/// What an edit is refused with, besides a name that no agent has.
const EDIT: &[Code] = &[Code::Conflict, Code::Internal, Code::Unavailable];
const READ: &[Code] = &[Code::Internal, Code::Unavailable];

pub(in crate::http::console) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::new(Verb::Get, "/api/agents", "List the agents.", || {
        web::to(super::list)
    })
    .answers(&[endpoint::json(200, agents)])
    .refuses(READ),
    Endpoint::new(
        Verb::Post,
        "/api/agents",
        "Make an agent, or give one another grant; its key is shown once. The answer warns of what stands out.",
        || web::to(super::create),
    )
    .takes(Sent::Object(request::new_schema))
    .answers(&[endpoint::json(201, view::created_schema)])
    .refuses(EDIT),
    Endpoint::new(Verb::Get, "/api/agents/{name}", "Show an agent.", || {
        web::to(super::show)
    })
    .answers(&[endpoint::json(200, view::agent_schema)])
    .refuses(READ),
    Endpoint::new(
        Verb::Patch,
        "/api/agents/{name}",
        "Edit an agent's sectors and deadline; its live sessions end. The answer warns of what stands out.",
        || web::to(super::amend),
    )
    .takes(Sent::Object(request::amendment_schema))
    .answers(&[endpoint::json(200, view::edited_schema)])
    .refuses(EDIT),
    Endpoint::new(
        Verb::Delete,
        "/api/agents/{name}",
        "Remove an agent; its live sessions end.",
        || web::to(super::remove),
    )
    .answers(&[endpoint::json(200, ended)])
    .refuses(EDIT),
    Endpoint::new(
        Verb::Post,
        "/api/agents/{name}/rotate",
        "A new key, shown once; the old one is refused from now on.",
        || web::to(super::rotate),
    )
    .answers(&[endpoint::json(200, view::key_schema)])
    .refuses(EDIT),
    Endpoint::new(
        Verb::Post,
        "/api/agents/{name}/revoke",
        "Refuse the key from now on; live sessions end.",
        || web::to(super::revoke),
    )
    .answers(&[endpoint::json(200, ended)])
    .refuses(EDIT),
    Endpoint::new(
        Verb::Get,
        "/api/agents/{name}/snippets",
        "How each client is told of the agent port.",
        || web::to(super::snippets),
    )
    .answers(&[endpoint::json(200, || {
        object([("snippets", list(snippets::schema()))])
    })])
    .refuses(&[Code::Internal]),
    Endpoint::new(
        Verb::Post,
        "/api/agents/{name}/preview",
        "View as agent: what a call of its would get. Not recorded.",
        || web::to(preview::preview),
    )
    .takes(Sent::Object(preview::schema))
    .answers(&[endpoint::json(200, answers::preview)])
    .refuses(served::CODES),
];

fn agents() -> Value {
    object([("agents", list(view::agent_schema()))])
}

fn ended() -> Value {
    object([("sessionsEnded", count())])
}
