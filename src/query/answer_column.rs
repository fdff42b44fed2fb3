//! A column of an answer, with what decides how its cells are shown.

use super::column::Column;
use crate::catalog::Kind;

/// One column of an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnswerColumn<'a> {
    pub name: &'a str,
    pub kind: Kind,
    /// People other than the user wrote it.
    pub untrusted: bool,
    /// It is HTML, of which only the visible text is shown.
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
