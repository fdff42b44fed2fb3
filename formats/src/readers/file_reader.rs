//! What a reader is given besides its file. Which reader that is, `readers` decides.

use super::mail::Singles;
use super::options::Options;
use crate::entry::LeftBehind;

/// Reads the files of one push: what the person says of them, and what is to be remembered from one to the next.
#[derive(Debug, Clone, Default)]
pub struct FileReader {
    pub(super) options: Options,
    pub(super) singles: Singles,
    pub(super) left_behind: LeftBehind,
}

impl FileReader {
    /// A reader that has seen no file yet.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            singles: Singles::default(),
            left_behind: LeftBehind::default(),
        }
    }

    /// Says something else of the files from now on.
    pub fn answer(&mut self, options: Options) {
        self.options = options;
    }

    /// What is left behind of the entries that are taken; complete when a file has been read to its end.
    pub fn left_behind(&self) -> &LeftBehind {
        &self.left_behind
    }
}
