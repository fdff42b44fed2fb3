//! What a pass over everything has not named by its end is gone: unless that is so much that a second pass must say the same.

use deadpool_postgres::Transaction;
use sextant_connectors::round::{Page, Pass};
use tokio_postgres::types::ToSql;

use super::apply::remove_items;
use super::fence::PageRefusal;
use super::position::{StoredPosition, Verdict};
use super::stored_page::StoredPage;
use super::target::PageTarget;
use crate::db::{columns, count};

const UNSEEN: &str = include_str!("../../../sql/statements/source_items/unseen.sql");
const JUDGED: &str = include_str!("../../../sql/statements/source_items/judged.sql");

/// As many items may go at once, whatever their share.
const GONE_FREELY_MAX: u64 = 20;
/// Of what a pass judges, more than one part in so many may not go without a second pass (`docs/decisions.md`).
const GONE_SHARE: u64 = 2;

/// Whether so many may go at once.
const fn is_believed(judged: u64, gone: u64, was_doubted: bool) -> bool {
    was_doubted || gone <= GONE_FREELY_MAX || gone * GONE_SHARE <= judged
}

/// Ends the page's pass, if it does end with it.
pub(super) async fn judge(
    transaction: &Transaction<'_>,
    target: &PageTarget,
    page: &Page,
    stands: &StoredPosition,
    stored: &mut StoredPage,
) -> Result<Verdict, PageRefusal> {
    let position = Some(page.position.clone());
    let Some(pass) = page.pass.filter(|pass| pass.is_complete) else {
        return Ok(Verdict {
            position,
            is_complete: false,
            doubted_at: stands.doubted_at,
        });
    };
    let gone = unseen(transaction, target, &page.scope, &pass).await?;
    let (judged, lost) = weigh(transaction, target, (&page.scope, &pass), &gone).await?;
    let was_doubted = stands.doubted_at.is_some_and(|then| then < pass.begun_at);
    if !is_believed(judged, lost, was_doubted) {
        stored.is_doubted = true;
        stored.position = None;
        return Ok(Verdict {
            position: None,
            is_complete: false,
            doubted_at: Some(pass.begun_at),
        });
    }
    remove_items(transaction, target, &page.scope, &gone, stored).await?;
    Ok(Verdict {
        position,
        is_complete: true,
        doubted_at: None,
    })
}

/// The keys that the pass has not named.
async fn unseen(
    transaction: &Transaction<'_>,
    target: &PageTarget,
    scope: &str,
    pass: &Pass,
) -> Result<Vec<String>, PageRefusal> {
    let values: [&(dyn ToSql + Sync); 4] =
        [&target.connection, &scope, &pass.begun_at, &pass.since];
    let rows = transaction.query(UNSEEN, &values).await?;
    let key = |row| {
        let (key, _holds): (String, Option<String>) = columns("source_items/unseen", row)?;
        Ok(key)
    };
    rows.iter().map(key).collect()
}

/// How many items were judged, and how many of them are gone, with what lies in them.
async fn weigh(
    transaction: &Transaction<'_>,
    target: &PageTarget,
    (scope, pass): (&str, &Pass),
    gone: &[String],
) -> Result<(u64, u64), PageRefusal> {
    if gone.is_empty() {
        return Ok((0, 0));
    }
    let values: [&(dyn ToSql + Sync); 4] = [&target.connection, &scope, &pass.since, &gone];
    let row = transaction.query_one(JUDGED, &values).await?;
    let (judged, gone) =
        columns("source_items/judged", &row).map_err(crate::db::StoreError::from)?;
    Ok((count(judged)?, count(gone)?))
}

#[cfg(test)]
mod tests {
    use super::is_believed;

    #[test]
    fn more_than_half_and_more_than_twenty_must_be_said_twice() {
        for (judged, gone, was_doubted, expected) in [
            (1, 1, false, true),
            (20, 20, false, true),
            (21, 21, false, false),
            (42, 21, false, true),
            (41, 21, false, false),
            (41, 21, true, true),
            (1000, 0, false, true),
        ] {
            let believed = is_believed(judged, gone, was_doubted);
            assert_eq!(believed, expected, "{gone} of {judged}");
        }
    }
}
