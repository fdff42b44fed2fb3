//! One page of a source, stored with its position in one transaction.
//!
//! ```text
//! target.rs       where pages of a connection go      plan.rs        what a page changes (pure)
//! stored_item.rs  what is stored of an item           fence.rs       whether the page may be committed at all
//! apply.rs        the plan's statements               pass.rs        what a pass over everything has not named
//! position.rs     where a scope stands
//! ```
//!
//! What the source says now wins, whatever its stamps. A page is committed only onto the position that it began from, in a run that
//! is not over, of a connection that is neither paused nor removed and whose credential stands.

mod apply;
mod fence;
mod pass;
mod plan;
mod position;
mod stored_item;
mod target;

use serde_json::Value;
use sextant_connectors::round::{ItemChange, Page, SkippedItem};

use crate::db::{InTx, ServicePool, StoreError, tx};
use crate::derived;
use crate::ingest::StoreFailure;

use self::apply::{apply_each, apply_together};

pub(crate) use self::fence::PageRefusal;
pub(crate) use self::target::PageTarget;

/// What became of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoredPage {
    pub upserted: u64,
    pub deleted: u64,
    /// What could not be stored of it.
    pub skipped: Vec<SkippedItem>,
    /// A pass over everything has not named so much that a second one must say the same.
    pub is_doubted: bool,
    /// Where the scope stands now; none when it is to be read anew.
    pub position: Option<Value>,
}

/// Stores a page in the run `run`, from the position `from`. An item that the database refuses is left out, and named.
///
/// # Errors
/// Why nothing of the page was stored.
pub(crate) async fn store_page(
    pool: &ServicePool,
    target: &PageTarget,
    run: i64,
    page: &Page,
    from: Option<&Value>,
) -> Result<StoredPage, PageRefusal> {
    let attempt = |together: bool| {
        tx(pool, "a page of a source", move |transaction| {
            Box::pin(async move { within(transaction, target, run, page, from, together).await })
        })
    };
    match attempt(true).await {
        Err(PageRefusal::Store(StoreFailure::Store(StoreError::Rejected { .. })))
        | Err(PageRefusal::Store(StoreFailure::Refused(_))) => attempt(false).await,
        end => end,
    }
}

async fn within(
    transaction: InTx<'_, '_>,
    target: &PageTarget,
    run: i64,
    page: &Page,
    from: Option<&Value>,
    together: bool,
) -> Result<StoredPage, PageRefusal> {
    fence::hold(&transaction, target).await?;
    let stands = position::read(&transaction, target, &page.scope).await?;
    if stands.position.as_ref() != from {
        return Err(PageRefusal::Moved);
    }
    let changes: &[ItemChange] = &page.changes;
    let mut stored = match together {
        true => apply_together(&transaction, target, page, changes).await?,
        false => apply_each(&transaction, target, page, changes).await?,
    };
    stored.skipped.extend(page.skipped.iter().cloned());
    stored.position = Some(page.position.clone());
    let verdict = pass::judge(&transaction, target, page, &stands, &mut stored).await?;
    position::advance(&transaction, target, page, &verdict).await?;
    derived::settle(&transaction, target.user, target.sector).await?;
    fence::count(&transaction, target, run, &stored).await?;
    Ok(stored)
}
