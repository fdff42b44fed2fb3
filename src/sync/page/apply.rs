//! The statements of a plan.

use deadpool_postgres::Transaction;
use sextant_connectors::round::{ItemChange, Page, SkippedItem};
use tokio_postgres::types::{Json, ToSql};

use super::fence::PageRefusal;
use super::plan::{PagePlan, StepsByTarget};
use super::position;
use super::stored_item::{self, StoredItems};
use super::stored_page::StoredPage;
use super::target::PageTarget;
use crate::db::StoreError;
use crate::ingest::{StoreFailure, store_source};

const STORED: &str = include_str!("../../../sql/statements/source_items/stored.sql");
const SOME_OF_SCOPE: &str = include_str!("../../../sql/statements/source_items/some_of_scope.sql");
const PUT: &str = include_str!("../../../sql/statements/source_items/put.sql");
const AMEND: &str = include_str!("../../../sql/statements/source_items/amend.sql");
const SEE: &str = include_str!("../../../sql/statements/source_items/see.sql");
const REMOVE: &str = include_str!("../../../sql/statements/source_items/remove.sql");
const MARK: &str = include_str!("../../../sql/statements/transaction/mark.sql");
const RELEASE_MARK: &str = include_str!("../../../sql/statements/transaction/release_mark.sql");
const BACK_TO_MARK: &str = include_str!("../../../sql/statements/transaction/back_to_mark.sql");

/// Items that are removed together.
const ITEMS_AT_ONCE_MAX: usize = 1000;

/// Applies the changes of a page.
pub(super) async fn apply_together(
    transaction: &Transaction<'_>,
    target: &PageTarget,
    page: &Page,
    changes: &[ItemChange],
) -> Result<StoredPage, PageRefusal> {
    let keys: Vec<&str> = changes.iter().map(ItemChange::key).collect();
    let known = load(transaction, target, &page.scope, &keys).await?;
    let plan = PagePlan::of(changes, &known, target);
    let mut stored = StoredPage::default();
    execute(transaction, target, page, plan, &mut stored).await?;
    Ok(stored)
}

/// Applies one change after the other, and leaves out those that the database refuses.
pub(super) async fn apply_each(
    transaction: &Transaction<'_>,
    target: &PageTarget,
    page: &Page,
    changes: &[ItemChange],
) -> Result<StoredPage, PageRefusal> {
    let mut all = StoredPage::default();
    for change in changes {
        transaction.batch_execute(MARK).await?;
        let one = std::slice::from_ref(change);
        match apply_together(transaction, target, page, one).await {
            Ok(stored) => {
                transaction.batch_execute(RELEASE_MARK).await?;
                all.upserted += stored.upserted;
                all.deleted += stored.deleted;
                all.skipped.extend(stored.skipped);
            }
            Err(PageRefusal::Store(StoreFailure::Store(StoreError::Rejected { code, .. }))) => {
                transaction.batch_execute(BACK_TO_MARK).await?;
                all.skipped.push(SkippedItem {
                    key: change.key().to_owned(),
                    reason: format!("the database refused it (SQLSTATE {code})"),
                });
            }
            Err(other) => return Err(other),
        }
    }
    Ok(all)
}

/// Removes the items with these keys, all their rows, and the scopes that they hold.
pub(in crate::sync) async fn remove_items(
    transaction: &Transaction<'_>,
    target: &PageTarget,
    scope: &str,
    keys: &[String],
    stored: &mut StoredPage,
) -> Result<(), PageRefusal> {
    for keys in keys.chunks(ITEMS_AT_ONCE_MAX) {
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let items = load(transaction, target, scope, &keys).await?;
        end_items(transaction, target, scope, items, stored).await?;
    }
    Ok(())
}

