//! A route and its description. One row mounts it, lists it on the page and describes it in the OpenAPI document, so that no route can
//! be mounted without being described. Nothing else mounts a route of the Console port (`tests/it/tidy/routes.rs`).
//!
//! # Adding an endpoint
//!
//! One file, under the folder of its path (`console/agents/amend.rs` is `PATCH /api/agents/{name}`), which reads from top to
//! bottom: the row, the request's type, the handler, the answer's type, the tests.
//!
//! ```text
//! pub(super) const ENDPOINT: Endpoint = Endpoint::new(
//!     Verb::Post,
//!     "/api/things",
//!     "Make a thing.",
//!     || web::to(create),
//! )
//! .takes_body(RequestBody::Required(schema::request::<NewThing>))
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
//!   GET; one with a query string has `.takes_query(request::parameters::<Filter>)` and takes `FromQuery<Filter>`, and the comment of each
//!   field is its public description.
//! - How fields are read, left out or null, and how a value checks itself, stands at the head of [`super::request`]; how schemas are
//!   derived at the head of `schema/adapt.rs`. Of an enumeration either every variant has a comment or none.
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
    Put,
    Patch,
    Delete,
}

impl Verb {
    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Verb::Get => "GET",
            Verb::Post => "POST",
            Verb::Put => "PUT",
            Verb::Patch => "PATCH",
            Verb::Delete => "DELETE",
        }
    }

    fn method(self) -> Method {
        match self {
            Verb::Get => Method::GET,
            Verb::Post => Method::POST,
            Verb::Put => Method::PUT,
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

/// An answer of a route that is not a refusal.
#[derive(Clone, Copy)]
pub struct RouteAnswer {
    pub status: u16,
    /// Empty where the answer has no body.
    pub media: &'static str,
    pub schema: Schema,
}

/// A parameter of the query string.
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

/// The body that a route takes.
#[derive(Clone, Copy)]
pub enum RequestBody {
    /// No body.
    None,
    /// An empty object, or no body.
    Empty,
    /// A JSON object of this schema.
    Required(Schema),
    /// A JSON object of this schema, or no body.
    Optional(Schema),
    /// One of these media types, each with its schema.
    Media(&'static [(&'static str, Schema)]),
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
    pub body: RequestBody,
    pub answers: &'static [RouteAnswer],
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
            body: match verb {
                Verb::Get => RequestBody::None,
                Verb::Post | Verb::Put | Verb::Patch | Verb::Delete => RequestBody::Empty,
            },
            answers: &[],
            refusals: &[],
            refused_as: &[],
            handler,
        }
    }

    /// Sets who may ask.
    pub(crate) const fn guarded_by(self, guard: Guard) -> Self {
        Self { guard, ..self }
    }

    /// Describes the body that is sent.
    pub(crate) const fn takes_body(self, body: RequestBody) -> Self {
        Self { body, ..self }
    }

    /// Lists the parameters after the `?`.
    pub(crate) const fn takes_query(self, parameters: fn() -> Vec<Parameter>) -> Self {
        Self { parameters, ..self }
    }

    /// Lists what is answered when the request is served.
    pub const fn answers(self, answers: &'static [RouteAnswer]) -> Self {
        Self { answers, ..self }
    }

    /// Lists the codes of its refusals.
    pub(crate) const fn refuses(self, refusals: &'static [Code]) -> Self {
        Self { refusals, ..self }
    }

    /// Lists refusals that have schemas of their own, by status.
    pub(crate) const fn refuses_as(self, refused_as: &'static [(u16, Schema)]) -> Self {
        Self { refused_as, ..self }
    }

    fn route(&self) -> Route {
        (self.handler)().method(self.verb.method())
    }
}

/// An answer in JSON.
pub const fn json(status: u16, schema: Schema) -> RouteAnswer {
    RouteAnswer {
        status,
        media: "application/json",
        schema,
    }
}

/// The answer 303: a browser goes on to another page.
pub(crate) const fn see_other() -> RouteAnswer {
    RouteAnswer {
        status: 303,
        media: "",
        schema: super::schema::any,
    }
}

/// The answer 204, which has no body.
pub(crate) const fn no_content() -> RouteAnswer {
    RouteAnswer {
        status: 204,
        media: "",
        schema: super::schema::any,
    }
}

/// Mounts every route of a table.
pub fn mount(routes: &mut web::ServiceConfig, endpoints: &[Endpoint]) {
    for endpoint in endpoints {
        routes.route(endpoint.path, endpoint.route());
    }
}
