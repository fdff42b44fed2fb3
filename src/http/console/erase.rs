//! Erasing by connection, by sector, or all (docs/operating.md#erase): counted first, then done, with one row in the audit log.
//!
//! An erase that failed leaves its row too, `error` and without a count (r040), and so does one of a connection that is not
//! there: it was asked for and was not done. A request that cannot be read is no act and leaves no row.

mod execute;
mod preview;
mod rows_erased;
mod scope;

use crate::http::endpoint::Endpoint;

pub(super) const ENDPOINTS: &[Endpoint] = &[preview::ENDPOINT, execute::ENDPOINT];
