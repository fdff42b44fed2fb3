//! Reads the audit log (docs/operating.md#reading-the-audit). No read leaves a row in it (r041).

mod csv;
mod cursor;
mod facets;
mod filter;
mod list;
mod page;
mod page_request;
mod row_view;
mod show;

use crate::http::endpoint::Endpoint;

pub use csv::AT_ONCE_MAX as CSV_AT_ONCE_MAX;

pub(super) const ENDPOINTS: &[Endpoint] = &[
    list::ENDPOINT,
    csv::ENDPOINT,
    facets::ENDPOINT,
    show::ENDPOINT,
];
