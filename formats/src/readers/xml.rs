//! `.xml`: Apple Health's export, or statements of a bank. The root decides.

use super::{FileReader, bank_camt, health};
use crate::entry::Entries;
use crate::error::FileError;
use crate::source::FileSource;

/// The entries of a file of either.
pub(super) fn entries(source: &FileSource, reader: &FileReader) -> Result<Entries, FileError> {
    match bank_camt::is_one(source)? {
        true => bank_camt::entries(source, reader),
        false => health::entries(source, reader),
    }
}
