//! A route and everything that is told of it. One table mounts it, lists it on the page and describes it in the OpenAPI
//! document, so that no route can be there and not be told of.
//!
//! The tables stand beside the handlers; nothing else mounts a route of the Console port (`tests/it/tidy/routes.rs`).

use actix_web::http::Method;
use actix_web::{Route, web};
use serde_json::Value;

use super::problem::Code;

/// Makes a JSON Schema (2020-12).
pub type Schema = fn() -> Value;

/// The methods that are served. A HEAD is answered as its GET.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    Get,
    Post,
    Patch,
    Delete,
}

impl Verb {
    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Verb::Get => "GET",
            Verb::Post => "POST",
            Verb::Patch => "PATCH",
            Verb::Delete => "DELETE",
        }
    }

    fn method(self) -> Method {
        match self {
            Verb::Get => Method::GET,
            Verb::Post => Method::POST,
            Verb::Patch => Method::PATCH,
            Verb::Delete => Method::DELETE,
        }
    }
}

/// What protects a route (spec §5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Nothing.
    Open,
    /// The port's address, and the checks of Host and Origin.
    Address,
    /// An agent's key.
    Key,
    /// The secret of a connection.
    Secret,
}

/// One answer that is no refusal.
#[derive(Clone, Copy)]
pub struct Answer {
    pub status: u16,
    pub media: &'static str,
    pub schema: Schema,
}

/// A parameter behind the `?`.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub about: String,
    /// A JSON Schema.
    pub schema: Value,
}

impl Parameter {
    /// A parameter that is described by hand; [`schema::parameters`] derives those of a type.
    ///
    /// [`schema::parameters`]: super::schema::parameters
    pub fn new(name: &'static str, about: &str, schema: Value) -> Self {
        Self {
            name,
            about: about.to_owned(),
            schema,
        }
    }
}

/// What a route is sent.
#[derive(Clone, Copy)]
pub enum Sent {
    /// Nothing.
    Nothing,
    /// An empty object, or nothing.
    Empty,
    /// This object.
    Object(Schema),
    /// This object, or nothing.
    Maybe(Schema),
    /// This, under any of these media types.
    Records(&'static [(&'static str, Schema)]),
}

/// One route.
#[derive(Clone, Copy)]
pub struct Endpoint {
    pub verb: Verb,
    /// The whole path, its parameters in braces.
    pub path: &'static str,
    pub summary: &'static str,
    pub guard: Guard,
    /// Made of a type by [`schema::parameters`], or listed.
    ///
    /// [`schema::parameters`]: super::schema::parameters
    pub parameters: fn() -> Vec<Parameter>,
    pub sent: Sent,
    pub answers: &'static [Answer],
    /// What it refuses with, besides what its guard and its body say.
    pub refusals: &'static [Code],
    /// Replaces the form of refusals by status.
    pub refused_as: &'static [(u16, Schema)],
    handler: fn() -> Route,
}

impl Endpoint {
    /// A route behind the checks of Host and Origin. `handler` makes its handler, whatever the method.
    pub const fn new(
        verb: Verb,
        path: &'static str,
        summary: &'static str,
        handler: fn() -> Route,
    ) -> Self {
        Self {
            verb,
            path,
            summary,
            guard: Guard::Address,
            parameters: Vec::new,
            sent: match verb {
                Verb::Get => Sent::Nothing,
                Verb::Post | Verb::Patch | Verb::Delete => Sent::Empty,
            },
            answers: &[],
            refusals: &[],
            refused_as: &[],
            handler,
        }
    }

    pub const fn guarded_by(self, guard: Guard) -> Self {
        Self { guard, ..self }
    }

    pub const fn takes(self, sent: Sent) -> Self {
        Self { sent, ..self }
    }

    pub const fn asks(self, parameters: fn() -> Vec<Parameter>) -> Self {
        Self { parameters, ..self }
    }

    pub const fn answers(self, answers: &'static [Answer]) -> Self {
        Self { answers, ..self }
    }

    pub const fn refuses(self, refusals: &'static [Code]) -> Self {
        Self { refusals, ..self }
    }

    pub const fn refuses_as(self, refused_as: &'static [(u16, Schema)]) -> Self {
        Self { refused_as, ..self }
    }

    fn route(&self) -> Route {
        (self.handler)().method(self.verb.method())
    }
}

/// An answer in JSON.
pub const fn json(status: u16, schema: Schema) -> Answer {
    Answer {
        status,
        media: "application/json",
        schema,
    }
}

/// Mounts every route of a table.
pub fn mount(routes: &mut web::ServiceConfig, endpoints: &[Endpoint]) {
    for endpoint in endpoints {
        routes.route(endpoint.path, endpoint.route());
    }
}
