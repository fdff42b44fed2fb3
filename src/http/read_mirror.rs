//! The read mirror: the five reading tools over plain HTTP, for agents that speak no MCP (docs/asking.md#the-read-mirror; r070, r108).
//!
//! ```text
//! key -> ticket (401, 403: no row) -> its share of the mirror -> the agent's session -> arguments -> Lease::call -> the bytes pass its gate
//! ```
//! From the lease on it is the very path of the agent port: the same session actors, tool service and record, ended by the same edits. It
//! stands outside the Host check: its protection is the agent's key.

mod call;
mod parts;

use actix_web::{HttpRequest, Route, web};
use sextant_actors::domain::Tool;

use crate::http::answers;
use crate::http::asked;
use crate::http::endpoint::{self, Endpoint, Guard, Parameter, Sent, Verb, mount};
use crate::http::schema::text;
use crate::http::served;

pub use parts::MirrorParts;

fn target() -> Vec<Parameter> {
    vec![Parameter::new(
        "target",
        "A sector or sector.table; all granted sectors when left out.",
        text(),
    )]
}

/// The routes, each a tool.
pub(crate) const ENDPOINTS: &[Endpoint] = &[
    read(
        Verb::Get,
        "/api/read/describe_context",
        "What the key opens, and how fresh it is.",
        || by_query(Tool::DescribeContext),
    )
    .answers(&[endpoint::json(200, answers::context)]),
    read(
        Verb::Post,
        "/api/read/describe_context",
        "The same.",
        || by_body(Tool::DescribeContext),
    )
    .takes(Sent::Empty)
    .answers(&[endpoint::json(200, answers::context)]),
    read(
        Verb::Get,
        "/api/read/get_schema",
        "The tables that the key opens.",
        || by_query(Tool::GetSchema),
    )
    .asks(target)
    .answers(&[endpoint::json(200, answers::schema)]),
    read(Verb::Post, "/api/read/get_schema", "The same.", || {
        by_body(Tool::GetSchema)
    })
    .takes(Sent::Maybe(asked::schema))
    .answers(&[endpoint::json(200, answers::schema)]),
    read(
        Verb::Post,
        "/api/read/query",
        "Rows or groups of one table.",
        || by_body(Tool::Query),
    )
    .takes(Sent::Object(asked::query))
    .answers(&[endpoint::json(200, answers::query)]),
    read(
        Verb::Post,
        "/api/read/get_record",
        "One record, whole.",
        || by_body(Tool::GetRecord),
    )
    .takes(Sent::Object(asked::record))
    .answers(&[endpoint::json(200, answers::record_or_none)]),
    read(
        Verb::Post,
        "/api/read/fetch_live",
        "Ask the sources of a sector for what is new, then query.",
        || by_body(Tool::FetchLive),
    )
    .takes(Sent::Object(asked::live))
    .answers(&[endpoint::json(200, answers::live)]),
];

const fn read(
    verb: Verb,
    path: &'static str,
    summary: &'static str,
    handler: fn() -> Route,
) -> Endpoint {
    Endpoint::new(verb, path, summary, handler)
        .guarded_by(Guard::Key)
        .refuses(served::CODES)
}

fn by_body(tool: Tool) -> Route {
    web::to(move |parts, request: HttpRequest, body| call::serve_posted(tool, parts, request, body))
}

fn by_query(tool: Tool) -> Route {
    web::to(move |parts, request: HttpRequest| call::serve_query(tool, parts, request))
}

/// Mounts the routes.
pub fn configure(parts: &MirrorParts) -> impl Fn(&mut web::ServiceConfig) + Clone + Send + use<> {
    let parts = parts.clone();
    move |service| {
        service.app_data(web::Data::new(parts.clone()));
        mount(service, ENDPOINTS);
    }
}
