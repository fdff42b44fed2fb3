//! The declarations of a `style` attribute. Written by hand: a CSS parser knows style sheets, of which nothing is needed here.

use std::collections::BTreeMap;

/// The pixels of the units that are larger; smaller ones make no difference to what is read here.
const EM_PIXELS: f64 = 16.0;

/// The declarations of a `style` attribute, as far as they have a plain value.
#[derive(Debug, Default)]
pub(super) struct Style(BTreeMap<String, Vec<String>>);

impl Style {
    /// Reads `display: none; color: red !important`, whatever its case and its escapes.
    pub(super) fn parse(text: &str) -> Self {
        let mut plain = BTreeMap::<String, Vec<String>>::new();
        let mut important = Self::default();
        for declaration in declarations(&without_comments(text)) {
            let Some((name, value)) = declaration.split_once(':') else {
                continue;
            };
            let (name, value) = (unescape(name), unescape(value));
            match value.split_once('!') {
                Some((value, word)) if word.trim() == "important" => important.add(&name, value),
                Some(_) => {}
                None => plain.entry(name).or_default().push(value),
            }
        }
        for (name, values) in important.0 {
            plain.entry(name).or_default().extend(values);
        }
        Self(plain)
    }

    fn add(&mut self, name: &str, value: &str) {
        let values = self.0.entry(name.to_owned()).or_default();
        values.push(value.trim().to_owned());
    }

    /// The last value of `name` of which `read` makes something: others are passed over, as browsers do.
    pub(super) fn last<T>(&self, name: &str, read: impl FnMut(&str) -> Option<T>) -> Option<T> {
        let values = self.0.get(name)?.iter().rev();
        values.map(String::as_str).find_map(read)
    }

    /// A length in pixels.
    pub(super) fn length(&self, name: &str) -> Option<f64> {
        self.last(name, |value| length(value).map(CssLength::pixels))
    }

    /// Whether any of its values matches.
    pub(super) fn has(&self, name: &str, matches: impl Fn(&str) -> bool) -> bool {
        self.0
            .get(name)
            .is_some_and(|values| values.iter().any(|value| matches(value)))
    }

    /// Whether any declaration whose name begins so has a length other than zero, or none that is known.
    pub(super) fn is_roomy(&self, start: &str) -> bool {
        let named = self.0.iter().filter(|(name, _)| name.starts_with(start));
        named
            .flat_map(|(_, values)| values)
            .flat_map(|value| value.split_whitespace())
            .any(|word| length(word).is_none_or(|length| length.number != 0.0))
    }
}

/// A length as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CssLength {
    pub(super) number: f64,
    /// It is a part of the same length around it.
    pub(super) is_relative: bool,
    scale: f64,
}

impl CssLength {
    fn pixels(self) -> f64 {
        self.number * self.scale
    }
}

/// Reads `0`, `12px`, `1.5em`, `100%`.
pub(super) fn length(value: &str) -> Option<CssLength> {
    let end = value
        .find(|letter: char| letter.is_ascii_alphabetic() || letter == '%')
        .unwrap_or(value.len());
    let (number, unit) = value.split_at_checked(end)?;
    let (scale, is_relative) = match unit {
        "" | "px" | "pt" | "q" | "mm" | "vw" | "vh" => (1.0, false),
        "em" | "ex" | "ch" => (EM_PIXELS, true),
        "%" => (1.0, true),
        "rem" | "cm" | "in" | "pc" => (EM_PIXELS, false),
        _ => return None,
    };
    let number: f64 = number.trim().parse().ok()?;
    Some(CssLength {
        number,
        is_relative,
        scale,
    })
}

fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("/*") {
        kept.push_str(before);
        kept.push(' ');
        rest = behind.split_once("*/").map_or("", |(_, behind)| behind);
    }
    kept + rest
}

/// The parts between semicolons that stand in no brackets and no quotes.
fn declarations(text: &str) -> Vec<&str> {
    let (mut depth, mut quote) = (0_usize, None);
    text.split(|letter| {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, ';') => return depth == 0,
            (None, _) => {}
        }
        false
    })
    .collect()
}

/// In lower case, with `\64 isplay` as `display`.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.trim().chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            plain.extend(letter.to_lowercase());
            continue;
        }
        let mut code = String::new();
        while let Some(digit) = letters.next_if(|next| code.len() < 6 && next.is_ascii_hexdigit()) {
            code.push(digit);
        }
        if code.is_empty() {
            plain.extend(letters.next().into_iter().flat_map(char::to_lowercase));
            continue;
        }
        letters.next_if(|next| next.is_ascii_whitespace());
        let meant = u32::from_str_radix(&code, 16).ok().and_then(char::from_u32);
        plain.extend(meant.into_iter().flat_map(char::to_lowercase));
    }
    plain
}
