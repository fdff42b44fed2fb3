//! The bar on a terminal: how far the file has been read, and what has been stored of it.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How much of a file's name is shown beside the bar: its end.
const NAME_CHARS_MAX: usize = 32;
const SIZED: &str = "{prefix} [{bar:24}] {bytes}/{total_bytes}  {msg}";
const UNSIZED: &str = "{prefix} {spinner} {msg}";

/// Shown only where somebody looks.
pub struct Progress(ProgressBar);

impl Progress {
    pub fn new(target: Option<ProgressDrawTarget>) -> Self {
        let target = target.unwrap_or_else(ProgressDrawTarget::hidden);
        Self(ProgressBar::with_draw_target(None, target))
    }

    /// The bar of the next file; its handle may be moved from anywhere.
    pub fn begin(&self, name: &str, size_bytes: Option<u64>) -> ProgressBar {
        let bar = &self.0;
        let template = if size_bytes.is_some() { SIZED } else { UNSIZED };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(end_of(name));
        bar.set_message("");
        bar.reset();
        bar.set_length(size_bytes.unwrap_or_default());
        bar.clone()
    }

    pub fn tell(&self, message: String) {
        self.0.set_message(message);
    }

    /// Takes the bar away while something is printed.
    pub fn beside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }

    pub fn end(&self) {
        self.0.finish_and_clear();
    }
}

fn end_of(name: &str) -> String {
    let chars = name.chars().count();
    match chars.checked_sub(NAME_CHARS_MAX) {
        None | Some(0) => name.to_owned(),
        Some(left_out) => format!("…{}", name.chars().skip(left_out + 1).collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_name_the_end_is_shown() {
        assert_eq!(end_of("a.ics"), "a.ics");
        let shown = end_of(&format!("{}/ä.ics", "x".repeat(500)));
        assert!(shown.starts_with('…') && shown.ends_with("x/ä.ics"));
        assert_eq!(shown.chars().count(), NAME_CHARS_MAX);
    }
}
