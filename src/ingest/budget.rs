//! The size of one record, counted while its bytes are read and before they are parsed: parsed JSON can take fifty times
//! the memory of its text.

use std::cell::Cell;
use std::io::{self, BufRead, Read};

use super::limits::{RECORD_BYTES_MAX, RECORD_VALUES_MAX};

/// The bytes and values of the current record. Whether the reader is inside a JSON string is tracked across records.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Budget {
    bytes: usize,
    values: usize,
    is_in_text: bool,
    is_escaped: bool,
}

impl Budget {
    /// Counts the next bytes.
    ///
    /// # Errors
    /// An error of [`is_over_budget`], when the record has more than [`RECORD_BYTES_MAX`] bytes or [`RECORD_VALUES_MAX`]
    /// values.
    pub(super) fn spend(&mut self, bytes: &[u8]) -> io::Result<()> {
        bytes.iter().for_each(|byte| self.count(*byte));
        if self.bytes > RECORD_BYTES_MAX || self.values > RECORD_VALUES_MAX {
            return Err(io::ErrorKind::QuotaExceeded.into());
        }
        Ok(())
    }

    /// Begins the next record.
    pub(super) fn reset(&mut self) {
        self.bytes = 0;
        self.values = 0;
    }

    fn count(&mut self, byte: u8) {
        self.bytes += 1;
        match byte {
            // Whitespace between values is dropped by the parser and takes no memory.
            b' ' | b'\t' | b'\n' | b'\r' if !self.is_in_text => self.bytes -= 1,
            _ if self.is_escaped => self.is_escaped = false,
            b'\\' if self.is_in_text => self.is_escaped = true,
            b'"' => self.is_in_text = !self.is_in_text,
            b',' | b'[' | b'{' if !self.is_in_text => self.values += 1,
            _ => {}
        }
    }
}

/// Whether a reader failed because a record is over its budget.
pub(super) fn is_over_budget(kind: io::ErrorKind) -> bool {
    kind == io::ErrorKind::QuotaExceeded
}

/// The message for a record that is over its budget; `index` is its position in the push.
pub(super) fn over_budget_message(index: usize) -> String {
    format!(
        "record {index} is larger than {RECORD_BYTES_MAX} bytes or holds more than {RECORD_VALUES_MAX} values"
    )
}

/// A body whose bytes are counted against `budget` as they are read.
pub(super) struct Metered<'a> {
    pub body: &'a mut dyn BufRead,
    pub budget: &'a Cell<Budget>,
}

impl Read for Metered<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.body.read(buffer)?;
        let mut budget = self.budget.get();
        budget.spend(buffer.get(..read).unwrap_or_default())?;
        self.budget.set(budget);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_outside_of_texts_only() {
        let mut budget = Budget::default();
        budget.spend(br#"{"a":[1,2,"x,[{\",y"],"b":3}"#).unwrap();
        assert_eq!(budget.values, 5);
        budget.reset();
        budget.spend(b"[]").unwrap();
        assert_eq!((budget.values, budget.bytes), (1, 2));
    }

    #[test]
    fn blanks_cost_nothing_outside_of_texts() {
        let mut budget = Budget::default();
        budget.spend(&vec![b'\n'; RECORD_BYTES_MAX + 1]).unwrap();
        budget.spend(b" [ 1 , \" \" ]\t\r").unwrap();
        assert_eq!(budget.bytes, 7);
    }

    #[test]
    fn too_many_values_and_too_many_bytes_end_it() {
        let many = b"0,".repeat(RECORD_VALUES_MAX + 1);
        let long = vec![b'7'; RECORD_BYTES_MAX + 1];
        for bytes in [many, long] {
            let failed = Budget::default().spend(&bytes).unwrap_err();
            assert!(is_over_budget(failed.kind()));
        }
    }
}
