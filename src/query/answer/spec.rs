//! What the writer of an answer must know of the question, be it for rows or for groups.

use crate::query::answer_column::AnswerColumn;
use crate::query::budget::TokenBudget;
use crate::query::check::{CheckedQuery, GroupQuery, RowQuery, RowScope};
use crate::query::cursor;
use crate::query::page::PageRow;
use crate::query::request::RowFormat;
use crate::query::watermark::Watermark;

/// The way to what is not in the answer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Continuation<'a> {
    /// A cursor that bears the query's digest, and the moment of the first page.
    Cursor {
        digest: &'a str,
        begun: Option<Watermark>,
    },
    /// There is none, since the rows are the best of the newest hits.
    Ranked,
    /// There is none: the question must be narrowed.
    Narrower,
}

/// The question, as its answer shows it.
#[derive(Debug)]
pub struct AnswerSpec<'a> {
    pub(super) scope: &'a RowScope,
    pub(super) heads: Vec<AnswerColumn<'a>>,
    pub(super) format: RowFormat,
    pub(super) budget: TokenBudget,
    /// Characters of a text.
    pub(super) text_chars: usize,
    pub(super) notes: &'a [String],
    pub(super) rest: Continuation<'a>,
    /// No page came before.
    pub(super) is_first: bool,
    /// Changes are told, since this moment.
    pub(super) since: Option<Watermark>,
    /// What a change cursor bears, where there is one.
    pub(super) change_digest: Option<&'a str>,
}

impl AnswerSpec<'_> {
    /// When the first page was read.
    pub(super) fn begun(&self, present: Watermark) -> Watermark {
        match self.rest {
            Continuation::Cursor { begun, .. } => begun.unwrap_or(present),
            Continuation::Ranked | Continuation::Narrower => present,
        }
    }

    /// The cursor behind a row.
    pub(super) fn cursor(&self, row: &PageRow, present: Watermark) -> Option<String> {
        match self.rest {
            Continuation::Cursor { digest, .. } => {
                cursor::encode(digest, &row.keys, &self.begun(present))
            }
            Continuation::Ranked | Continuation::Narrower => None,
        }
    }
}

impl<'a> From<&'a RowQuery> for AnswerSpec<'a> {
    fn from(checked: &'a RowQuery) -> Self {
        Self {
            scope: &checked.scope,
            heads: checked.select.iter().map(AnswerColumn::from).collect(),
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
        begun: checked.after.as_ref().map(|place| place.begun),
    }
}

impl<'a> From<&'a GroupQuery> for AnswerSpec<'a> {
    fn from(grouped: &'a GroupQuery) -> Self {
        let keys = grouped.keys.iter().map(|key| AnswerColumn {
            name: &key.name,
            kind: key.kind(),
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
            heads: keys.chain(measures).collect(),
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

impl<'a> From<&'a CheckedQuery> for AnswerSpec<'a> {
    fn from(question: &'a CheckedQuery) -> Self {
        match question {
            CheckedQuery::Rows(checked) => checked.into(),
            CheckedQuery::Groups(grouped) => grouped.into(),
        }
    }
}
