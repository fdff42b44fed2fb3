//! What the writer of an answer must know of the question, be it for rows or for groups.

use crate::query::answer_column::Head;
use crate::query::budget::Budget;
use crate::query::check::{Checked, Grouped, Question, Scope};
use crate::query::cursor;
use crate::query::page::Found;
use crate::query::request::Format;
use crate::query::watermark::Moment;

/// The way to what is not in the answer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rest<'a> {
    /// A cursor that bears the query's digest, and the moment of the first page.
    Cursor {
        digest: &'a str,
        begun: Option<Moment>,
    },
    /// There is none, since the rows are the best of the newest hits.
    Ranked,
    /// There is none: the question must be narrowed.
    Narrower,
}

/// The question, as its answer shows it.
#[derive(Debug)]
pub struct Form<'a> {
    pub(super) scope: &'a Scope,
    pub(super) heads: Vec<Head<'a>>,
    pub(super) format: Format,
    pub(super) budget: Budget,
    /// Characters of a text.
    pub(super) text_chars: usize,
    pub(super) notes: &'a [String],
    pub(super) rest: Rest<'a>,
    /// No page came before.
    pub(super) is_first: bool,
    /// Changes are told, since this moment.
    pub(super) since: Option<Moment>,
    /// What a change cursor bears, where there is one.
    pub(super) change_digest: Option<&'a str>,
}

impl Form<'_> {
    /// When the first page was read.
    pub(super) fn begun(&self, present: Moment) -> Moment {
        match self.rest {
            Rest::Cursor { begun, .. } => begun.unwrap_or(present),
            Rest::Ranked | Rest::Narrower => present,
        }
    }

    /// The cursor behind a row.
    pub(super) fn cursor(&self, row: &Found, present: Moment) -> Option<String> {
        match self.rest {
            Rest::Cursor { digest, .. } => cursor::encode(digest, &row.keys, &self.begun(present)),
            Rest::Ranked | Rest::Narrower => None,
        }
    }
}

impl<'a> From<&'a Checked> for Form<'a> {
    fn from(checked: &'a Checked) -> Self {
        Self {
            scope: &checked.scope,
            heads: checked.select.iter().map(Head::from).collect(),
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

fn rest(checked: &Checked) -> Rest<'_> {
    if checked.is_ranked {
        return Rest::Ranked;
    }
    Rest::Cursor {
        digest: &checked.digest,
        begun: checked.after.as_ref().map(|place| place.begun),
    }
}

impl<'a> From<&'a Grouped> for Form<'a> {
    fn from(grouped: &'a Grouped) -> Self {
        let keys = grouped.keys.iter().map(|key| Head {
            name: &key.name,
            kind: key.kind(),
            untrusted: key.column.untrusted,
            is_html: key.column.is_html,
        });
        let measures = grouped.measures.iter().map(|measure| Head {
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
            rest: Rest::Narrower,
            is_first: true,
            since: None,
            change_digest: None,
        }
    }
}

impl<'a> From<&'a Question> for Form<'a> {
    fn from(question: &'a Question) -> Self {
        match question {
            Question::Rows(checked) => checked.into(),
            Question::Groups(grouped) => grouped.into(),
        }
    }
}
