use sextant_actors::domain::Sector;

use crate::http::problem::{Code, Problem};

/// The argument of the tools that names a table.
pub(super) const TARGET: &str = "target";

/// The sector that a path names.
///
/// # Errors
/// When there is no such sector.
pub(super) fn sector_in_path(sector: &str) -> Result<Sector, Problem> {
    sector.parse().map_err(|_| {
        let names = Sector::ALL.map(Sector::name).join(", ");
        Problem::new(
            Code::NotFound,
            format!("there is no such sector; there are {names}"),
        )
    })
}
