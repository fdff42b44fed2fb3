//! Amounts as banks write them. `1.234` is two amounts; which one, all amounts of the file decide.

use serde_json::Number;

use super::currency::parse_currency;
use super::directions::is_out;

const MINUSES: [char; 4] = ['-', '\u{2212}', '\u{2013}', '\u{2010}'];

/// An amount before the decimal mark is known.
#[derive(Debug, Clone, PartialEq, Eq)]
struct WrittenAmount {
    is_negative: bool,
    /// Digits, commas and points; `_` for the blanks and apostrophes between them, which only group.
    digits: String,
}

fn parse_written(text: &str) -> Option<WrittenAmount> {
    let text = text.trim();
    let (is_bracketed, inner) = match text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    {
        Some(inner) => (true, inner),
        None => (false, text),
    };
    let mut written = WrittenAmount {
        is_negative: is_bracketed,
        digits: String::new(),
    };
    let mut word = String::new();
    let (mut has_blank, mut is_over) = (false, false);
    for character in inner.chars() {
        match character {
            '0'..='9' | '.' | ',' if is_over => return None,
            '0'..='9' | '.' | ',' => {
                if has_blank && !written.digits.is_empty() {
                    written.digits.push('_');
                }
                written.digits.push(character);
                has_blank = false;
            }
            '\'' | '\u{2019}' => has_blank = true,
            blank if blank.is_whitespace() => has_blank = true,
            other => {
                is_over = !written.digits.is_empty();
                match other {
                    minus if MINUSES.contains(&minus) => written.is_negative = true,
                    '+' => {}
                    letter => word.push(letter),
                }
            }
        }
    }
    let word = word.to_lowercase();
    match word.as_str() {
        "" => {}
        word if is_out(word).is_some() => written.is_negative |= is_out(word) == Some(true),
        other
            if parse_currency(&other.to_uppercase()).is_some()
                || other == "$"
                || other == "us$"
                || other == "fr." => {}
        _ => return None,
    }
    written
        .digits
        .bytes()
        .any(|byte| byte.is_ascii_digit())
        .then_some(written)
}

/// Whether an amount has a minus, in whatever form; `None` if it is no amount.
pub(in crate::readers) fn has_minus(text: &str) -> Option<bool> {
    parse_written(text).map(|written| written.is_negative)
}

/// Which mark stands before the decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::readers) enum Decimals {
    Comma,
    Point,
    /// No amount says.
    Undecided,
}

impl Decimals {
    /// Where these do not say, the others do.
    pub(in crate::readers) fn or(self, other: Self) -> Self {
        match self {
            Self::Undecided => other,
            Self::Comma | Self::Point => self,
        }
    }
}

/// What all amounts of a file say of their decimal mark.
#[derive(Debug, Default)]
pub(in crate::readers) struct AmountEvidence {
    comma: u64,
    point: u64,
}

impl AmountEvidence {
    /// Counts what an amount says.
    pub(in crate::readers) fn add(&mut self, text: &str) {
        match parse_written(text).map(|written| mark_of(&written)) {
            Some(Decimals::Comma) => self.comma += 1,
            Some(Decimals::Point) => self.point += 1,
            _ => {}
        }
    }

    /// The mark of all amounts.
    ///
    /// # Errors
    /// A sentence, if they contradict each other.
    pub(in crate::readers) fn decimals(&self) -> Result<Decimals, &'static str> {
        match (self.comma, self.point) {
            (0, 0) => Ok(Decimals::Undecided),
            (1.., 0) => Ok(Decimals::Comma),
            (0, 1..) => Ok(Decimals::Point),
            _ => Err(
                "some of its amounts have a decimal comma and others a decimal point, so that none is certain; save the file with one of them",
            ),
        }
    }
}

