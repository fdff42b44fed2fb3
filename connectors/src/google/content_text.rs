//! The lines of iCalendar and vCard. They are not folded: whoever reads them takes long ones.

/// A text of content lines.
#[derive(Default)]
pub(super) struct ContentText(String);

impl ContentText {
    /// The beginning of a component.
    pub(super) fn begin(kind: &str) -> Self {
        Self(format!("BEGIN:{kind}\r\n"))
    }

    /// A line whose value is text, with the escapes of both formats; none for no text.
    pub(super) fn text(&mut self, head: &str, value: Option<&str>) {
        if let Some(value) = value.map(str::trim).filter(|value| !value.is_empty()) {
            self.line(head, &escaped(value));
        }
    }

    /// A line whose value is no text: a date, an address, a rule, or text that is escaped already.
    pub(super) fn line(&mut self, head: &str, value: &str) {
        self.0.push_str(head);
        self.0.push(':');
        self.0
            .extend(value.chars().filter(|letter| !letter.is_control()));
        self.0.push_str("\r\n");
    }

    /// A component within this one.
    pub(super) fn nest(&mut self, inner: &Self) {
        self.0.push_str(&inner.0);
    }

    /// The whole component.
    pub(super) fn end(mut self, kind: &str) -> Self {
        self.line("END", kind);
        self
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// A text as it stands in a value (RFC 5545 §3.3.11, RFC 6350 §3.4).
pub(super) fn escaped(value: &str) -> String {
    let value = value.replace("\r\n", "\n").replace('\r', "\n");
    let mut text = String::with_capacity(value.len());
    for letter in value.chars() {
        match letter {
            '\n' => text.push_str("\\n"),
            '\\' | ';' | ',' => text.extend(['\\', letter]),
            // A line must not end where a text has a letter that some take for an end.
            other if other.is_control() => text.push(' '),
            other => text.push(other),
        }
    }
    text
}

/// A text as it stands in a parameter, between quotes, which it cannot hold itself (RFC 5545 §3.1). Readers take a backslash before
/// the last of them for an escape, as some programs write it.
pub(super) fn quoted(value: &str) -> String {
    let is_kept = |letter: &char| !letter.is_control();
    let value: String = value.trim().chars().filter(is_kept).collect();
    let value = value.replace('"', "'").replace('\\', "\\\\");
    format!("\"{value}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_cannot_begin_a_line() {
        let mut text = ContentText::begin("VEVENT");
        text.text("SUMMARY", Some("a\r\nEND:VEVENT\nb; c, \\d\u{7}"));
        text.line("RRULE", "FREQ=DAILY\r\nSUMMARY:x");
        text.text("LOCATION", Some("  "));
        let expected = "BEGIN:VEVENT\r\nSUMMARY:a\\nEND:VEVENT\\nb\\; c\\, \\\\d \r\nRRULE:FREQ=DAILYSUMMARY:x\r\nEND:VEVENT\r\n";
        assert_eq!(text.end("VEVENT").as_str(), expected);
        assert_eq!(quoted(" a\"b\n"), "\"a'b\"");
    }
}
