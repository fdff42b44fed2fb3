use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::store::erase::Erased;

/// Rows that were deleted, or would be.
#[derive(Serialize, JsonSchema)]
pub(super) struct RowsErased {
    /// Rows of all tables.
    deleted: u64,
    /// Rows by table.
    tables: BTreeMap<String, u64>,
}

impl From<Erased> for RowsErased {
    fn from(erased: Erased) -> Self {
        Self {
            deleted: erased.total(),
            tables: erased.0,
        }
    }
}
