//! Rows that are sent together, and their body: NDJSON, gzipped.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

use serde_json::Value;

use sextant_formats::{EntryPlace, RecordFields, quoted};

/// Rows of one push.
const ROWS_MAX: usize = 1000;
/// Bytes of one push before compression; far below any server's limit.
const BYTES_MAX: usize = 4 * 1024 * 1024;
/// The longest record that is sent.
pub(crate) const RECORD_BYTES_MAX: usize = 16 * 1024 * 1024;

/// The number of a record's file, its place there, and the JSON of its line.
type Row = (usize, EntryPlace, Vec<u8>);

/// Records on their way to one connection, each with the number of its file and its place there.
#[derive(Debug, Default)]
pub struct PushBatch {
    rows: Vec<Row>,
    bytes: usize,
}

impl PushBatch {
    /// Whether it holds no record.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The number of its records.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether a row fits; into an empty batch any does.
    pub fn has_room_for(&self, row: &[u8]) -> bool {
        self.is_empty() || (self.rows.len() < ROWS_MAX && self.bytes + row.len() <= BYTES_MAX)
    }

    /// Adds a record: the number of its file, where it stands there, and the JSON of its line.
    pub fn push(&mut self, file: usize, place: EntryPlace, row: Vec<u8>) {
        self.bytes += row.len();
        self.rows.push((file, place, row));
    }

    /// The number of its file, and where the record at `index` stands there.
    pub fn place(&self, index: usize) -> Option<(usize, &EntryPlace)> {
        self.rows.get(index).map(|(file, place, _)| (*file, place))
    }

    /// What a record holds in one of its fields, for showing: a text or a number.
    pub fn sent(&self, index: usize, field: &str) -> Option<String> {
        let (_, _, row) = self.rows.get(index)?;
        let record: RecordFields = serde_json::from_slice(row).ok()?;
        match record.get(field)? {
            Value::String(text) => Some(quoted(text)),
            Value::Number(number) => Some(quoted(&number.to_string())),
            _ => None,
        }
    }

    /// The numbers of its records' files, and where they stand there, in its order.
    pub fn places(&self) -> impl Iterator<Item = (usize, &EntryPlace)> {
        self.rows.iter().map(|(file, place, _)| (*file, place))
    }

    /// The files of its records, in order, and how many records are of each.
    pub(crate) fn files(&self) -> impl Iterator<Item = (usize, usize)> {
        let same_file = |one: &Row, other: &Row| one.0 == other.0;
        let files = self.rows.chunk_by(same_file);
        files.filter_map(|rows| rows.first().map(|row| (row.0, rows.len())))
    }

    /// Whether its records are of more than one file.
    pub(crate) fn is_of_several_files(&self) -> bool {
        self.files().nth(1).is_some()
    }

    /// Both halves, in order: a batch that is too large for the service is sent as two.
    pub fn halves(mut self) -> (Self, Self) {
        let second = self.rows.split_off(self.rows.len() / 2);
        (Self::of(self.rows), Self::of(second))
    }

    fn of(rows: Vec<Row>) -> Self {
        let bytes = rows.iter().map(|(_, _, row)| row.len()).sum();
        Self { rows, bytes }
    }

    /// The body of the push: NDJSON, compressed with gzip.
    ///
    /// # Errors
    /// Those of the encoder.
    pub fn body(&self) -> io::Result<Vec<u8>> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&self.lines())?;
        encoder.finish()
    }

    /// The body as it is before it is compressed.
    pub(crate) fn lines(&self) -> Vec<u8> {
        let mut lines = Vec::with_capacity(self.bytes + self.rows.len());
        for (_, _, row) in &self.rows {
            lines.extend_from_slice(row);
            lines.push(b'\n');
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    fn batch(rows: usize) -> PushBatch {
        let mut batch = PushBatch::default();
        for line in 0..rows {
            batch.push(
                0,
                EntryPlace::new(line as u64, "", ""),
                format!("{{\"id\":\"{line}\"}}").into_bytes(),
            );
        }
        batch
    }

    fn text(batch: &PushBatch) -> String {
        let mut text = String::new();
        flate2::read::GzDecoder::new(batch.body().unwrap().as_slice())
            .read_to_string(&mut text)
            .unwrap();
        text
    }

    #[test]
    fn a_body_is_one_record_a_line() {
        assert_eq!(text(&batch(2)), "{\"id\":\"0\"}\n{\"id\":\"1\"}\n");
    }

    #[test]
    fn halves_hold_all_rows_once_and_in_order() {
        let whole = text(&batch(5));
        let (first, second) = batch(5).halves();
        assert_eq!((first.len(), second.len()), (2, 3));
        assert_eq!(text(&first) + &text(&second), whole);
        assert_eq!(second.place(0).unwrap().1.line, 2);
    }

    #[test]
    fn what_a_record_holds_can_be_shown() {
        let mut batch = PushBatch::default();
        let row = r#"{"unit":"furlong","value":7.50,"meta":{}}"#;
        batch.push(0, EntryPlace::new(1, "", ""), row.into());
        let sent = |field| batch.sent(0, field);
        assert_eq!(sent("unit").as_deref(), Some("`furlong`"));
        assert_eq!(sent("value").as_deref(), Some("`7.50`"));
        assert_eq!(
            (sent("meta"), sent("other"), batch.sent(1, "unit")),
            (None, None, None)
        );
    }

    #[test]
    fn a_batch_is_full_by_rows_or_by_bytes() {
        assert!(PushBatch::default().has_room_for(&vec![0; BYTES_MAX * 2]));
        assert!(!batch(1).has_room_for(&vec![0; BYTES_MAX]));
        assert!(batch(ROWS_MAX - 1).has_room_for(b"{}"));
        assert!(!batch(ROWS_MAX).has_room_for(b"{}"));
    }
}
