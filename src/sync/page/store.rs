//! A page in its transaction.

use serde_json::Value;
use sextant_connectors::round::{ItemChange, Page};

use super::apply::{apply_each, apply_together};
use super::fence::{self, PageRefusal};
use super::stored_page::StoredPage;
use super::target::PageTarget;
use super::{pass, position};
use crate::db::{InTx, ServicePool, StoreError, tx};
use crate::derived;
use crate::ingest::StoreFailure;

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
    derived::take_turn(&transaction, target.user, target.sector).await?;
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
    stored.warnings.clone_from(&page.warnings);
    stored.position = Some(page.position.clone());
    let verdict = pass::judge(&transaction, target, page, &stands, &mut stored).await?;
    position::advance(&transaction, target, page, &verdict).await?;
    derived::settle(&transaction, target.user, target.sector).await?;
    fence::count(&transaction, target, run, &stored).await?;
    Ok(stored)
}
