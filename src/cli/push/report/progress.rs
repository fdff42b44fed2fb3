//! The bar on a terminal: how far the file has been read, and what has been stored of it.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// No name stands beside the bar: it is on the line above, and the whole must fit a narrow terminal, since a bar that
/// wraps is drawn anew below itself.
const SIZED: &str = "[{wide_bar}] {bytes}/{total_bytes} {msg}";
const UNSIZED: &str = "{spinner} {wide_msg}";

/// The bar; hidden without a terminal.
pub(super) struct Progress(ProgressBar);

impl Progress {
    pub(super) fn new(target: Option<ProgressDrawTarget>) -> Self {
        let target = target.unwrap_or_else(ProgressDrawTarget::hidden);
        Self(ProgressBar::with_draw_target(None, target))
    }

    /// The bar of the next file; its handle may be moved from anywhere.
    pub(super) fn begin(&self, size_bytes: Option<u64>) -> ProgressBar {
        let bar = &self.0;
        let template = if size_bytes.is_some() { SIZED } else { UNSIZED };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message("");
        bar.reset();
        bar.set_length(size_bytes.unwrap_or_default());
        bar.clone()
    }

    pub(super) fn tell(&self, message: String) {
        self.0.set_message(message);
    }

    /// Takes the bar away while something is printed.
    pub(super) fn beside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }

    pub(super) fn end(&self) {
        self.0.finish_and_clear();
    }
}
