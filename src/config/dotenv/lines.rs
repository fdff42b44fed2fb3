//! The lines of a `.env` file as Docker Compose reads them: `NAME=value`, in quotes or not, with comments. Pure.
//!
//! A value in double or single quotes may span lines; `\n`, `\r`, `\t`, `\"`, `\\` and `\$` mean something in double quotes
//! only. Outside of quotes a comment begins at a `#` behind a blank. `$NAME` is never substituted.

/// One assignment.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Assignment<'a> {
    /// Counted from 1.
    pub(super) number: usize,
    pub(super) name: &'a str,
    pub(super) value: String,
    /// Whether another program would substitute a variable in the value.
    pub(super) is_substituted: bool,
}

/// The line at fault, and what is wrong there, without its text.
type DotEnvFault = (usize, &'static str);

pub(super) struct Assignments<'a> {
    rest: &'a str,
    number: usize,
}

/// The value behind the `=`.
#[derive(Default)]
struct AssignedValue {
    text: String,
    is_substituted: bool,
}

impl<'a> Assignments<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self {
            rest: text.strip_prefix('\u{feff}').unwrap_or(text),
            number: 0,
        }
    }

    fn assignment(&mut self, line: &'a str) -> Result<Assignment<'a>, DotEnvFault> {
        let number = self.number;
        let line = line.strip_prefix("export ").unwrap_or(line);
        let Some((name, value)) = line.split_once('=') else {
            return Err((number, "it is neither NAME=value nor a comment"));
        };
        let name = name.trim();
        if !is_name(name) {
            return Err((number, "what stands before the `=` is no name"));
        }
        let value = value.trim_start();
        let value = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => self.quoted(value, quote)?,
            _ => bare(value),
        };
        Ok(Assignment {
            number,
            name,
            value: value.text,
            is_substituted: value.is_substituted,
        })
    }

    /// A value in quotes, which begins on this line and may end on a later one.
    fn quoted(&mut self, line: &str, quote: char) -> Result<AssignedValue, DotEnvFault> {
        let number = self.number;
        let mut value = AssignedValue::default();
        let mut line = line.get(1..).unwrap_or_default();
        loop {
            if let Some(behind) = value.take(line, quote) {
                let behind = behind.trim();
                return match behind.is_empty() || behind.starts_with('#') {
                    true => Ok(value),
                    false => Err((number, "something stands behind the closing quote")),
                };
            }
            let Some(next) = self.line() else {
                return Err((number, "the quote that opens here is not closed"));
            };
            value.text.push('\n');
            line = next;
        }
    }

    fn line(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        self.number += 1;
        Some(line.strip_suffix('\r').unwrap_or(line))
    }
}

impl AssignedValue {
    /// Appends the text before the closing quote; returns the text behind it, if it is on this line.
    fn take<'l>(&mut self, line: &'l str, quote: char) -> Option<&'l str> {
        let mut letters = line.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                letter if letter == quote => return line.get(at + 1..),
                '\\' if quote == '"' => match letters.next() {
                    Some((_, escaped)) => self.unescape(escaped),
                    None => self.text.push('\\'),
                },
                '$' if quote == '"' => {
                    self.is_substituted = true;
                    self.text.push('$');
                }
                letter => self.text.push(letter),
            }
        }
        None
    }

    fn unescape(&mut self, letter: char) {
        match letter {
            'n' => self.text.push('\n'),
            'r' => self.text.push('\r'),
            't' => self.text.push('\t'),
            '"' | '\\' | '$' => self.text.push(letter),
            other => self.text.extend(['\\', other]),
        }
    }
}

impl<'a> Iterator for Assignments<'a> {
    type Item = Result<Assignment<'a>, DotEnvFault>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = self.line()?.trim();
            if !line.is_empty() && !line.starts_with('#') {
                return Some(self.assignment(line));
            }
        }
    }
}

/// A value without quotes, up to a comment.
fn bare(text: &str) -> AssignedValue {
    let blank = [" #", "\t#"].iter().filter_map(|mark| text.find(mark));
    let end = match text.starts_with('#') {
        true => 0,
        false => blank.min().unwrap_or(text.len()),
    };
    let text = text.get(..end).unwrap_or_default().trim_end();
    AssignedValue {
        text: text.to_owned(),
        is_substituted: text.contains('$'),
    }
}

fn is_name(text: &str) -> bool {
    let begins = text.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
    let is_of_names = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    begins && text.bytes().all(is_of_names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_compose_reads_them() {
        let text = "\u{feff}A=1\r\n export B = two words # no\n\n#C=3\nD=\"a # b\\n\\\"c\\\" \\$x\" # no\nE='a\\n$b\nc'\nF=\nG=#no\nH=a#b\nI=$x\n";
        let read: Vec<_> = Assignments::of(text).map(Result::unwrap).collect();
        let values: Vec<_> = read
            .iter()
            .map(|line| (line.number, line.name, line.value.as_str()))
            .collect();
        let expected = [
            (1, "A", "1"),
            (2, "B", "two words"),
            (5, "D", "a # b\n\"c\" $x"),
            (6, "E", "a\\n$b\nc"),
            (8, "F", ""),
            (9, "G", ""),
            (10, "H", "a#b"),
            (11, "I", "$x"),
        ];
        assert_eq!(values, expected);
        let substituted: Vec<_> = read.iter().filter(|line| line.is_substituted).collect();
        assert_eq!(substituted.len(), 1, "{substituted:?}");
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_fail_or_go_on_for_ever(text in "[A='\"\\\\$# \n\r]{0,80}") {
            let lines = text.matches('\n').count() + 1;
            proptest::prop_assert!(Assignments::of(&text).count() <= lines);
        }
    }
}
