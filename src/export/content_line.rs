//! The lines that iCalendar (RFC 5545 §3.1) and vCard (RFC 2426 §2.6) are made of: a name, parameters, a value; folded, so
//! that none is longer than 75 octets, and never within a character.

/// The longest line, without its end.
const LINE_BYTES_MAX: usize = 75;

/// A line that is being built; [`Self::text`] or [`Self::value`] writes it.
pub(super) struct ContentLine(String);

impl ContentLine {
    /// Begins a line with its property's name.
    pub(super) fn new(name: &str) -> Self {
        Self(name.to_owned())
    }

    /// Adds a parameter. Its value can hold neither quotation marks nor line ends: both formats have no escape for them that readers
    /// know, so they are replaced.
    #[must_use]
    pub(super) fn with(mut self, name: &str, value: &str) -> Self {
        let value: String = value
            .chars()
            .map(|letter| if letter == '"' { '\'' } else { letter })
            .collect();
        let value: String = value
            .split(|letter: char| letter.is_control())
            .collect::<Vec<_>>()
            .join(" ");
        let is_plain = !value.contains([':', ';', ',']);
        self.0.push_str(&match is_plain {
            true => format!(";{name}={value}"),
            false => format!(";{name}=\"{value}\""),
        });
        self
    }

    /// Writes the line with an escaped text as its value.
    pub(super) fn text(self, text: &str, out: &mut Vec<u8>) {
        self.value(&escaped(text), out);
    }

    /// Writes the line with a value that is escaped already.
    pub(super) fn value(mut self, value: &str, out: &mut Vec<u8>) {
        self.0.push(':');
        // A line end inside the value would begin another property.
        self.0.extend(
            value
                .chars()
                .filter(|letter| !matches!(letter, '\r' | '\n' | '\0')),
        );
        fold(&self.0, out);
    }
}

/// A text with separators and line ends escaped. Control characters other than tabs are not allowed in a value and are dropped.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => escaped.push_str("\\\\"),
            ';' => escaped.push_str("\\;"),
            ',' => escaped.push_str("\\,"),
            '\r' => {
                letters.next_if_eq(&'\n');
                escaped.push_str("\\n");
            }
            '\n' => escaped.push_str("\\n"),
            '\t' => escaped.push('\t'),
            letter if letter.is_control() => {}
            letter => escaped.push(letter),
        }
    }
    escaped
}

fn fold(line: &str, out: &mut Vec<u8>) {
    let mut room = LINE_BYTES_MAX;
    for letter in line.chars() {
        let bytes = letter.len_utf8();
        if bytes > room {
            out.extend_from_slice(b"\r\n ");
            room = LINE_BYTES_MAX - 1;
        }
        room -= bytes;
        out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
    }
    out.extend_from_slice(b"\r\n");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(line: ContentLine, text: &str) -> String {
        let mut out = Vec::new();
        line.text(text, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_parts_a_value_is_marked_and_what_parts_a_parameter_is_quoted() {
        let line = ContentLine::new("X")
            .with("CN", "a;\"b\"\nc")
            .with("D", "e");
        assert_eq!(
            written(line, "1;2,3\\4\r\n5\r6\u{1}"),
            "X;CN=\"a;'b' c\";D=e:1\\;2\\,3\\\\4\\n5\\n6\r\n"
        );
    }

    proptest! {
        #[test]
        fn no_line_is_too_long_and_unfolding_brings_it_back(text in "\\PC{0,300}") {
            let whole = written(ContentLine::new("X"), &text);
            let lines: Vec<&str> = whole.strip_suffix("\r\n").unwrap().split("\r\n").collect();
            prop_assert!(lines.iter().all(|line| line.len() <= LINE_BYTES_MAX));
            prop_assert_eq!(lines.join("\r\n").replace("\r\n ", ""), format!("X:{}", escaped(&text)));
        }
    }
}
