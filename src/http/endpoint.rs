//! A route and everything that is told of it. One row mounts it, lists it on the page and describes it in the OpenAPI
//! document, so that no route can be there and not be told of. Nothing else mounts a route of the Console port
//! (`tests/it/tidy/routes.rs`).
//!
//! # Adding an endpoint
//!
//! One file, under the folder of its path (`console/agents/amend.rs` is `PATCH /api/agents/{name}`), which reads from top to
//! bottom: the row, what is sent, the handler, what is answered, the tests.
//!
//! ```text
//! pub(super) const ENDPOINT: Endpoint = Endpoint::new(
//!     Verb::Post,
//!     "/api/things",
//!     "Make a thing.",
//!     || web::to(create),
//! )
//! .takes(Sent::Object(schema::request::<NewThing>))
//! .answers(&[endpoint::json(201, schema::answer::<Thing>)])
//! .refuses(&[Code::Internal, Code::Unavailable]);
//!
//! #[derive(Deserialize, JsonSchema)]
//! #[serde(rename_all = "camelCase")]
//! struct NewThing {
//!     label: Label,
//!     window_days: Option<OrNull<u32>>,
//! }
//!
//! async fn create(
//!     parts: web::Data<Parts>,
//!     FromBody(new): FromBody<NewThing>,
//! ) -> Result<(Json<Thing>, StatusCode), Problem> { .. }
//!
//! #[derive(Serialize, JsonSchema)]
//! #[serde(rename_all = "camelCase")]
//! struct Thing { .. }
//! ```
//!
//! - The row joins the table of its noun (`console/agents.rs`). A route without a body takes `FromBody<NoFields>`, unless it is a
//!   GET; one with a query string has `.asks(request::parameters::<Asked>)` and takes `FromQuery<Asked>`, and the comment of each
//!   field is its public description.
//! - How fields are read, left out or null, and how a value checks itself, stands at the head of [`super::request`]; how schemas are
//!   derived at the head of `schema/derived.rs`. Of an enumeration either every variant has a comment or none.
//! - What several endpoints of a noun share stands in files of its folder that are named for it (`by_name.rs`, `agent_view.rs`).

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

/// What protects a route (docs/security.md#the-ports).
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
    /// A parameter that is described by hand; [`request::parameters`] derives those of a type.
    ///
    /// [`request::parameters`]: super::request::parameters
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
    /// Made of a type by [`request::parameters`], or listed.
    ///
    /// [`request::parameters`]: super::request::parameters
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

    pub(crate) const fn guarded_by(self, guard: Guard) -> Self {
        Self { guard, ..self }
    }

    pub(crate) const fn takes(self, sent: Sent) -> Self {
        Self { sent, ..self }
    }

    pub(crate) const fn asks(self, parameters: fn() -> Vec<Parameter>) -> Self {
        Self { parameters, ..self }
    }

    pub const fn answers(self, answers: &'static [Answer]) -> Self {
        Self { answers, ..self }
    }

    pub(crate) const fn refuses(self, refusals: &'static [Code]) -> Self {
        Self { refusals, ..self }
    }

    pub(crate) const fn refuses_as(self, refused_as: &'static [(u16, Schema)]) -> Self {
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