async fn execute(
    transaction: &Transaction<'_>,
    target: &PageTarget,
    page: &Page,
    plan: PagePlan,
    stored: &mut StoredPage,
) -> Result<(), PageRefusal> {
    for scope in &plan.ended_scopes {
        end_scope(transaction, target, scope, stored).await?;
    }
    store_rows(transaction, target, plan.removed, stored).await?;
    store_rows(transaction, target, plan.stored, stored).await?;
    stored.skipped.extend(plan.skipped);
    // What was said in a pass was said at its beginning at the latest.
    let seen_at = page
        .pass
        .map_or(target.now, |pass| pass.begun_at.max(target.now));
    let (connection, scope) = (&target.connection, &page.scope);
    if !plan.put.is_empty() {
        let rows = Json(&plan.put);
        let values: [&(dyn ToSql + Sync); 5] = [&target.user, connection, scope, &rows, &seen_at];
        transaction.execute(PUT, &values).await?;
    }
    if !plan.amended.is_empty() {
        let (keys, versions): (Vec<&str>, Vec<&str>) = plan
            .amended
            .iter()
            .map(|(key, version)| (key.as_str(), version.as_str()))
            .unzip();
        let values: [&(dyn ToSql + Sync); 5] = [connection, scope, &keys, &versions, &seen_at];
        transaction.execute(AMEND, &values).await?;
    }
    if !plan.kept.is_empty() {
        let values: [&(dyn ToSql + Sync); 4] = [connection, scope, &plan.kept, &seen_at];
        transaction.execute(SEE, &values).await?;
    }
    forget_items(transaction, target, scope, &plan.gone).await
}

/// Ends everything in a scope whose container is gone.
async fn end_scope(
    transaction: &Transaction<'_>,
    target: &PageTarget,
    scope: &str,
    stored: &mut StoredPage,
) -> Result<(), PageRefusal> {
    let at_once = i64::try_from(ITEMS_AT_ONCE_MAX).unwrap_or(i64::MAX);
    loop {
        let values: [&(dyn ToSql + Sync); 3] = [&target.connection, &scope, &at_once];
        let rows = transaction.query(SOME_OF_SCOPE, &values).await?;
        if rows.is_empty() {
            break;
        }
        let items = stored_item::read("source_items/some_of_scope", &rows)?;
        end_items(transaction, target, scope, items, stored).await?;
    }
    Ok(position::forget(transaction, target, scope).await?)
}

/// Ends these items of a scope. A container that lies in another ends its own scope too.
async fn end_items(
    transaction: &Transaction<'_>,
    target: &PageTarget,
    scope: &str,
    items: StoredItems,
    stored: &mut StoredPage,
) -> Result<(), PageRefusal> {
    let mut plan = PagePlan::default();
    for item in items.values() {
        plan.end(item, target);
    }
    let keys: Vec<String> = items.into_keys().collect();
    forget_items(transaction, target, scope, &keys).await?;
    for inner in &plan.ended_scopes {
        Box::pin(end_scope(transaction, target, inner, stored)).await?;
    }
    store_rows(transaction, target, plan.removed, stored).await
}

async fn store_rows(
    transaction: &Transaction<'_>,
    target: &PageTarget,
    steps: StepsByTarget,
    stored: &mut StoredPage,
) -> Result<(), PageRefusal> {
    for (table, steps) in steps {
        let to = target
            .destination(&table)
            .map_err(|cause| StoreError::Fault { cause })?;
        let counts = store_source(transaction, &to, steps).await?;
        stored.upserted += counts.upserted;
        stored.deleted += counts.deleted;
    }
    Ok(())
}

async fn load(
    transaction: &Transaction<'_>,
    target: &PageTarget,
    scope: &str,
    keys: &[&str],
) -> Result<StoredItems, PageRefusal> {
    let values: [&(dyn ToSql + Sync); 3] = [&target.connection, &scope, &keys];
    let statement = transaction.prepare_cached(STORED).await?;
    let rows = transaction.query(&statement, &values).await?;
    Ok(stored_item::read("source_items/stored", &rows)?)
}

async fn forget_items(
    transaction: &Transaction<'_>,
    target: &PageTarget,
    scope: &str,
    keys: &[String],
) -> Result<(), PageRefusal> {
    if !keys.is_empty() {
        let values: [&(dyn ToSql + Sync); 3] = [&target.connection, &scope, &keys];
        transaction.execute(REMOVE, &values).await?;
    }
    Ok(())
}
