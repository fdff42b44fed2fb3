//! How visible text is written down: words between single blanks, blocks on lines of their own.

/// Elements that begin on a line of their own.
const BLOCKS: [&str; 39] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "html",
    "legend",
    "li",
    "main",
    "menu",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "ul",
    "search",
];
/// Rows and the like, which begin on a line of their own too, but have no size of their own.
const ROWS: [&str; 6] = ["table", "tr", "caption", "thead", "tbody", "tfoot"];

/// Whether an element is a box unless a style says otherwise.
pub(super) fn is_block(name: &str) -> bool {
    BLOCKS.contains(&name)
}

fn breaks(name: &str) -> bool {
    is_block(name) || ROWS.contains(&name)
}

/// Text as it is put together: blanks that follow each other are one, blocks are lines.
#[derive(Default)]
pub(super) struct VisibleText {
    text: String,
    is_apart: bool,
}

impl VisibleText {
    /// Begins an element of this name.
    pub(super) fn enter(&mut self, name: &str) {
        match name {
            "br" => {
                self.trim();
                self.text.push('\n');
            }
            "td" | "th" => self.is_apart = true,
            name if breaks(name) => self.begin_line(),
            _ => {}
        }
    }

    /// Ends an element of this name.
    pub(super) fn leave(&mut self, name: &str) {
        if breaks(name) {
            self.begin_line();
        }
    }

    /// Adds text; blanks and lines of preformatted text stay as they are.
    pub(super) fn add(&mut self, text: &str, is_preformatted: bool) {
        if is_preformatted {
            self.end_word();
            self.text.push_str(&text.replace('\r', ""));
            return;
        }
        for (index, word) in text
            .split(|letter: char| letter.is_ascii_whitespace())
            .enumerate()
        {
            self.is_apart |= index > 0;
            if !word.is_empty() {
                self.end_word();
                self.text.push_str(word);
            }
        }
    }

    /// The text without blanks around it.
    pub(super) fn finish(mut self) -> String {
        self.trim();
        let end = self.text.trim_end().len();
        self.text.truncate(end);
        let begin = self.text.len() - self.text.trim_start_matches(['\n', ' ']).len();
        self.text.split_off(begin)
    }

    /// The blank before a word, unless it begins a line.
    fn end_word(&mut self) {
        if self.is_apart && !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push(' ');
        }
        self.is_apart = false;
    }

    fn begin_line(&mut self) {
        self.trim();
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    fn trim(&mut self) {
        self.is_apart = false;
        let end = self.text.trim_end_matches(' ').len();
        self.text.truncate(end);
    }
}
