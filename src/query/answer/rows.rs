//! The rows of an answer: whole rows, as many as fit.

use sextant_actors::domain::{EscapedText, TextPosition};

use crate::query::budget::{TEXT_CHARS_MIN, TOKENS_MAX};
use crate::query::cell::{CellValue, DisplayOptions};
use crate::query::column::ID;
use crate::query::cursor;
use crate::query::fault::CallFault;
use crate::query::json_object::JsonObject;
use crate::query::page::{PageRow, ResultPage};
use crate::query::request::RowFormat;
use crate::query::text::{CLIPPED, Nonce};

use super::AnswerError;
use super::spec::AnswerSpec;

/// Rows that are being written, each once; those that do not fit are taken back.
pub(super) struct RowWriter<'a> {
    spec: &'a AnswerSpec<'a>,
    page: &'a ResultPage,
    nonce: &'a Nonce,
    answer: &'a mut EscapedText,
    begin: TextPosition,
    entries: Vec<AnswerEntry>,
    /// The bytes that are left for further entries.
    room: usize,
}

/// What was written, and what follows from it.
#[derive(Default)]
pub(super) struct WrittenRows {
    /// The number of rows.
    pub(super) returned: usize,
    /// The ids of rows that were deleted or no longer match.
    pub(super) deleted: Vec<String>,
    /// Rows of the page are left over.
    pub(super) is_cut: bool,
    /// A text in the rows was clipped.
    pub(super) is_clipped: bool,
    /// The cursor after the last row, where one may be needed and there is one.
    pub(super) cursor: Option<String>,
}

/// A row of the page that the answer includes.
struct AnswerEntry {
    /// Where it begins, with the comma before it.
    begin: TextPosition,
    /// Its bytes in the list that it belongs to, with a comma.
    bytes: usize,
    /// The id to list, if the row was deleted or no longer matches.
    deleted_id: Option<String>,
}

impl<'a> RowWriter<'a> {
    /// A writer of the rows of `page` at the end of `answer`.
    pub(super) fn new(
        spec: &'a AnswerSpec<'a>,
        page: &'a ResultPage,
        nonce: &'a Nonce,
        answer: &'a mut EscapedText,
    ) -> Self {
        Self {
            begin: answer.position(),
            spec,
            page,
            nonce,
            answer,
            entries: Vec::with_capacity(page.rows.len()),
            room: 0,
        }
    }

    /// Writes the first rows that, with the cursor after them, take at most `room` bytes. While not even one fits, texts are
    /// clipped to half the length.
    ///
    /// # Errors
    /// When no row fits, however short its texts.
    pub(super) fn fit(mut self, room: usize) -> Result<WrittenRows, AnswerError> {
        let mut text_chars = self.spec.text_chars;
        loop {
            self.room = room;
            self.fill(text_chars)?;
            let cursor = self.make_room_for_cursor()?;
            if !self.entries.is_empty() || self.page.rows.is_empty() {
                return Ok(self.finish(cursor));
            }
            if text_chars == TEXT_CHARS_MIN {
                return Err(row_too_large(self.spec).into());
            }
            text_chars = (text_chars / 2).max(TEXT_CHARS_MIN);
        }
    }

    fn fill(&mut self, text_chars: usize) -> Result<(), AnswerError> {
        for row in &self.page.rows {
            let begin = self.answer.position();
            let entry = self.write(row, text_chars)?;
            let Some(room) = self.room.checked_sub(entry.bytes) else {
                self.answer.truncate(begin);
                break;
            };
            self.room = room;
            self.entries.push(entry);
        }
        Ok(())
    }

    /// Removes rows from the end until the cursor after the last one fits, and returns that. After a page that is whole a cursor is
    /// made only to see whether it fits.
    fn make_room_for_cursor(&mut self) -> Result<Option<String>, AnswerError> {
        while let Some(last) = self.entries.len().checked_sub(1) {
            let is_last_page = self.entries.len() == self.page.rows.len() && !self.page.has_more;
            if is_last_page && self.room >= cursor::CURSOR_BYTES_MAX {
                return Ok(None);
            }
            let watermark = self.page.provenance.watermark;
            let cursor = match self.page.rows.get(last) {
                Some(row) => self.spec.cursor(row, watermark)?,
                None => None,
            };
            if cursor
                .as_ref()
                .is_none_or(|cursor| cursor.len() <= self.room)
            {
                return Ok(cursor);
            }
            if let Some(entry) = self.entries.pop() {
                self.room += entry.bytes;
                self.answer.truncate(entry.begin);
            }
        }
        Ok(None)
    }

    fn finish(self, cursor: Option<String>) -> WrittenRows {
        let written = self.answer.as_escaped_from(self.begin);
        let is_clipped = written.contains(CLIPPED);
        let included = self.entries.len();
        let ids = self
            .entries
            .into_iter()
            .filter_map(|entry| entry.deleted_id);
        let deleted: Vec<String> = ids.collect();
        WrittenRows {
            returned: included - deleted.len(),
            deleted,
            is_cut: included < self.page.rows.len(),
            is_clipped,
            cursor,
        }
    }

    fn write(&mut self, row: &PageRow, text_chars: usize) -> Result<AnswerEntry, AnswerError> {
        let begin = self.answer.position();
        if let Some(id) = row.deleted_id {
            let id = id.to_string();
            // The quotation marks and the comma.
            let bytes = id.len() + 3;
            return Ok(AnswerEntry {
                begin,
                bytes,
                deleted_id: Some(id),
            });
        }
        if begin != self.begin {
            self.answer.push(",");
        }
        let start = self.answer.text_bytes();
        self.write_cells(row, text_chars)?;
        Ok(AnswerEntry {
            begin,
            bytes: self.answer.text_bytes() - start + 1,
            deleted_id: None,
        })
    }

    /// Writes a row as an array or an object.
    fn write_cells(&mut self, row: &PageRow, text_chars: usize) -> Result<(), AnswerError> {
        let options = DisplayOptions {
            text_chars: Some(text_chars),
            nonce: Some(self.nonce),
        };
        let columns = self.spec.columns.iter();
        let mut cells = columns.zip(row.cells.cells()).map(|(column, bytes)| {
            let cell = CellValue::read(bytes, column.kind)?.show(column, options)?;
            Ok::<_, AnswerError>((column.name, cell))
        });
        match self.spec.format {
            RowFormat::Records => {
                let mut record = JsonObject::begin(self.answer);
                cells.try_for_each(|named| {
                    let (name, cell) = named?;
                    Ok::<_, AnswerError>(cell.write(record.name(name))?)
                })?;
                record.end();
            }
            RowFormat::Rows => {
                self.answer.push("[");
                cells.enumerate().try_for_each(|(index, named)| {
                    if index > 0 {
                        self.answer.push(",");
                    }
                    let (_, cell) = named?;
                    Ok::<_, AnswerError>(cell.write(self.answer)?)
                })?;
                self.answer.push("]");
            }
        }
        Ok(())
    }
}

/// The fault when not even one row fits the budget.
pub(super) fn row_too_large(spec: &AnswerSpec<'_>) -> CallFault {
    let tokens = spec.budget.tokens();
    let fault = CallFault::new(format!(
        "one row with these columns is larger than the budget of {tokens} tokens: `select` fewer columns, or raise `budget`"
    ));
    match u64::try_from(tokens) {
        Ok(TOKENS_MAX..) => fault.set("select", vec![ID.name]),
        _ => fault.set("budget", TOKENS_MAX),
    }
}