/// What one amount says of the mark before the decimals.
fn mark_of(written: &WrittenAmount) -> Decimals {
    let digits = written.digits.as_str();
    let (commas, points) = (digits.matches(',').count(), digits.matches('.').count());
    let after = digits
        .rfind([',', '.'])
        .map_or(0, |at| digits.len() - at - 1);
    let certain = after != 3 || digits.contains('_');
    match (commas, points) {
        (0, 0) => Decimals::Undecided,
        (1, 0) if certain => Decimals::Comma,
        (0, 1) if certain => Decimals::Point,
        (1, 0) | (0, 1) => Decimals::Undecided,
        (2.., 0) => Decimals::Point,
        (0, 2..) => Decimals::Comma,
        _ if digits.rfind(',') > digits.rfind('.') => Decimals::Comma,
        _ => Decimals::Point,
    }
}

/// The amount with its digits; a sentence if it is none, or not certain.
pub(in crate::readers) fn amount(text: &str, decimals: Decimals) -> Result<Number, String> {
    let refused = || format!("{} is not an amount", crate::entry::quoted(text));
    let written = parse_written(text).ok_or_else(refused)?;
    let (group, mark) = match decimals {
        Decimals::Comma => ('.', ','),
        Decimals::Point => (',', '.'),
        Decimals::Undecided if written.digits.contains([',', '.']) => {
            return Err(format!(
                "{} may be thousands or a decimal, and no other amount of the file says which",
                crate::entry::quoted(text)
            ));
        }
        Decimals::Undecided => (',', '.'),
    };
    let (whole, fraction) = written
        .digits
        .split_once(mark)
        .unwrap_or((&written.digits, ""));
    let groupings = [group, '_'];
    let mut groups = whole.split(groupings);
    let first = groups.next().unwrap_or_default();
    let is_grouped =
        groups.all(|group| group.len() == 3) && (first.len() <= 3 || !whole.contains(groupings));
    let whole = whole.replace(groupings, "");
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_grouped || !is_number(&whole) || !is_number(fraction) {
        return Err(refused());
    }
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    let sign = if written.is_negative { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
        .parse()
        .map_err(|_| refused())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_in_every_form() {
        use Decimals::{Comma, Point, Undecided};
        let table = [
            ("1.234,56", Comma, Some("1234.56")),
            ("-1.234,56 €", Comma, Some("-1234.56")),
            ("1 234,56", Comma, Some("1234.56")),
            ("1,234.56", Point, Some("1234.56")),
            ("1'234.56", Point, Some("1234.56")),
            ("$1,234.56", Point, Some("1234.56")),
            ("EUR 12.00", Point, Some("12.00")),
            ("12.00-", Point, Some("-12.00")),
            ("(12.00)", Point, Some("-12.00")),
            ("−12.00", Point, Some("-12.00")),
            ("12.00 DR", Point, Some("-12.00")),
            ("12.00 CR", Point, Some("12.00")),
            ("1.234", Comma, Some("1234")),
            ("1.234", Point, Some("1.234")),
            ("1.234", Undecided, None),
            ("1234", Undecided, Some("1234")),
            (".5", Point, Some("0.5")),
            ("12x4", Point, None),
            ("12EUR4", Point, None),
            ("12-5", Point, None),
            ("1.23.4", Comma, None),
            ("1 2", Comma, None),
            ("12,5 0", Comma, None),
            ("1,2,3", Point, None),
            ("abc", Point, None),
            ("", Point, None),
            ("-", Point, None),
        ];
        for (text, decimals, expected) in table {
            assert_eq!(
                amount(text, decimals)
                    .ok()
                    .map(|amount| amount.to_string())
                    .as_deref(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn the_mark_is_what_all_amounts_say() {
        let decimals = |texts: &[&str]| {
            let mut evidence = AmountEvidence::default();
            texts.iter().for_each(|text| evidence.add(text));
            evidence.decimals().ok()
        };
        assert_eq!(decimals(&["1.234", "5,00"]), Some(Decimals::Comma));
        assert_eq!(decimals(&["1.234", "5.00"]), Some(Decimals::Point));
        assert_eq!(decimals(&["1.234.567"]), Some(Decimals::Comma));
        assert_eq!(decimals(&["1.234", "7"]), Some(Decimals::Undecided));
        assert_eq!(decimals(&["1,50", "1.50"]), None);
    }
}
