//! What became of a page.

use serde_json::Value;
use sextant_connectors::round::SkippedItem;

/// What became of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoredPage {
    pub upserted: u64,
    pub deleted: u64,
    /// What could not be stored of it.
    pub skipped: Vec<SkippedItem>,
    /// What the source says is wrong with a part of it.
    pub warnings: Vec<String>,
    /// A pass over everything has not named so much that a second one must say the same.
    pub is_doubted: bool,
    /// Where the scope stands now; none when it is to be read anew.
    pub position: Option<Value>,
}
