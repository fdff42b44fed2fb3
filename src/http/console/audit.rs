//! `/api/audit`: the audit, read (interfaces §10, console S6). No read of it leaves a row in it (r041).

mod csv;
mod cursor;
mod facets;
mod filter;
mod list;
mod page;
mod place;
mod row_view;
mod show;

use crate::http::endpoint::Endpoint;

pub use csv::Turns as CsvTurns;

pub(super) const ENDPOINTS: &[Endpoint] = &[
    list::ENDPOINT,
    csv::ENDPOINT,
    facets::ENDPOINT,
    show::ENDPOINT,
];
