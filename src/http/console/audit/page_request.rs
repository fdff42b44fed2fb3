//! The page of the audit log that is requested: how long it is, and where it begins.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cursor::Cursor;
use crate::http::console::row_limit::RowLimit;
use crate::http::problem::Problem;
use crate::store::audit_read::{Direction, Position};

/// Rows of a page when no limit is sent.
const PAGE_ROWS: usize = 50;
/// The most rows of a page.
const PAGE_ROWS_MAX: usize = 500;

/// A page, as it is sent.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct PageRequest {
    /// Rows of a page.
    #[schemars(extend("default" = PAGE_ROWS))]
    limit: Option<RowLimit<PAGE_ROWS_MAX>>,
    /// `next` of an earlier answer.
    before: Option<Cursor>,
    /// `prev` of an earlier answer.
    after: Option<Cursor>,
}

impl PageRequest {
    /// The most rows to show.
    pub(super) fn rows_max(&self) -> usize {
        self.limit.map_or(PAGE_ROWS, RowLimit::rows)
    }

    /// Where the page begins.
    ///
    /// # Errors
    /// When two places are named.
    pub(super) fn start(&self) -> Result<PageStart, Problem> {
        match (self.before, self.after) {
            (None, None) => Ok(PageStart::Newest),
            (Some(Cursor(place)), None) => Ok(PageStart::Before(place)),
            (None, Some(Cursor(place))) => Ok(PageStart::After(place)),
            (Some(_), Some(_)) => Err(Problem::invalid("after", "send before or after, not both")),
        }
    }
}

/// Where a page begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageStart {
    /// At the newest row.
    Newest,
    /// At the rows older than this place.
    Before(Position),
    /// At the rows newer than this place, the nearest first.
    After(Position),
}

impl PageStart {
    /// Which way the page is read.
    pub(super) const fn direction(self) -> Direction {
        match self {
            PageStart::Newest | PageStart::Before(_) => Direction::Older,
            PageStart::After(_) => Direction::Newer,
        }
    }

    /// The place from which it is read.
    pub(super) fn position(self) -> Position {
        match self {
            PageStart::Newest => Position::newest(),
            PageStart::Before(position) | PageStart::After(position) => position,
        }
    }
}
