//! A column of an answer: what must be known of it to show its cells.

use super::column::Column;
use crate::catalog::Kind;

/// One column of an answer.
#[derive(Clone, Copy, Debug)]
pub struct AnswerColumn<'a> {
    pub name: &'a str,
    pub kind: Kind,
    /// Other people wrote it.
    pub untrusted: bool,
    /// It is HTML, of which only what is seen is shown.
    pub is_html: bool,
}

impl From<&Column> for AnswerColumn<'static> {
    fn from(column: &Column) -> Self {
        Self {
            name: column.name,
            kind: column.kind,
            untrusted: column.untrusted,
            is_html: column.is_html,
        }
    }
}
