//! The description of the Console port's routes, generated from the rows that mount them: an OpenAPI 3.1 document.

mod document;
mod operation;

use actix_web::web::Bytes;

use super::endpoint::Endpoint;

/// The description of all routes, generated once at the start.
#[derive(Clone)]
pub struct Manual {
    /// The OpenAPI document, JSON.
    pub document: Bytes,
}

impl Manual {
    /// Describes these routes.
    pub fn of(endpoints: &[Endpoint]) -> Self {
        Self {
            document: Bytes::from(document::of(endpoints).to_string()),
        }
    }
}
