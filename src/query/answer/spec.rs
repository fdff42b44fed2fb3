//! What the writer of an answer must know of the query, for rows and for groups alike.

use crate::catalog::Kind;
use crate::db::StoreError;
use crate::query::answer_column::AnswerColumn;
use crate::query::budget::TokenBudget;
use crate::query::cell::CellValue;
use crate::query::check::{CheckedQuery, GroupKey, GroupQuery, OrderKey, RowQuery, RowScope};
use crate::query::cursor;
use crate::query::page::PageRow;
use crate::query::request::RowFormat;
use crate::query::watermark::Watermark;

/// How an agent gets the rows that are not in the answer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Continuation<'a> {
    /// By a cursor.
    Cursor {
        digest: &'a str,
        order: &'a [OrderKey],
        /// The watermark of the first page, when this is a later one.
        first_watermark: Option<Watermark>,
    },
    /// Only with a larger `limit` or `budget`, since the rows are the best of the newest hits.
    Ranked,
    /// Only with a larger `limit` or `budget`, or by narrowing the query: groups have no cursor.
    Narrower,
}

/// The parts of a checked query that decide how its answer is written.
#[derive(Debug)]
pub(crate) struct AnswerSpec<'a> {
    pub(super) scope: &'a RowScope,
    pub(super) columns: Vec<AnswerColumn<'a>>,
    pub(super) format: RowFormat,
    pub(super) budget: TokenBudget,
    /// The most characters of a text.
    pub(super) text_chars: usize,
    pub(super) notes: &'a [String],
    pub(super) rest: Continuation<'a>,
    /// It is the first page.
    pub(super) is_first: bool,
    /// Only changes since this watermark are listed.
    pub(super) since: Option<Watermark>,
    /// The digest in the change cursor, where there is one.
    pub(super) change_digest: Option<&'a str>,
}

impl AnswerSpec<'_> {
    /// The watermark of the first page; `present` is that of this page.
    pub(super) fn first_watermark(&self, present: Watermark) -> Watermark {
        match self.rest {
            Continuation::Cursor {
                first_watermark, ..
            } => first_watermark.unwrap_or(present),
            Continuation::Ranked | Continuation::Narrower => present,
        }
    }

    /// The cursor after `row`; `None` where there is none, or a key is too long for it.
    ///
    /// # Errors
    /// When a key of the row is malformed.
    pub(super) fn cursor(
        &self,
        row: &PageRow,
        present: Watermark,
    ) -> Result<Option<String>, StoreError> {
        let Continuation::Cursor { digest, order, .. } = self.rest else {
            return Ok(None);
        };
        let keys = row.cells.cells().skip(self.columns.len()).zip(order);
        let keys = keys
            .map(|(bytes, key)| CellValue::read(bytes, key.column.kind)?.into_key())
            .collect::<Result<Vec<_>, _>>()?;
        Ok(cursor::encode(
            digest,
            &keys,
            &self.first_watermark(present),
        ))
    }
}

impl<'a> From<&'a RowQuery> for AnswerSpec<'a> {
    fn from(checked: &'a RowQuery) -> Self {
        Self {
            scope: &checked.scope,
            columns: checked.select.iter().map(AnswerColumn::from).collect(),
            format: checked.format,
            budget: checked.budget,
            text_chars: checked.budget.text_chars(checked.is_selected),
            notes: &checked.notes,
            rest: rest(checked),
            is_first: checked.after.is_none(),
            since: checked.since,
            change_digest: checked.change_digest.as_deref(),
        }
    }
}

fn rest(checked: &RowQuery) -> Continuation<'_> {
    if checked.is_ranked {
        return Continuation::Ranked;
    }
    Continuation::Cursor {
        digest: &checked.digest,
        order: &checked.order,
        first_watermark: checked.after.as_ref().map(|place| place.first_watermark),
    }
}

impl<'a> From<&'a GroupQuery> for AnswerSpec<'a> {
    fn from(grouped: &'a GroupQuery) -> Self {
        let keys = grouped.keys.iter().map(|key| AnswerColumn {
            name: &key.name,
            kind: shown_kind(key),
            untrusted: key.column.untrusted,
            is_html: key.column.is_html,
        });
        let measures = grouped.measures.iter().map(|measure| AnswerColumn {
            name: &measure.name,
            kind: measure.kind(),
            untrusted: measure.is_untrusted(),
            is_html: measure.column.is_some_and(|column| column.is_html),
        });
        Self {
            scope: &grouped.scope,
            columns: keys.chain(measures).collect(),
            format: grouped.format,
            budget: grouped.budget,
            text_chars: grouped.budget.text_chars(true),
            notes: &grouped.notes,
            rest: Continuation::Narrower,
            is_first: true,
            since: None,
            change_digest: None,
        }
    }
}

/// The kind of a key's cells in a page, in which an hour is the text that the answer shows (`run/groups.rs`).
fn shown_kind(key: &GroupKey) -> Kind {
    if key.is_hour() {
        return Kind::Text;
    }
    key.kind()
}

impl<'a> From<&'a CheckedQuery> for AnswerSpec<'a> {
    fn from(question: &'a CheckedQuery) -> Self {
        match question {
            CheckedQuery::Rows(checked) => checked.into(),
            CheckedQuery::Groups(grouped) => grouped.into(),
        }
    }
}
