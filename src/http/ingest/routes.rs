//! The endpoint of pushes, with the schemas of its body and its answers.

use actix_web::web;
use serde_json::{Value, json};

use super::push;
use crate::http::code::Code;
use crate::http::endpoint::{self, Endpoint, Guard, Parameter, RequestBody, Schema, Verb};
use crate::http::schema::{any, count, list, map, object, one_of, text};

/// The one route.
pub(crate) const ENDPOINTS: &[Endpoint] = &[Endpoint::new(
    Verb::Post,
    "/api/ingest/{connection}",
    "Push records, with the connection's secret.",
    || web::to(push::push),
)
.guarded_by(Guard::Secret)
.takes_query(|| {
    vec![
        Parameter::new("partial", "true stores the good records and lists the others; else one that is at fault keeps all from being stored.", one_of(&["true", "false"])),
        Parameter::new("outcomes", "true adds what became of each record and deletion, in the order of the push.", one_of(&["true", "false"])),
    ]
})
.takes_body(RequestBody::Media(&[
    ("application/json", records),
    ("application/x-ndjson", text),
]))
.answers(&[endpoint::json(200, stored)])
.refuses(&[
    Code::UnsupportedMediaType,
    Code::Conflict,
    Code::Internal,
    Code::Unavailable,
])
.refuses_as(REFUSED)];

/// Refusals of a push have two forms of their own: one without a message for a caller without the secret, and one that lists records.
const REFUSED: &[(u16, Schema)] = &[
    (401, || object([("error", one_of(&["unauthorized"]))])),
    (400, || refused("invalid")),
    (409, || refused("conflict")),
    (413, || refused("too_large")),
    (415, || refused("unsupported_media_type")),
    (500, || refused("internal")),
    (503, || refused("unavailable")),
];

fn refused(code: &str) -> Value {
    object([
        ("error", one_of(&[code])),
        ("message", text()),
        ("problems?", problems()),
    ])
}

fn problems() -> Value {
    list(object([
        ("index", count()),
        ("field", text()),
        ("message", text()),
    ]))
}

fn records() -> Value {
    let records = list(map(any()));
    let envelope = object([("records?", records.clone()), ("deleted?", list(text()))]);
    json!({ "anyOf": [envelope, records] })
}

fn stored() -> Value {
    object([
        ("upserted", count()),
        ("inserted", count()),
        ("updated", count()),
        ("unchanged", count()),
        ("deleted", count()),
        ("rejected", problems()),
        ("notes", list(text())),
        (
            "outcomes?",
            list(one_of(&[
                "inserted",
                "updated",
                "unchanged",
                "deleted",
                "rejected",
            ])),
        ),
    ])
}
