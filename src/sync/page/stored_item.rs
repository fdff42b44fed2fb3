//! What is stored of an item, beside its rows.

use std::collections::HashMap;

use serde_json::Value;
use tokio_postgres::Row;
use tokio_postgres::types::Json;

use crate::db::{Cells, StoreError};

/// An item as it is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StoredItem {
    /// The scope that ends with it, if it is a container.
    pub holds: Option<String>,
    /// The target and the source id of each of its rows.
    pub records: Vec<RowName>,
}

/// A row of the connection: its target and its source id.
pub(super) type RowName = (String, String);

/// Items by their keys.
pub(super) type StoredItems = HashMap<String, StoredItem>;

/// Reads rows of `key`, `version`, `holds`, `records`.
pub(super) fn read(statement: &'static str, rows: &[Row]) -> Result<StoredItems, StoreError> {
    let items = rows.iter().map(|row| {
        let mut cells = Cells::of(statement, row);
        let key = cells.named("key")?;
        let _version: &str = cells.named("version")?;
        let holds = cells.named("holds")?;
        let Json(records) = cells.named::<Json<Vec<RowName>>>("records")?;
        cells.end()?;
        Ok((key, StoredItem { holds, records }))
    });
    items.collect()
}

/// As the column `records` holds them.
pub(super) fn written(records: &[RowName]) -> Value {
    let pair = |(target, source_id): &RowName| Value::from(vec![target.clone(), source_id.clone()]);
    Value::Array(records.iter().map(pair).collect())
}
